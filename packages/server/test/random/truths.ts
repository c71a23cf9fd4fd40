// What is derived, compared with what it is derived from: each statement returns the rows that are wrong.

/** An article that everyone may find without its id, for `articles a`; one that a moderator concealed counts as hidden. */
const isPublic = `(
  a.published_revision_id is not null and a.visibility = 'public' and not a.deindexed
  and a.status not in ('draft', 'hidden')
  and not (
    a.status in ('unpublished', 'removed', 'erased') and a.reason_code is null
    and exists (
      select from moderation_actions m
      where m.bucket = a.bucket and m.target_type = 'article' and m.target_id = a.id
        and m.action = 'hide' and m.lifted_at is null
    )
  )
)`;

/** The rows of a table named by an id column that are there without being due, or due without being there. */
const exactly = (table: string, column: string, due: string) => `
  select coalesce(have.id, due.id) as id, have.id is null as missing
  from (select ${column} as id from ${table}) as have
  full join (${due}) as due on due.id = have.id
  where have.id is null or due.id is null`;

const listed = `
  select id from articles
  where status = 'published' and visibility = 'public' and not deindexed`;

/** Those who may be charged: the agents of a person are the person. Of closed accounts nothing is kept. */
const sumByOwner = (made: string) => `
  select coalesce(p.owner_principal_id, p.id) as owner_id, sum(made.amount)::bigint as amount
  from (${made}) as made
  join principals p on p.id = made.principal_id
  join principals o on o.id = coalesce(p.owner_principal_id, p.id)
  where o.status <> 'closed'
  group by 1`;

const wrongUses = (action: string, made: string) => `
  select coalesce(q.principal_id, due.owner_id) as id, q.used, due.amount
  from (
    select principal_id, sum(used) as used
    from quota_uses where action = '${action}'
    group by principal_id
  ) as q
  full join (${sumByOwner(made)}) as due on due.owner_id = q.principal_id
  where coalesce(q.used, 0) <> coalesce(due.amount, 0)`;

export const truths: Readonly<Record<string, string>> = {
  'the counts of an article are its visible comments, its edges and the shown edges to it': `
    select a.id, a.status, a.comments_count + coalesce(d.comments, 0) as comments,
      a.edges_out_count + coalesce(d.edges_out, 0) as edges_out,
      a.edges_in_count + coalesce(d.edges_in, 0) as edges_in
    from articles a
    left join (
      select article_id, sum(comments) as comments, sum(edges_in) as edges_in, sum(edges_out) as edges_out
      from article_count_deltas
      group by article_id
    ) as d on d.article_id = a.id
    where a.comments_count + coalesce(d.comments, 0)
        <> (select count(*) from comments c where c.article_id = a.id and c.status = 'visible')
      or a.edges_out_count + coalesce(d.edges_out, 0)
        <> (select count(*) from edges e where e.src_article_id = a.id)
      or a.edges_in_count + coalesce(d.edges_in, 0)
        <> (select count(*) from incoming_edges i where i.dst_key = a.id and i.shown)`,
  'a comment is in the list of its author': `
    select coalesce(c.id, l.comment_id) as id
    from comments c
    full join comments_by_author l on l.comment_id = c.id and l.author_id = c.author_id
    where c.id is null or l.comment_id is null`,
  'both rows of an edge say the same': `
    select coalesce(e.id, i.id) as id
    from edges e
    full join incoming_edges i on i.id = e.id and i.dst_key = e.dst_key
    where (e.src_article_id, e.kind, e.note, e.via_comment_id, e.shown, e.created_by_principal_id)
      is distinct from (i.src_article_id, i.kind, i.note, i.via_comment_id, i.shown, i.created_by_principal_id)`,
  'an edge is shown while everyone may find its source': `
    select e.id, e.shown, a.status, a.visibility, a.deindexed
    from edges e
    join articles a on a.bucket = e.bucket and a.id = e.src_article_id
    where e.shown is distinct from ${isPublic} or (e.shown and e.announced_at is null)`,
  'an edge of an erased article has no note': `
    select e.id from edges e
    join articles a on a.id = e.src_article_id
    where a.status = 'erased' and e.note is not null`,
  'both rows of a follow are there, and none of a closed account': `
    select coalesce(f.follow_id, g.follow_id) as id
    from follows f
    full join followers g on g.follower_id = f.follower_id and g.followee_id = f.followee_id
    where f.follow_id is distinct from g.follow_id or f.created_at is distinct from g.created_at
    union all
    select f.follow_id from follows f
    join principals p on p.id in (f.follower_id, f.followee_id)
    left join principals o on o.id = p.owner_principal_id
    where 'closed' in (p.status, o.status)`,
  'what is listed has the topics of its published revision': `
    select coalesce(t.article_id, due.id) as id, t.topic, due.slug
    from article_topics t
    full join (
      select distinct a.id, lower(replace(named.name, ' ', '-')) as slug, a.published_at
      from articles a
      join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
      join contents c on c.bucket = r.bucket and c.hash = r.content_hash
      cross join lateral json_array_elements_text(c.metadata -> 'topics') as named (name)
      where a.id in (${listed})
    ) as due on due.id = t.article_id and due.slug = t.topic and due.published_at = t.published_at
    where t.article_id is null or due.id is null`,
  'a topic counts what has it, and there is none without': `
    select coalesce(t.slug, a.topic) as id, t.article_count, a.count
    from topics t
    full join (
      select topic, count(*) as count, max(published_at) as last from article_topics group by topic
    ) as a on a.topic = t.slug
    where t.article_count is distinct from a.count or t.last_published_at is distinct from a.last`,
  'what is listed is found': exactly('article_search', 'article_id', listed),
  'what is found is the published revision': `
    select s.article_id as id from article_search s
    join articles a on a.id = s.article_id
    where s.revision_id <> a.published_revision_id`,
  'what is listed is in what trends': exactly('article_trends', 'article_id', listed),
  'what is listed is in the sitemap': exactly('sitemap_entries', 'article_id', listed),
  'a file of the sitemap counts its entries': `
    select f.number, f.entries from sitemap_files f
    where f.entries <> (select count(*) from sitemap_entries e where e.file = f.number)
    union all
    select e.file, 0 from sitemap_entries e
    where e.file is null or not exists (select from sitemap_files f where f.number = e.file)`,
  'a comment that is visible is found': exactly(
    'comment_search',
    'comment_id',
    `select id from comments where status = 'visible'`,
  ),
  'an open account is found': exactly(
    'principal_search',
    'principal_id',
    `select id from principals where status <> 'closed' and closed_at is null and not deindexed`,
  ),
  'supporters are people whose support is there': `
    select s.article_id as id, s.kind, s.owner_id
    from article_supporters s
    join articles a on a.id = s.article_id
    where not a.listed or not exists (
      select from principals p
      where coalesce(p.owner_principal_id, p.id) = s.owner_id and (
        s.kind = 'comment' and exists (
          select from comments c
          where c.article_id = a.id and c.author_id = p.id and c.status = 'visible')
        or s.kind = 'link' and exists (
          select from incoming_edges i join articles f on f.id = i.src_article_id
          where i.dst_key = a.id and i.created_by_principal_id = p.id and f.listed)
        or s.kind = 'follow' and exists (
          select from followers g where g.followee_id = a.author_id and g.follower_id = p.id)
      ))`,
  'storage used is the bytes that are held': wrongUses(
    'media.total_bytes',
    `select owner_principal_id as principal_id, byte_size as amount
     from media where held_checksum is not null`,
  ),
  'the allowance used is what was made: bytes': wrongUses(
    'media.bytes',
    `select owner_principal_id as principal_id, byte_size as amount
     from media where checksum is not null`,
  ),
  'the allowance used is what was made: files': wrongUses(
    'media.create',
    'select owner_principal_id as principal_id, 1 as amount from media',
  ),
  'the allowance used is what was made: articles': wrongUses(
    'articles.create',
    'select author_id as principal_id, 1 as amount from articles',
  ),
  'the allowance used is what was made: revisions': wrongUses(
    'revisions.create',
    `select a.author_id as principal_id, 1 as amount
     from revisions r join articles a on a.id = r.article_id
     where r.previous_revision_id is not null`,
  ),
  'the allowance used is what was made: comments': wrongUses(
    'comments.create',
    'select author_id as principal_id, 1 as amount from comments',
  ),
  'no allowance is exceeded': `
    select principal_id as id, action, used, allowed from quota_uses where used > allowed`,
  // Its agents still read, and so may still export what they wrote: that alone is counted.
  'nothing else of a closed account is charged': `
    select q.principal_id as id, q.action, q.used from quota_uses q
    join principals p on p.id = q.principal_id
    where p.status = 'closed' and q.action <> 'exports.create'`,
  'bytes have as many holders as files name them': `
    select b.name as id, b.holders from blobs b
    where b.holders = 0 or b.holders <> (
      select count(*) from media m where m.bucket = b.bucket and m.held_checksum = b.checksum)`,
  'every event is counted for its recipient, and a closed account has none': `
    select p.id, c.number, count(e.id)
    from principals p
    left join event_counters c on c.principal_id = p.id
    left join events e on e.principal_id = p.id
    group by p.id, p.status, c.number
    having count(e.id) <> coalesce(c.number, 0) or count(e.id) > 0 and p.status = 'closed'`,
  'a report that is claimed is being reviewed, and one that is closed has its end': `
    select id, status from reports
    where (claimed_by is not null) <> (status = 'reviewing')
      or (closed_at is not null) <> (status in ('actioned', 'rejected'))
      or (action_id is not null) <> (status = 'actioned')`,
  'what is hidden or removed has an action in force, and what is not has none': `
    select m.id, m.action, m.target_type, t.status
    from moderation_actions m
    join (
      select id, 'article' as type, status, deindexed as marked, removed_legally as legally from articles
      union all select id, 'comment', status, false, removed_legally from comments
      union all select id, 'media', case when hidden then 'hidden' else status end, false, removed_legally
        from media
      union all select id, 'principal', status, deindexed, false from principals
    ) as t on t.id = m.target_id and t.type = m.target_type
    where m.lifted_at is null and (
        m.action = 'hide' and t.status in ('published', 'visible', 'ready')
        or m.action = 'remove' and t.status in ('published', 'visible', 'ready', 'hidden')
        or m.action = 'de-index' and not t.marked
        or m.action = 'suspend' and t.status = 'active')
    union all
    select t.id, t.status, t.type, 'no action'
    from (
      select id, 'article' as type, status from articles where status = 'hidden' or reason_code is not null
      -- An appeal on what is erased lifts the action alone: nobody reads the mark any more.
      union all select id, 'article', 'de-indexed' from articles where deindexed and status <> 'erased'
      union all select id, 'comment', status from comments
        where status = 'hidden' or reason_code is not null
      union all select id, 'media', status from media where hidden or reason_code is not null
    ) as t
    where not exists (
      select from moderation_actions m
      where m.target_id = t.id and m.lifted_at is null and m.action in ('hide', 'remove', 'de-index'))`,
  'an action has an appeal as its record says': `
    select m.id, m.appeal_status, p.status from moderation_actions m
    left join appeals p on p.bucket = m.bucket and p.action_id = m.id
    where m.appeal_status is distinct from p.status`,
  'the transparency log says what readers get': `
    select a.id, a.status, a.visibility, l.state from articles a
    left join log_articles l on l.bucket = a.bucket and l.article_id = a.id
    where coalesce(nullif(l.state, 'new'), '') <> case
        when a.status in ('erased', 'removed') then a.status
        when a.status = 'published' and a.visibility = 'public' then 'public'
        else 'withdrawn'
      end
      and not (
        coalesce(l.state, 'new') = 'new'
        and (a.visibility <> 'public' or a.published_revision_id is null)
      )`,
  'each action and each closing is in the transparency log': `
    select m.id from moderation_actions m
    where not exists (select from log_leaves l where l.cause = 'action/' || m.id)
    union all
    select c.principal_id from closings c
    where not exists (select from log_leaves l where l.cause = 'closing/' || c.principal_id)`,
  'nothing waits any more, and nothing has failed': `
    select id::text, type as what from outbox
    union all
    select id::text, last_error from graphile_worker._private_jobs where attempts >= max_attempts`,
};
