-- Lists of an author's own articles that few of them are in. Articles that are not public are few; so are hidden ones.

create index articles_author_not_public_idx
  on articles (bucket, author_id, visibility, id desc)
  where visibility <> 'public';

create index articles_author_hidden_idx
  on articles (bucket, author_id, id desc)
  where status = 'hidden';
