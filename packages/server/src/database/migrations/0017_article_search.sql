-- Search: what an article is found by beside its text, words of titles, and how common words are.

alter table article_search
  -- The text-search configuration that made the document.
  add column configuration text not null default 'simple',
  -- The title by all its words, stemmed and as they are: it is searched apart from the text.
  add column title tsvector not null default '',
  -- What filters ask for, and spans of time: one index answers words, filters and time together.
  add column marks text[] collate "C" not null default '{}',
  add column title_length smallint not null default 0,
  add column published_at timestamptz(3) not null default '-infinity';

-- Until they are indexed anew by `npm run admin -- reindex search`: filters find them, and their dates are right.
update article_search s
set published_at = a.published_at,
  title = to_tsvector('simple', c.title),
  marks = array[
    'author:' || a.author_id, 'kind:' || a.author_kind, 'language:' || a.language,
    'disclosure:' || a.disclosure, 'signed:' || a.signed
  ] || array(
    select 'topic:' || t.topic
    from article_topics t
    where t.bucket = s.bucket and t.article_id = s.article_id
    order by t.topic
  )
from articles a
join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
join contents c on c.bucket = r.bucket and c.hash = r.held_hash
where a.bucket = s.bucket and a.id = s.article_id and a.listed;

drop index article_search_document_idx;
-- Without the list of pending entries: a search would have to read it from one end to the other.
create index article_search_document_idx
  on article_search using gin (document, title, marks) with (fastupdate = off);

-- More common words are worth knowing than the hundred of the default: see `search_shares`.
alter table article_search alter column document set statistics 200;

-- Which configurations documents were made with: a query has no language, it is read with each of them.
create table search_configurations (
  bucket smallint not null,
  configuration text collate "C" not null,
  constraint search_configurations_configuration_pkey primary key (bucket, configuration)
);

insert into search_configurations (bucket, configuration) values (0, 'simple');

-- The words of titles, each in the bucket of its hash, with numbers by which one with a typo is found.
create table search_words (
  bucket smallint not null,
  word text collate "C" not null,
  nearby integer[] not null,
  constraint search_words_word_pkey primary key (bucket, word)
);

create index search_words_word_idx on search_words (word);
create index search_words_nearby_idx on search_words using gin (nearby) with (fastupdate = off);

-- Words and marks that many articles have, and their share; what is not here is rare. Bounded: PostgreSQL's own
-- statistics know a few thousand at most.
create table search_shares (
  bucket smallint not null,
  place text collate "C" not null,
  word text collate "C" not null,
  share real not null,
  constraint search_shares_word_pkey primary key (bucket, place, word),
  constraint search_shares_place_check check (place in ('document', 'title', 'marks'))
);

-- How many articles are newer than a time, at a hundred places.
create table search_horizons (
  bucket smallint not null,
  newer integer not null,
  at timestamptz(3) not null,
  constraint search_horizons_newer_pkey primary key (bucket, newer)
);
