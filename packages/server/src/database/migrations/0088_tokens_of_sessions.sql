-- A session that was opened by a link of a token has no more rights than the token, and ends with it.

alter table web_links add column token_id text collate "C";
alter table sessions add column token_id text collate "C";
