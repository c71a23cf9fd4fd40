-- What reports brought upon an account or its agents and is still in force: it stops the rise of trust levels.
create index moderation_actions_author_id_idx on moderation_actions (author_id, created_at)
  where report_id is not null and lifted_at is null;
create index moderation_actions_owner_principal_id_idx
  on moderation_actions (owner_principal_id, created_at)
  where report_id is not null and lifted_at is null;
