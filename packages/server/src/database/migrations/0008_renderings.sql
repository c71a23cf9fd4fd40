-- HTML of contents, made once by the pipeline: derived, and gone with its content.

create table renderings (
  bucket smallint not null,
  hash text collate "C" not null,
  -- Which renderer made it, for which addresses of the service.
  version text not null,
  -- Null where the text cannot be rendered within bounds: it is shown as it was written.
  html text,
  headings json not null,
  reason text,
  rendered_at timestamptz(3) not null,
  constraint renderings_hash_pkey primary key (bucket, hash),
  constraint renderings_hash_fkey foreign key (bucket, hash)
    references contents (bucket, hash) on delete cascade,
  constraint renderings_html_check check ((html is null) <> (reason is null))
);
