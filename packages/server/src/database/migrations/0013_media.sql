-- Media: records that participants reserve, the bytes that they share, and what is made of images.

-- Bytes are kept once per checksum inside a bucket, under a name in the store that is never used again.
create table blobs (
  bucket smallint not null,
  checksum text collate "C" not null,
  name text collate "C" not null,
  content_type text not null,
  byte_size bigint not null,
  width integer,
  height integer,
  -- Whether an image could be decoded; null until it was tried.
  decoded boolean,
  -- How many records refer to them; with the last one they go.
  holders integer not null,
  created_at timestamptz(3) not null,
  constraint blobs_checksum_pkey primary key (bucket, checksum),
  constraint blobs_name_key unique (bucket, name),
  constraint blobs_holders_check check (holders >= 0)
);

create table media_variants (
  bucket smallint not null,
  checksum text collate "C" not null,
  width integer not null,
  name text collate "C" not null,
  byte_size bigint not null,
  created_at timestamptz(3) not null,
  constraint media_variants_width_pkey primary key (bucket, checksum, width),
  constraint media_variants_name_key unique (bucket, name),
  constraint media_variants_checksum_fkey foreign key (bucket, checksum)
    references blobs (bucket, checksum)
);

create table media (
  bucket smallint not null,
  id text collate "C" not null,
  owner_principal_id text collate "C" not null,
  status text not null,
  kind text not null,
  source text not null,
  alt_text text,
  generation_metadata json,
  content_type text,
  byte_size bigint,
  -- Stays as evidence when the bytes are gone.
  checksum text collate "C",
  -- The same while the bytes are held.
  held_checksum text collate "C",
  rejection_reason text,
  hidden boolean not null default false,
  created_at timestamptz(3) not null,
  finalized_at timestamptz(3),
  removed_at timestamptz(3),
  removed_legally boolean not null default false,
  reason_code text,
  constraint media_id_pkey primary key (bucket, id),
  constraint media_owner_principal_id_fkey foreign key (bucket, owner_principal_id)
    references principals (bucket, id),
  constraint media_held_checksum_fkey foreign key (bucket, held_checksum)
    references blobs (bucket, checksum),
  constraint media_status_check check (status in ('pending', 'ready', 'rejected', 'removed')),
  constraint media_kind_check check (kind in ('image', 'video', 'audio', 'document')),
  constraint media_source_check check (source in ('upload', 'generated')),
  constraint media_ready_check
    check (status <> 'ready' or (held_checksum is not null and finalized_at is not null))
);

create index media_owner_principal_id_idx on media (bucket, owner_principal_id, id desc);
create index media_held_checksum_idx on media (bucket, held_checksum)
  where held_checksum is not null;
create index media_pending_idx on media (created_at) where status = 'pending';
