-- The share image of an article: derived by the pipeline from what is listed, or made when somebody asks.
-- The bytes are in the media store under a name that is never used again.
create table og_images (
  bucket smallint not null,
  article_id text collate "C" not null,
  -- The revision that was published when the image was last found to be true.
  revision_id text collate "C" not null,
  -- A hash of everything that is drawn.
  key text collate "C" not null,
  -- '' only inside the transaction that keeps the first image.
  name text collate "C" not null,
  byte_size integer not null,
  made_at timestamptz(3) not null,
  constraint og_images_article_id_pkey primary key (bucket, article_id)
);

-- Which of the store's names belong to somebody, and since when: asked for one bucket at a time.
create index og_images_name_idx on og_images (bucket, name);
