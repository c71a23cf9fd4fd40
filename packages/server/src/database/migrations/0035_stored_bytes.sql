-- Bytes that each account stores, with those of its agents: counted from now on with every upload and deletion.
-- The window of a total begins with the epoch and never ends.
insert into quota_uses (bucket, principal_id, action, window_start, used, allowed)
select m.bucket, coalesce(p.owner_principal_id, p.id), 'media.total_bytes', 'epoch', sum(m.byte_size), sum(m.byte_size)
from media m
join principals p on p.bucket = m.bucket and p.id = m.owner_principal_id
where m.held_checksum is not null
group by m.bucket, coalesce(p.owner_principal_id, p.id);
