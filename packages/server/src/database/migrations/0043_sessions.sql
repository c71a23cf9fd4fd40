-- People who use the web application: their passkeys, sessions, recovery codes and one-time links.
-- Secrets are stored as their SHA-256.

create table passkeys (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint passkeys_id_pkey primary key (bucket, id),
  constraint passkeys_principal_id_credential_id_key unique (bucket, principal_id, credential_id)
);

create table sessions (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  hash bytea not null,
  device text not null,
  network text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  checked_at timestamptz(3),
  expires_at timestamptz(3) not null,
  constraint sessions_id_pkey primary key (bucket, id),
  constraint sessions_hash_key unique (bucket, hash)
);

create index sessions_principal_id_idx on sessions (bucket, principal_id, id);

create index sessions_expires_at_idx on sessions (expires_at);

create table ceremonies (
  bucket smallint not null,
  id text collate "C" not null,
  kind text not null,
  challenge text not null,
  principal_id text collate "C",
  username text,
  display_name text,
  expires_at timestamptz(3) not null,
  constraint ceremonies_id_pkey primary key (bucket, id)
);

create index ceremonies_expires_at_idx on ceremonies (expires_at);

create table recovery_codes (
  bucket smallint not null,
  principal_id text collate "C" not null,
  hash bytea not null,
  used_at timestamptz(3),
  constraint recovery_codes_principal_id_hash_pkey primary key (bucket, principal_id, hash)
);

create table web_links (
  bucket smallint not null,
  principal_id text collate "C" not null,
  hash bytea not null,
  used_at timestamptz(3),
  expires_at timestamptz(3) not null,
  constraint web_links_hash_pkey primary key (bucket, hash)
);

create index web_links_expires_at_idx on web_links (expires_at);
