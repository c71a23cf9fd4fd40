-- Tables that could not be distributed by bucket, between some that could.

-- expect below: bucket-column, constraint-name, id-collation, timestamp-type
create table articles (
  id text not null primary key,
  created_at timestamptz not null
);

-- expect below: bucket-first
create table revisions (
  bucket smallint not null,
  id text collate "C" not null,
  article_id text collate "C" not null,
  constraint revisions_id_pkey primary key (id),
  constraint revisions_article_id_fkey foreign key (bucket, article_id) references articles (id, bucket)
);

-- expect below: constraint-name
create table comments (
  bucket smallint not null,
  id text collate "C" not null,
  primary key (bucket, id),
  constraint comment_length check (length(id) > 1)
);

-- expect below: sequence
create table counters (
  bucket smallint not null,
  n bigserial not null,
  constraint counters_n_pkey primary key (bucket, n)
);

-- expect below: sequence
create sequence numbers;

-- expect below: trigger
create trigger articles_touch before update on articles for each row execute function touch();

-- expect below: bucket-first
create unique index articles_title_key on articles (title);

-- expect below: bucket-first, constraint-name
alter table articles add constraint unique_title unique (title);

-- expect below: id-collation
alter table articles add column owner_id text;

-- no bucket: one row for the whole site
create table settings (
  name text not null,
  constraint settings_name_pkey primary key (name)
);

create table tokens (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  seen_at timestamptz(3), -- a comment; with a semicolon
  constraint tokens_bucket_id_pkey primary key (bucket, id),
  constraint tokens_principal_id_fkey foreign key (bucket, principal_id) references principals (bucket, id),
  constraint tokens_seen_check check (seen_at is null or seen_at > '2020-01-01;')
);

create index tokens_principal_id_idx on tokens (bucket, principal_id);
