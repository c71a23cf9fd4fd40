-- How the scheduled backups stand: one row, which every process reads for /metrics.

create table backup_standing (
  bucket smallint not null,
  tried_at timestamptz(3) not null,
  -- Null: the last attempt succeeded, or none has ended.
  failure text,
  -- The newest backup that the schedule has made.
  name text collate "C",
  byte_size bigint,
  finished_at timestamptz(3),
  constraint backup_standing_bucket_pkey primary key (bucket)
);
