-- Which version of the code made what is derived, so that a newer one finds what it has to make anew. One row
-- for each kind of derived rows, in bucket 0; a kind without a row was made before versions were kept.
create table derived_versions (
  bucket smallint not null,
  name text collate "C" not null,
  version integer not null,
  -- Sources whose rows could not be made.
  failed bigint not null,
  made_at timestamptz(3) not null,
  constraint derived_versions_name_pkey primary key (bucket, name)
);

alter table reindex_progress
  -- What is being made: the progress of another version says nothing.
  add column version integer not null default 0,
  add column total bigint not null default 0,
  add column failed bigint not null default 0;

-- Where nobody is, nothing has to be made anew.
insert into derived_versions (bucket, name, version, failed, made_at)
select 0, kind.name, 1, 0, now()
from unnest(array[
  'search', 'comments', 'principals', 'feed', 'topics', 'sitemap', 'sitemap-files', 'og-images'
]) as kind (name)
where not exists (select from principals);
