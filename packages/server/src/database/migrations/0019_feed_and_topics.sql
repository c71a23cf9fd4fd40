-- The feed and the topics: what lists in the order of dates walk, what trends, and how large topics are.

-- Every list of the feed walks an index in its own order, whichever filter it has.
create index articles_author_published_at_idx
  on articles (author_id, published_at desc, id desc) where listed;
create index articles_language_published_at_idx
  on articles (language, published_at desc, id desc) where listed;
create index articles_kind_published_at_idx
  on articles (author_kind, published_at desc, id desc) where listed;
create index articles_disclosure_published_at_idx
  on articles (disclosure, published_at desc, id desc) where listed;
create index articles_signed_published_at_idx
  on articles (published_at desc, id desc) where listed and signed;

-- `name` is the topic as the article spells it; `published_at` is the article's, which never changes.
alter table article_topics
  add column name text,
  add column published_at timestamptz(3);

update article_topics t
set name = t.topic, published_at = a.published_at
from articles a
where a.bucket = t.bucket and a.id = t.article_id;

alter table article_topics
  alter column name set not null,
  alter column published_at set not null;

create index article_topics_published_at_idx
  on article_topics (topic, published_at desc, article_id desc);

-- Counted under the lock of its row, in the transaction that changes article_topics. A topic lives in the
-- bucket of the hash of its slug. `last_published_at` is null only inside the transaction that makes it.
create table topics (
  bucket smallint not null,
  slug text collate "C" not null,
  article_count integer not null,
  last_published_at timestamptz(3),
  constraint topics_slug_pkey primary key (bucket, slug),
  constraint topics_article_count_check check (article_count >= 0)
);

insert into topics (bucket, slug, article_count, last_published_at)
select
  (get_byte(sha256(convert_to(topic, 'UTF8')), 0) * 256 + get_byte(sha256(convert_to(topic, 'UTF8')), 1)) % 4096,
  topic, count(*), max(published_at)
from article_topics
group by topic;

create index topics_last_published_at_idx on topics (last_published_at desc, slug desc);
create index topics_article_count_idx on topics (article_count desc, slug desc);

-- What trends: a row for each listed article. `points` and `score` are null only inside the transaction
-- that makes the row. Articles of before have theirs after `npm run admin -- reindex feed`.
create table article_trends (
  bucket smallint not null,
  article_id text collate "C" not null,
  points integer,
  score double precision,
  published_at timestamptz(3),
  constraint article_trends_article_id_pkey primary key (bucket, article_id)
);

create index article_trends_score_idx on article_trends (score desc, article_id desc);

-- Who supports an article, and how: an agent counts as its owner, and each owner once of each kind.
create table article_supporters (
  bucket smallint not null,
  article_id text collate "C" not null,
  kind text not null,
  owner_id text collate "C" not null,
  constraint article_supporters_owner_id_pkey primary key (bucket, article_id, kind, owner_id),
  constraint article_supporters_kind_check check (kind in ('comment', 'link', 'follow'))
);

-- A follow that is taken back does not say any more which articles it came after.
create index article_supporters_follow_idx
  on article_supporters (bucket, owner_id) where kind = 'follow';

-- Whether somebody links to an article is asked without reading all others that do.
create index incoming_edges_author_idx
  on incoming_edges (bucket, dst_key, created_by_principal_id);
