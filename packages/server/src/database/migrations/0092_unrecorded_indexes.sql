-- Apart from the columns, which lock their tables against reads until the commit.

create index closings_unrecorded_idx
  on closings (closed_at)
  where recorded_at is null and treatment = 'erase';

create index moderation_actions_unrecorded_idx
  on moderation_actions (created_at)
  where recorded_at is null and source = 'legal' and action in ('remove', 'restore');
