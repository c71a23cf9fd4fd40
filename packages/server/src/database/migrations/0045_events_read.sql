-- The number of the last event that its recipient has marked as read.
alter table event_counters
add column read_number bigint default 0 not null;
