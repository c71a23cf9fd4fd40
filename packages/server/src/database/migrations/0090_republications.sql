-- What readers saw of an article at a time follows from the ids of its revisions and the dates of their first
-- publications, except where an author publishes an older revision, or one that was published before.

create table republications (
  bucket smallint not null,
  article_id text collate "C" not null,
  -- Later than every earlier publication of the article.
  published_at timestamptz(3) not null,
  revision_id text collate "C" not null,
  constraint republications_published_at_pkey primary key (bucket, article_id, published_at)
);

-- Articles that show an older revision now: the time of that publication was not stored, only that of the last
-- change, which is never before it.
insert into republications (bucket, article_id, published_at, revision_id)
select a.bucket, a.id, a.updated_at, a.published_revision_id
from articles a
where a.published_revision_id <> a.latest_revision_id
  and exists (
    select 1
    from revisions r
    where r.bucket = a.bucket
      and r.article_id = a.id
      and r.id > a.published_revision_id
      and r.published_at is not null
  );

-- Last, because it locks the revisions against changes until the commit; and after the table, which a distributed
-- database distributes first.
alter table republications add constraint republications_revision_id_fkey
  foreign key (bucket, article_id, revision_id) references revisions (bucket, article_id, id);
