-- The desk filters and counts open reports by category and type, and shows what was done to the works of an author.

-- Of open reports only: with many closed ones, a rare category would be searched for among all of them.
create index reports_open_category_idx on reports (category, id) where status in ('open', 'reviewing');
create index reports_open_target_type_idx on reports (target_type, id) where status in ('open', 'reviewing');
create index reports_open_both_idx on reports (category, target_type, id) where status in ('open', 'reviewing');

create index moderation_actions_record_idx on moderation_actions (author_id, id);
