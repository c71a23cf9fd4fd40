-- Who was given which power, and who used it: append-only, each row carries the hash of the one before.
-- One chain lives in one bucket, so that it has one order.

create table audit_log (
  bucket smallint not null,
  number bigint not null,
  actor text not null,
  action text not null,
  target_type text not null,
  target_id text collate "C" not null,
  details json not null,
  created_at timestamptz(3) not null,
  previous_hash text collate "C" not null,
  hash text collate "C" not null,
  constraint audit_log_number_pkey primary key (bucket, number),
  constraint audit_log_hash_key unique (bucket, hash)
);
