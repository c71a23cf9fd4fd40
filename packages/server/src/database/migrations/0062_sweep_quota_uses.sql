-- Windows of quotas that have ended are deleted. They are inserted in the order of their time, which a BRIN index needs.

create index quota_uses_window_start_idx on quota_uses using brin (window_start);
