-- With the id, from which the public id of an action is made, a list of the actions of a month reads the index alone, also
-- where few of them match its filters.
drop index moderation_actions_created_at_idx;

create index moderation_actions_created_at_idx
  on moderation_actions (created_at) include (target_type, action, reason_code, source, appeal_status, id);
