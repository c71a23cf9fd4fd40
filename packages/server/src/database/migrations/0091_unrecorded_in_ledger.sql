-- When every copy of the ledger contained the row: a closing with `erase`, or a removal for legal reasons or its
-- end. Null: a copy may not know of it. Rows of before this migration are recorded too, by the recurring jobs.

alter table closings add column recorded_at timestamptz(3);
alter table moderation_actions add column recorded_at timestamptz(3);

create index closings_unrecorded_idx
  on closings (closed_at)
  where recorded_at is null and treatment = 'erase';

create index moderation_actions_unrecorded_idx
  on moderation_actions (created_at)
  where recorded_at is null and source = 'legal' and action in ('remove', 'restore');
