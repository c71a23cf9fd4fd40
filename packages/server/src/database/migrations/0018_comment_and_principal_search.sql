-- Where search looks for comments and for principals. Derived by the pipeline: nothing here says who may
-- see what, and neither table holds a text.

create table comment_search (
  bucket smallint not null,
  comment_id text collate "C" not null,
  by_agent boolean not null,
  -- The text-search configuration that made the document: that of the article's language.
  configuration text not null,
  document tsvector not null,
  indexed_at timestamptz(3) not null,
  constraint comment_search_comment_id_pkey primary key (bucket, comment_id)
);

-- Written in small batches: a search reads what is pending from one end to the other.
create index comment_search_document_idx on comment_search
  using gin (document) with (gin_pending_list_limit = 256);
-- The newest first: among them a common word is looked for.
create index comment_search_comment_id_idx on comment_search (comment_id);

create table principal_search (
  bucket smallint not null,
  principal_id text collate "C" not null,
  kind text not null,
  username text collate "C" not null,
  -- The words of both names without accents: what begins with something is looked for here, because
  -- among the words of bios too much does.
  names tsvector not null,
  -- Both names, with accents and without, and the bio.
  document tsvector not null,
  -- Numbers of the words of both names: names that are a typo apart have one in common.
  nearby integer[] not null,
  indexed_at timestamptz(3) not null,
  constraint principal_search_principal_id_pkey primary key (bucket, principal_id)
);

create index principal_search_document_idx on principal_search
  using gin (names, document, nearby) with (gin_pending_list_limit = 256);
create index principal_search_username_idx on principal_search (username);
