-- The sitemap: which file an article's address stands in, and how full each file is. Derived by the
-- pipeline from what is listed.

-- Counted under the lock of its row, so that no file has more than the protocol allows. All in bucket 0:
-- a file holds articles of every bucket.
create table sitemap_files (
  bucket smallint not null,
  number integer not null,
  entries integer not null,
  changed_at timestamptz(3) not null,
  constraint sitemap_files_number_pkey primary key (bucket, number),
  constraint sitemap_files_number_check check (number > 0),
  constraint sitemap_files_entries_check check (entries between 0 and 50000)
);

-- `file` is null only inside the transaction that places the article.
create table sitemap_entries (
  bucket smallint not null,
  article_id text collate "C" not null,
  file integer,
  revision_id text collate "C" not null,
  lastmod timestamptz(3) not null,
  constraint sitemap_entries_article_id_pkey primary key (bucket, article_id)
);

-- A file is told in this order.
create index sitemap_entries_file_idx on sitemap_entries (file, article_id);

-- How far the operator's command that rebuilds derived rows has come, so that it can go on there. One row
-- for each kind of them, in bucket 0.
create table reindex_progress (
  bucket smallint not null,
  name text collate "C" not null,
  after_id text collate "C" not null,
  done bigint not null,
  updated_at timestamptz(3) not null,
  constraint reindex_progress_name_pkey primary key (bucket, name)
);
