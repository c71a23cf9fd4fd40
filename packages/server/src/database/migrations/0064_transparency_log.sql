-- The transparency log: an append-only Merkle tree over what happened to publications, keys and accounts. One tree
-- has one order, so its rows live in one bucket, as those of the audit log do.

create table log_leaves (
  bucket smallint not null,
  -- What the leaf says, once for all: a cause that arrives twice has one leaf.
  cause text collate "C" not null,
  -- The order in which waiting leaves get their numbers.
  ticket text collate "C" not null,
  -- The bytes of the leaf: canonical JSON of ids and hashes.
  entry text collate "C" not null,
  -- Null until the leaf is in the tree.
  number bigint,
  -- What a publication's commitment was made with, until its article is erased.
  article_id text collate "C",
  salt bytea,
  constraint log_leaves_cause_pkey primary key (bucket, cause),
  constraint log_leaves_number_key unique (bucket, number)
);

create index log_leaves_waiting_idx on log_leaves (bucket, ticket) where number is null;
create index log_leaves_salt_idx on log_leaves (bucket, article_id) where salt is not null;

-- What the log says of an article, in the bucket of the article.
create table log_articles (
  bucket smallint not null,
  article_id text collate "C" not null,
  state text not null,
  -- How often the state changed: part of the causes of those changes.
  changes integer not null,
  -- Publications up to this time are in the log.
  logged_until timestamptz(3),
  constraint log_articles_article_id_pkey primary key (bucket, article_id)
);

-- Hashes of the tree, 256 in a tile of 32 bytes each; the last tile of each level grows.
create table log_tiles (
  bucket smallint not null,
  level smallint not null,
  number bigint not null,
  hashes bytea not null,
  constraint log_tiles_number_pkey primary key (bucket, level, number)
);

-- Hashes cannot be compressed.
alter table log_tiles alter column hashes set storage external;

-- One row: how large the tree is, and how large the last published one was.
create table log_heads (
  bucket smallint not null,
  origin text not null,
  size bigint not null,
  root text collate "C" not null,
  integrated_at timestamptz(3),
  published_size bigint not null,
  published_root text collate "C" not null,
  -- The signed checkpoint of the published tree.
  checkpoint text,
  published_at timestamptz(3),
  -- Why nothing is signed; null: it is.
  refusal text,
  constraint log_heads_bucket_pkey primary key (bucket)
);

-- The keys that sign checkpoints: the public halves.
create table log_keys (
  bucket smallint not null,
  verifier_key text collate "C" not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3),
  constraint log_keys_verifier_key_pkey primary key (bucket, verifier_key)
);
