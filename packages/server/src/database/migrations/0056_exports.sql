-- Exports: archives of what a participant wrote. A job builds them in steps and continues where it was killed.

create table exports (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  status text not null,
  -- What the next step adds, and where it begins.
  stage text not null,
  position text collate "C" not null default '',
  -- How many steps were committed, over all restarts: of two runs of one step, one commits.
  steps integer not null default 0,
  -- How often the archive was started again because something in it was removed.
  restarts integer not null default 0,
  articles_total integer not null,
  counts json not null,
  -- Files in the archive.
  entries integer not null default 0,
  byte_size bigint not null default 0,
  directory_size bigint not null default 0,
  -- Articles in it that were removed before.
  tombstones integer not null default 0,
  checksums_sha256 text,
  reason text,
  created_at timestamptz(3) not null,
  -- What was removed after this is not in the service any more, but may be in the archive.
  started_at timestamptz(3) not null,
  stepped_at timestamptz(3) not null,
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  constraint exports_id_pkey primary key (bucket, id),
  constraint exports_status_check
    check (status in ('queued', 'running', 'ready', 'failed', 'expired'))
);

create unique index exports_principal_id_key on exports (bucket, principal_id)
  where status in ('queued', 'running');
create index exports_principal_id_idx on exports (bucket, principal_id, id desc);
create index exports_expires_at_idx on exports (expires_at) where expires_at is not null;
create index exports_stepped_at_idx on exports (stepped_at) where status in ('queued', 'running');

-- The pieces of an archive, and of the lists that are made into its last files.
create table export_parts (
  bucket smallint not null,
  export_id text collate "C" not null,
  kind text not null,
  -- Where the piece begins among those of its kind.
  start bigint not null,
  byte_size bigint not null,
  -- Bytes before those of a file of the participant: its header in the archive.
  head bytea,
  -- The name of a piece in the store, or the checksum of a file of the participant.
  name text collate "C",
  checksum text collate "C",
  constraint export_parts_start_pkey primary key (bucket, export_id, kind, start),
  constraint export_parts_export_id_fkey foreign key (bucket, export_id)
    references exports (bucket, id),
  constraint export_parts_name_check check ((name is null) <> (checksum is null)),
  constraint export_parts_kind_check
    check (kind in ('archive', 'directory', 'checksums', 'listing'))
);

create index export_parts_name_idx on export_parts (bucket, name) where name is not null;

-- Whether something was removed after an export began.
create index articles_removed_at_idx on articles (bucket, author_id, removed_at)
  where removed_at is not null;
create index media_removed_at_idx on media (bucket, owner_principal_id, removed_at)
  where removed_at is not null;
