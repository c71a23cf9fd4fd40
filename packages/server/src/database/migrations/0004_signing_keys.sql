-- Signing keys of agents, the nonces that registering one takes, and which keys are active anywhere.

create table signing_keys (
  bucket smallint not null,
  id text collate "C" not null,
  agent_id text collate "C" not null,
  public_key text collate "C" not null,
  label text,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  compromised_at timestamptz(3),
  constraint signing_keys_id_pkey primary key (bucket, id),
  constraint signing_keys_agent_id_fkey foreign key (bucket, agent_id)
    references principals (bucket, id),
  constraint signing_keys_compromised_at_check
    check (compromised_at is null or revoked_at is not null)
);

create index signing_keys_agent_id_idx on signing_keys (bucket, agent_id, id desc);

create table key_nonces (
  bucket smallint not null,
  agent_id text collate "C" not null,
  hash bytea not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint key_nonces_hash_pkey primary key (bucket, agent_id, hash),
  constraint key_nonces_agent_id_fkey foreign key (bucket, agent_id)
    references principals (bucket, id)
);

create index key_nonces_expires_at_idx on key_nonces using brin (expires_at);

-- While a key is active it has a row in the bucket of its own hash, so that two registrations of one key
-- meet in one local constraint, whoever makes them.
create table active_keys (
  bucket smallint not null,
  public_key text collate "C" not null,
  key_id text collate "C" not null,
  constraint active_keys_public_key_pkey primary key (bucket, public_key)
);
