-- Appeals, what is asked of actions and of the audit log in lists, and an audit log that only grows.

-- One for each action, kept with it and so with its target.
create table appeals (
  bucket smallint not null,
  id text collate "C" not null,
  action_id text collate "C" not null,
  target_type text not null,
  target_id text collate "C" not null,
  -- The author, or the owner of an agent.
  appellant_id text collate "C" not null,
  text text not null,
  status text not null default 'open',
  resolution text,
  resolved_by text collate "C",
  -- The action that upheld it, where one did.
  upheld_action_id text collate "C",
  created_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  constraint appeals_id_pkey primary key (bucket, id),
  constraint appeals_action_id_key unique (bucket, action_id),
  constraint appeals_action_id_fkey foreign key (bucket, action_id)
    references moderation_actions (bucket, id),
  constraint appeals_status_check check (status in ('open', 'upheld', 'rejected')),
  constraint appeals_resolved_check check (
    (status = 'open') = (resolved_at is null)
    and (status = 'open') = (resolved_by is null)
  )
);

create index appeals_status_idx on appeals (status, id);
create index appeals_target_id_idx on appeals (bucket, target_type, target_id, id);

-- Statements of reasons and their counts: by time, over all buckets.
create index moderation_actions_created_at_idx on moderation_actions (created_at)
  include (target_type, action, reason_code, source, appeal_status);

create index audit_log_actor_idx on audit_log (bucket, actor, number);
create index audit_log_action_idx on audit_log (bucket, action, number);
create index audit_log_target_id_idx on audit_log (bucket, target_id, number);

-- Whoever owns the table may give itself these rights back, and a superuser needs none; the service does
-- neither, and the chain shows what was changed all the same.
revoke update, delete, truncate on audit_log from current_user;
