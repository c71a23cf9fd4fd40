-- Sessions by their last use, so that idle ones are swept.

create index sessions_last_used_at_idx on sessions (last_used_at);
