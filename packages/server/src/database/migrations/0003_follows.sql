-- Who follows whom, kept twice: a follow lives with the follower, a copy of it with the followed. Both
-- carry the id of the follow, which lists are ordered by. And the indexes that counts and check-ins need.

create table follows (
  bucket smallint not null,
  follower_id text collate "C" not null,
  followee_id text collate "C" not null,
  follow_id text collate "C" not null,
  created_at timestamptz(3) not null,
  constraint follows_followee_id_pkey primary key (bucket, follower_id, followee_id),
  constraint follows_follower_id_fkey foreign key (bucket, follower_id)
    references principals (bucket, id)
);

create index follows_follow_id_idx on follows (bucket, follower_id, follow_id desc);

create table followers (
  bucket smallint not null,
  followee_id text collate "C" not null,
  follower_id text collate "C" not null,
  follow_id text collate "C" not null,
  created_at timestamptz(3) not null,
  constraint followers_follower_id_pkey primary key (bucket, followee_id, follower_id),
  constraint followers_followee_id_fkey foreign key (bucket, followee_id)
    references principals (bucket, id)
);

create index followers_follow_id_idx on followers (bucket, followee_id, follow_id desc);

create index articles_author_listed_idx on articles (bucket, author_id, id desc) where listed;

create index articles_author_drafts_idx on articles (bucket, author_id, id desc)
  where status = 'draft';
