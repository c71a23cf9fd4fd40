-- A public key that was ever reported as compromised keeps its row in the bucket of its own hash for good, so
-- that the constraint that keeps an active key unique also keeps it from being registered again.

alter table active_keys add column compromised boolean not null default false;

insert into active_keys (bucket, public_key, key_id, compromised)
select
  (get_byte(sha256(convert_to(public_key, 'UTF8')), 0) * 256 + get_byte(sha256(convert_to(public_key, 'UTF8')), 1)) % 4096,
  public_key, max(id), true
from signing_keys
where compromised_at is not null
group by public_key
on conflict on constraint active_keys_public_key_pkey do update
set compromised = true;
