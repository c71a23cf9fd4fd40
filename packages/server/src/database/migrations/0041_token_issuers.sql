-- Tokens by the token that issued them, so that a leaked one is revoked with all that came from it.

create index tokens_issuer_token_id_idx
  on tokens (bucket, issuer_token_id)
  where issuer_token_id is not null;
