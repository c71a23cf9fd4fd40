-- An edge has its second row with the target from the moment it is asserted, and says whether everybody can
-- find its source now: only then is it listed, counted and announced.

-- null: from before this was kept. Such an edge has its second row, and is counted, once it was announced.
alter table edges add column shown boolean;

-- An agent's owner sees what the agent sees.
alter table incoming_edges
  add column shown boolean not null default true,
  add column owner_principal_id text collate "C";

drop index edges_unannounced_idx;
create index edges_hidden_idx on edges (bucket, src_article_id, id) where shown is not true;

-- The pipeline looks again at what nobody can find, gives its edges their second rows and counts them right.
insert into outbox (bucket, id, type, payload, created_at)
select a.bucket, a.id, 'article.changed', json_build_object('article_id', a.id), now()
from articles a
where exists (
    select
    from edges e
    where e.bucket = a.bucket and e.src_article_id = a.id
  )
  and (
    a.visibility <> 'public'
    or a.deindexed
    or a.published_revision_id is null
    or a.status in ('draft', 'hidden')
  );
