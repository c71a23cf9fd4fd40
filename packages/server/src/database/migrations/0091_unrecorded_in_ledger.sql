-- When every copy of the ledger contained the row: a closing with `erase`, or a removal for legal reasons or its
-- end. Null: a copy may not know of it. Rows of before this migration are recorded too, by the recurring jobs.

alter table closings add column recorded_at timestamptz(3);
alter table moderation_actions add column recorded_at timestamptz(3);
