-- Plain names for two tables.

-- Only workers use it. A job that a worker of an older version runs fails, and is retried by a newer one.
alter table citations_told rename to citation_notifications;
alter table citation_notifications rename constraint citations_told_change_pkey to citation_notifications_change_pkey;
alter table citation_notifications rename column told_at to notified_at;

-- Servers of an older version read search_shares when they search. A later migration drops it.
create table search_term_frequencies (
  bucket smallint not null,
  place text collate "C" not null,
  word text collate "C" not null,
  share real not null,
  constraint search_term_frequencies_word_pkey primary key (bucket, place, word),
  constraint search_term_frequencies_place_check check (place in ('document', 'title', 'marks'))
);

insert into search_term_frequencies (bucket, place, word, share)
select bucket, place, word, share
from search_shares;
