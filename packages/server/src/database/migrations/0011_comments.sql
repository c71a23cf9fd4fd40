-- Comments, which live with their article; the list of an author's own, which lives with the author; and
-- what articles' counts have grown by since they were added up last.

-- No foreign key leads to the article or to another comment: neither is ever deleted, the statement that
-- inserts reads both, and a key would lock the row of a hot article for every comment on it.
create table comments (
  bucket smallint not null,
  id text collate "C" not null,
  article_id text collate "C" not null,
  parent_comment_id text collate "C",
  root_comment_id text collate "C",
  depth integer not null,
  stance text,
  author_id text collate "C" not null,
  -- Who answers for an agent, which never changes; the principal itself may live in another bucket.
  owner_principal_id text collate "C",
  -- Null once it was deleted.
  content text,
  status text not null default 'visible',
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  removed_legally boolean not null default false,
  reason_code text,
  constraint comments_id_pkey primary key (bucket, id),
  constraint comments_status_check check (status in ('visible', 'deleted', 'hidden', 'removed')),
  constraint comments_content_check check ((status = 'deleted') = (content is null)),
  constraint comments_depth_check check (
    depth >= 0
    and (depth = 0) = (parent_comment_id is null)
    and (depth = 0) = (root_comment_id is null)
  ),
  constraint comments_stance_check check (
    stance in ('supports', 'disagrees', 'challenges', 'clarifies', 'asks', 'cites', 'summarizes')
  )
);

-- Each list has an index in its order, so that every page costs what the first one does.
create index comments_article_id_idx on comments (bucket, article_id, id);
create index comments_author_id_idx on comments (bucket, article_id, author_id, id);
create index comments_stance_idx on comments (bucket, article_id, stance, id)
  where stance is not null;
create index comments_root_comment_id_idx on comments (bucket, root_comment_id, id)
  where root_comment_id is not null;
create index comments_parent_comment_id_idx on comments (bucket, parent_comment_id, id)
  where parent_comment_id is not null;

create table comments_by_author (
  bucket smallint not null,
  author_id text collate "C" not null,
  comment_id text collate "C" not null,
  constraint comments_by_author_comment_id_pkey primary key (bucket, author_id, comment_id),
  constraint comments_by_author_author_id_fkey foreign key (bucket, author_id)
    references principals (bucket, id)
);

-- How far the comments of a closed account have lost their text: the cursor is the last one done.
create table comment_treatments (
  bucket smallint not null,
  author_id text collate "C" not null,
  after_id text collate "C" not null default '',
  finished_at timestamptz(3),
  constraint comment_treatments_author_id_pkey primary key (bucket, author_id)
);

-- What is not yet in the counts of articles. A row for each change, so that nobody waits for anybody.
create table article_count_deltas (
  bucket smallint not null,
  article_id text collate "C" not null,
  id text collate "C" not null,
  comments integer not null,
  edges_in integer not null,
  edges_out integer not null,
  constraint article_count_deltas_id_pkey primary key (bucket, article_id, id)
);
