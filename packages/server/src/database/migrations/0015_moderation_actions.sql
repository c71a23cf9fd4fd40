-- What moderators did, kept with its target; and the marks that it leaves on targets.

create table moderation_actions (
  bucket smallint not null,
  id text collate "C" not null,
  target_type text not null,
  target_id text collate "C" not null,
  -- Whose the target was: the author, or the principal itself; and the owner, where that is an agent.
  author_id text collate "C" not null,
  owner_principal_id text collate "C",
  action text not null,
  reason_code text not null,
  reason_text text,
  source text not null,
  report_id text collate "C",
  -- Null: the operator, on the command line.
  moderator_id text collate "C",
  -- The state that the target had: status, deindexed, removed_at, removed_legally, reason_code.
  previous json not null,
  created_at timestamptz(3) not null,
  -- Which restoration took it back, and when. What was not taken back is in force.
  lifted_at timestamptz(3),
  lifted_by_id text collate "C",
  -- Null: nobody appealed.
  appeal_status text,
  constraint moderation_actions_id_pkey primary key (bucket, id),
  constraint moderation_actions_target_type_check
    check (target_type in ('article', 'comment', 'principal', 'media')),
  constraint moderation_actions_action_check
    check (action in ('hide', 'remove', 'de-index', 'suspend', 'restore', 'warn')),
  constraint moderation_actions_source_check
    check (source in ('report', 'legal', 'proactive', 'automated', 'appeal')),
  constraint moderation_actions_lifted_check
    check ((lifted_at is null) = (lifted_by_id is null))
);

create index moderation_actions_target_id_idx on moderation_actions (bucket, target_type, target_id, id);

-- The last action in force; null: none. It spares every read that has none a look at the actions.
alter table articles add column moderation_action_id text collate "C";
alter table comments add column moderation_action_id text collate "C";

-- Shown to whoever has the id or the name, and in no list or search.
alter table principals add column deindexed boolean not null default false;
