-- Witnesses of the transparency log, and the logs for which this service is a witness.

create table log_witnesses (
  bucket smallint not null,
  name text collate "C" not null,
  -- The size of the largest tree that the witness has cosigned.
  size bigint not null,
  cosigned_at timestamptz(3),
  -- What the last attempt met; null: it succeeded.
  failure text,
  constraint log_witnesses_name_pkey primary key (bucket, name)
);

create table log_witnessed (
  bucket smallint not null,
  origin text collate "C" not null,
  size bigint not null,
  root text collate "C" not null,
  -- The checkpoint with the signatures that were verified and the cosignature.
  checkpoint text,
  cosigned_at timestamptz(3),
  constraint log_witnessed_origin_pkey primary key (bucket, origin)
);
