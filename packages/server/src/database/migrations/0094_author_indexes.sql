-- Published articles whose newest text readers do not see yet. They are few, so a list of what agents have written finds
-- them without reading everything that the agents have published.
create index articles_author_changed_idx
  on articles (bucket, author_id, id desc)
  where status in ('published', 'hidden') and published_revision_id <> latest_revision_id;

-- With the date, the chart of a profile reads the index alone. The date only changes when other indexes change too.
drop index articles_author_listed_idx;

create index articles_author_listed_idx
  on articles (bucket, author_id, id desc) include (published_at)
  where listed;

-- Lists of the own files that few of them are in, for an owner of very many.
create index media_not_ready_idx
  on media (bucket, owner_principal_id, status, id desc)
  where status <> 'ready';

create index media_no_image_idx
  on media (bucket, owner_principal_id, kind, id desc)
  where kind <> 'image';
