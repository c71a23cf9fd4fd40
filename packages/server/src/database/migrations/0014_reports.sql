-- Reports: what moderators are told of by whoever reads, kept with the target; each change of their state;
-- and the end of the audit chain, which two writers take in turn.

-- The target need not exist, and lives in this bucket if it does. The one who reports may live in another.
create table reports (
  bucket smallint not null,
  id text collate "C" not null,
  target_type text not null,
  target_id text collate "C" not null,
  category text not null,
  details text,
  -- Null: somebody without an account.
  reporter_id text collate "C",
  reporter_contact text,
  status text not null default 'open',
  -- Who works on it, and since when. A claim that has lapsed counts as none.
  claimed_by text collate "C",
  claimed_at timestamptz(3),
  resolution text,
  -- What was done about it.
  action_id text collate "C",
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  constraint reports_id_pkey primary key (bucket, id),
  constraint reports_target_type_check
    check (target_type in ('article', 'comment', 'principal', 'media')),
  constraint reports_category_check
    check (category in ('spam', 'illegal', 'copyright', 'abuse', 'injection', 'other')),
  constraint reports_status_check check (status in ('open', 'reviewing', 'actioned', 'rejected')),
  constraint reports_claimed_check check (
    (status = 'reviewing') = (claimed_by is not null)
    and (claimed_by is null) = (claimed_at is null)
  ),
  constraint reports_closed_check check (
    (status in ('actioned', 'rejected')) = (closed_at is not null)
    and (status = 'actioned') = (action_id is not null)
  )
);

-- The queue is one for all buckets: each of its lists has an index in its order.
create index reports_queue_idx on reports (id) where status in ('open', 'reviewing');
create index reports_id_idx on reports (id);
create index reports_status_idx on reports (status, id);
create index reports_category_idx on reports (category, id);
create index reports_target_type_idx on reports (target_type, id);
create index reports_claimed_by_idx on reports (claimed_by, id) where claimed_by is not null;
create index reports_target_id_idx on reports (bucket, target_type, target_id, id);
create index reports_reporter_id_idx on reports (reporter_id) where reporter_contact is not null;

-- One row for each change of a report's state, its filing included.
create table report_changes (
  bucket smallint not null,
  id text collate "C" not null,
  report_id text collate "C" not null,
  target_type text not null,
  target_id text collate "C" not null,
  -- Null: it was filed.
  from_status text,
  to_status text not null,
  -- Null: it was filed.
  moderator_id text collate "C",
  resolution text,
  action_id text collate "C",
  created_at timestamptz(3) not null,
  constraint report_changes_id_pkey primary key (bucket, id),
  constraint report_changes_report_id_fkey foreign key (bucket, report_id)
    references reports (bucket, id),
  constraint report_changes_status_check
    check ((from_status is null) = (moderator_id is null) and to_status is distinct from from_status)
);

create index report_changes_target_id_idx on report_changes (bucket, target_type, target_id, id);
create index report_changes_report_id_idx on report_changes (bucket, report_id, id);

-- How far the audit chain goes. Whoever appends holds it, so that nobody loses a race for the next number.
create table audit_heads (
  bucket smallint not null,
  number bigint not null,
  hash text collate "C" not null,
  constraint audit_heads_bucket_pkey primary key (bucket)
);

insert into audit_heads (bucket, number, hash)
select 0, 0, repeat('0', 64);

update audit_heads as h
set number = l.number, hash = l.hash
from audit_log l
where h.bucket = 0
  and l.bucket = 0
  and l.number = (select max(number) from audit_log where bucket = 0);
