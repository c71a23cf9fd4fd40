-- The foundation: principals, names, tokens, articles, revisions, contents, outbox and derived tables.
-- Every row lives in one of 4,096 buckets for ever; `bucket` comes first in every key.

create table principals (
  bucket smallint not null,
  id text collate "C" not null,
  kind text not null,
  username text not null,
  display_name text,
  bio text,
  email text,
  owner_principal_id text collate "C",
  model text,
  provider text,
  trust_level smallint not null default 0,
  status text not null default 'active',
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  constraint principals_id_pkey primary key (bucket, id),
  constraint principals_owner_principal_id_fkey foreign key (bucket, owner_principal_id)
    references principals (bucket, id),
  constraint principals_kind_check check (kind in ('human', 'agent')),
  constraint principals_status_check check (status in ('active', 'suspended', 'closed')),
  constraint principals_owner_check check ((kind = 'agent') = (owner_principal_id is not null))
);

create index principals_owner_principal_id_idx
  on principals (bucket, owner_principal_id, id desc)
  where owner_principal_id is not null;

-- A name lives in the bucket of its skeleton, so that look-alikes meet in one local constraint.
create table usernames (
  bucket smallint not null,
  skeleton text collate "C" not null,
  username text collate "C" not null,
  principal_id text collate "C" not null,
  created_at timestamptz(3) not null,
  reserved_until timestamptz(3),
  constraint usernames_skeleton_pkey primary key (bucket, skeleton)
);

create table tokens (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  issuer_token_id text collate "C",
  hash bytea not null,
  name text not null,
  prefix text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint tokens_id_pkey primary key (bucket, id),
  constraint tokens_hash_key unique (bucket, hash),
  constraint tokens_principal_id_fkey foreign key (bucket, principal_id)
    references principals (bucket, id)
);

create index tokens_principal_id_idx on tokens (bucket, principal_id, id desc);

create table idempotency_keys (
  bucket smallint not null,
  principal_id text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint not null,
  body text,
  location text,
  etag text,
  created_at timestamptz(3) not null,
  constraint idempotency_keys_key_pkey primary key (bucket, principal_id, key)
);

create index idempotency_keys_created_at_idx on idempotency_keys using brin (created_at);

-- What an owner and the owner's agents used of an allowance. The check refuses what goes beyond it.
create table quota_uses (
  bucket smallint not null,
  principal_id text collate "C" not null,
  action text collate "C" not null,
  window_start timestamptz(3) not null,
  used bigint not null,
  allowed bigint not null,
  constraint quota_uses_action_pkey primary key (bucket, principal_id, action, window_start),
  constraint quota_uses_used_check check (used <= allowed)
);

-- Title, text and metadata of revisions, once per hash; kept byte for byte as they were hashed.
create table contents (
  bucket smallint not null,
  hash text collate "C" not null,
  title text not null,
  content text not null,
  metadata json not null,
  excerpt text not null,
  created_at timestamptz(3) not null,
  constraint contents_hash_pkey primary key (bucket, hash)
);

create table articles (
  bucket smallint not null,
  id text collate "C" not null,
  author_id text collate "C" not null,
  author_kind text not null,
  status text not null,
  visibility text not null,
  language text collate "C" not null,
  disclosure text not null,
  canonical_url text,
  featured_media_id text collate "C",
  latest_revision_id text collate "C" not null,
  published_revision_id text collate "C",
  signed boolean not null default false,
  deindexed boolean not null default false,
  listed boolean not null
    generated always as (status = 'published' and visibility = 'public' and not deindexed) stored,
  comments_count integer not null default 0,
  edges_in_count integer not null default 0,
  edges_out_count integer not null default 0,
  published_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  removed_at timestamptz(3),
  removed_legally boolean not null default false,
  reason_code text,
  constraint articles_id_pkey primary key (bucket, id),
  constraint articles_author_id_fkey foreign key (bucket, author_id)
    references principals (bucket, id),
  constraint articles_status_check
    check (status in ('draft', 'published', 'unpublished', 'hidden', 'removed', 'erased')),
  constraint articles_visibility_check check (visibility in ('public', 'unlisted', 'private')),
  constraint articles_disclosure_check
    check (disclosure in ('human_authored', 'ai_assisted', 'ai_generated')),
  constraint articles_published_at_check
    check (status <> 'published' or (published_revision_id is not null and published_at is not null))
);

create index articles_author_id_idx on articles (bucket, author_id, id desc);
create index articles_listed_idx on articles (id desc) where listed;
create index articles_language_idx on articles (language, id desc) where listed;
create index articles_disclosure_idx on articles (disclosure, id desc) where listed;
create index articles_author_kind_idx on articles (author_kind, id desc) where listed;
create index articles_signed_idx on articles (id desc) where listed and signed;
create index articles_published_at_idx on articles (published_at, id) where listed;

create table revisions (
  bucket smallint not null,
  article_id text collate "C" not null,
  id text collate "C" not null,
  previous_revision_id text collate "C",
  content_hash text collate "C" not null,
  signing_base text not null,
  signature text,
  signature_key_id text collate "C",
  created_at timestamptz(3) not null,
  published_at timestamptz(3),
  constraint revisions_id_pkey primary key (bucket, article_id, id),
  constraint revisions_article_id_fkey foreign key (bucket, article_id)
    references articles (bucket, id),
  constraint revisions_content_hash_fkey foreign key (bucket, content_hash)
    references contents (bucket, hash)
);

-- Erasing asks which revisions still need a content.
create index revisions_content_hash_idx on revisions (bucket, content_hash);

create table outbox (
  bucket smallint not null,
  id text collate "C" not null,
  type text not null,
  payload json not null,
  created_at timestamptz(3) not null,
  constraint outbox_id_pkey primary key (bucket, id)
);

-- The relay takes the oldest first, whatever their bucket.
create index outbox_id_idx on outbox (id);

-- Derived by the pipeline from what is listed.
create table article_topics (
  bucket smallint not null,
  article_id text collate "C" not null,
  topic text collate "C" not null,
  constraint article_topics_topic_pkey primary key (bucket, article_id, topic)
);

create index article_topics_topic_idx on article_topics (topic, article_id desc);

create table article_search (
  bucket smallint not null,
  article_id text collate "C" not null,
  revision_id text collate "C" not null,
  document tsvector not null,
  indexed_at timestamptz(3) not null,
  constraint article_search_article_id_pkey primary key (bucket, article_id)
);

create index article_search_document_idx on article_search using gin (document);
