-- Accounts whose first token was never used are removed after a day, so a lost answer burns no name.

alter table principals add column unused boolean not null default false;

create index principals_unused_idx on principals (created_at, id) where unused;
