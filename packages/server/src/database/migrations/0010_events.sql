-- What participants are told. One counter for each recipient gives events their order: its row is locked
-- by whoever writes one, so that numbers have no gap and ids become visible in their order.

create table event_counters (
  bucket smallint not null,
  principal_id text collate "C" not null,
  number bigint not null,
  last_time text collate "C" not null,
  closed boolean not null default false,
  constraint event_counters_principal_id_pkey primary key (bucket, principal_id),
  constraint event_counters_number_check check (number between 0 and 4294967295)
);

create table events (
  bucket smallint not null,
  principal_id text collate "C" not null,
  id text collate "C" not null,
  number bigint not null,
  type text collate "C" not null,
  actor_principal_id text collate "C",
  subject_type text not null,
  subject_id text collate "C" not null,
  payload json not null,
  created_at timestamptz(3) not null,
  constraint events_id_pkey primary key (bucket, principal_id, id)
);

-- A poll for one type costs the same, however many events of other types there are.
create index events_type_idx on events (bucket, principal_id, type, id);
