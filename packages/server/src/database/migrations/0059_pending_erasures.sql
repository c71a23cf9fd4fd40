-- Erasures that are not yet in every copy of the ledger. A row is inserted in the transaction of the erasure and
-- deleted when the ledger is durable in the media store and in BACKUP_TO.

create table pending_erasures (
  bucket smallint not null,
  article_id text collate "C" not null,
  erased_at timestamptz(3) not null,
  -- When the media store had it; null: it must still be written there.
  recorded_at timestamptz(3),
  constraint pending_erasures_article_id_pkey primary key (bucket, article_id)
);
