-- Edges: what an article asserts about another one, or about an address elsewhere. An edge lives with its
-- source; what points at a target is a second row with the target, written in the same transaction.

-- `dst_key` is what edges are compared by: the id of an article, or the SHA-256 of an address in its
-- canonical form. No foreign key leads to the target, which lives in a bucket of its own.
create table edges (
  bucket smallint not null,
  id text collate "C" not null,
  src_article_id text collate "C" not null,
  kind text collate "C" not null,
  dst_key text collate "C" not null,
  dst_article_id text collate "C",
  dst_uri text collate "C",
  via_comment_id text collate "C",
  note text,
  created_by_principal_id text collate "C" not null,
  created_at timestamptz(3) not null,
  -- When the target first showed it: at once, or once its source could be found by everybody.
  announced_at timestamptz(3),
  constraint edges_id_pkey primary key (bucket, id),
  constraint edges_dst_key_key unique (bucket, src_article_id, kind, dst_key),
  constraint edges_src_article_id_fkey foreign key (bucket, src_article_id)
    references articles (bucket, id),
  constraint edges_created_by_principal_id_fkey foreign key (bucket, created_by_principal_id)
    references principals (bucket, id),
  constraint edges_dst_check check ((dst_article_id is null) <> (dst_uri is null))
);

create index edges_src_article_id_idx on edges (bucket, src_article_id, id desc);
create index edges_unannounced_idx on edges (bucket, src_article_id) where announced_at is null;
create index edges_announced_idx on edges (id desc) where announced_at is not null;

-- A whole copy, since an edge is never changed: a list of what points at a target reads one bucket.
create table incoming_edges (
  bucket smallint not null,
  dst_key text collate "C" not null,
  id text collate "C" not null,
  src_article_id text collate "C" not null,
  kind text collate "C" not null,
  dst_article_id text collate "C",
  dst_uri text collate "C",
  via_comment_id text collate "C",
  note text,
  created_by_principal_id text collate "C" not null,
  created_at timestamptz(3) not null,
  constraint incoming_edges_id_pkey primary key (bucket, dst_key, id)
);

create index incoming_edges_kind_idx on incoming_edges (bucket, dst_key, kind, id desc);

-- Who was told of which change of what they cite, so that nobody is told twice.
create table citations_told (
  bucket smallint not null,
  principal_id text collate "C" not null,
  change text collate "C" not null,
  told_at timestamptz(3) not null,
  constraint citations_told_change_pkey primary key (bucket, principal_id, change)
);
