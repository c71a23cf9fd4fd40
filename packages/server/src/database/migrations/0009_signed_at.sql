-- When the service took a revision's signature: the time by which its key is judged. A revision may have
-- been published before it was signed, so `published_at` does not say it.

alter table revisions add column signed_at timestamptz(3);
alter table revisions add constraint revisions_signature_check
  check (
    (signature is null) = (signature_key_id is null)
    and (signature is null) = (signed_at is null)
  );

-- A revocation is not dated before what its key signed.
create index revisions_signature_key_id_idx on revisions (bucket, signature_key_id, signed_at)
  where signature_key_id is not null;
