-- A migration for databases that may be distributed already.

-- expect below: key-in-table
create table remarks (
  bucket smallint not null,
  id text collate "C" not null,
  constraint remarks_id_pkey primary key (bucket, id),
  constraint remarks_id_fkey foreign key (bucket, id) references articles (bucket, id)
);

create table notes (
  bucket smallint not null,
  id text collate "C" not null,
  constraint notes_id_pkey primary key (bucket, id)
);

alter table notes add constraint notes_id_fkey foreign key (bucket, id) references articles (bucket, id);
