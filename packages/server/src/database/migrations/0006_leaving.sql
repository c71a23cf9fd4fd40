-- Leaving: accounts that were closed, and texts that were erased.

-- What happened to the works of a closed account; null while it is open.
alter table principals add column treatment text;
alter table principals add constraint principals_treatment_check
  check (treatment in ('pseudonymise', 'unpublish', 'erase'));

-- One row for each closed account: what was asked for, and how far forgetting it has come.
create table closings (
  bucket smallint not null,
  principal_id text collate "C" not null,
  treatment text not null,
  reason text,
  closed_at timestamptz(3) not null,
  forgotten_at timestamptz(3),
  constraint closings_principal_id_pkey primary key (bucket, principal_id),
  constraint closings_treatment_check check (treatment in ('pseudonymise', 'unpublish', 'erase'))
);

create index closings_unfinished_idx on closings (closed_at) where forgotten_at is null;

-- The works of one author that are being treated: the cursor is the last article done.
create table article_treatments (
  bucket smallint not null,
  author_id text collate "C" not null,
  treatment text not null,
  after_id text collate "C" not null default '',
  done integer not null default 0,
  total integer not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  constraint article_treatments_author_id_pkey primary key (bucket, author_id),
  constraint article_treatments_treatment_check
    check (treatment in ('pseudonymise', 'unpublish', 'erase'))
);

create index article_treatments_unfinished_idx on article_treatments (started_at)
  where finished_at is null;

-- A revision whose text was erased keeps its hash and lets go of the content, which goes with its last holder.
alter table revisions add column erased boolean not null default false;
alter table revisions add column held_hash text collate "C"
  generated always as (case when erased then null else content_hash end) stored;
alter table revisions drop constraint revisions_content_hash_fkey;
alter table revisions add constraint revisions_held_hash_fkey
  foreign key (bucket, held_hash) references contents (bucket, hash);
drop index revisions_content_hash_idx;
create index revisions_held_hash_idx on revisions (bucket, held_hash) where held_hash is not null;

-- Beside what it says, it tells the planner that each topic has its article: without it a page of a topic sorts the whole topic.
alter table article_topics add constraint article_topics_article_id_fkey
  foreign key (bucket, article_id) references articles (bucket, id);

-- Names are swept once their reservation is over.
create index usernames_reserved_until_idx on usernames (reserved_until) where reserved_until is not null;
