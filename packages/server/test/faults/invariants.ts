// What must hold in the database whatever happened to it, and what the history says must be there.
import assert from 'node:assert/strict';
import type pg from 'pg';
import { withLocalCopies } from '../citus/local-copies.ts';
import type { Entry, History } from './history.ts';

/** Each answers the rows that break it. I-numbers are those of the reliability goals. */
const invariants: Readonly<Record<string, string>> = {
  'I1 an article has revisions': `
    select a.id from articles a
    where not exists (select from revisions r where r.bucket = a.bucket and r.article_id = a.id)`,
  'I1 the revisions of an article form one line to the newest': `
    with recursive line as (
      select r.bucket, r.article_id, r.id, 1 as place
      from revisions r where r.previous_revision_id is null
      union all
      select r.bucket, r.article_id, r.id, line.place + 1
      from line
      join revisions r
        on r.bucket = line.bucket and r.article_id = line.article_id and r.previous_revision_id = line.id
      where line.place < 1000
    )
    select a.id
    from articles a
    left join line on line.bucket = a.bucket and line.article_id = a.id
    group by a.bucket, a.id, a.latest_revision_id
    having count(line.id) <> (select count(*) from revisions r where r.bucket = a.bucket and r.article_id = a.id)
      or count(line.id) <> count(distinct line.place)
      or (array_agg(line.id order by line.place desc))[1] is distinct from a.latest_revision_id`,
  'I2 the published pointer names a dated revision of the article': `
    select a.id from articles a
    where a.published_revision_id is not null
      and not exists (
        select from revisions r
        where r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
          and r.published_at is not null)`,
  'I3 the hash is that of what is stored': `
    select c.hash from contents c
    where c.hash <> 'sha256:' || encode(sha256(convert_to(
      '{"content":' || to_json(c.content)::text || ',"metadata":' || c.metadata::text
        || ',"title":' || to_json(c.title)::text || '}', 'UTF8')), 'hex')`,
  'I3 a revision has its content': `
    select r.id from revisions r
    where not r.erased
      and not exists (select from contents c where c.bucket = r.bucket and c.hash = r.content_hash)`,
  'I5 a comment by another has one event for the author of the article': `
    select c.id
    from comments c
    join articles a on a.bucket = c.bucket and a.id = c.article_id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    left join (
      select principal_id, subject_id, count(*) as events
      from events
      where type in ('comment.created', 'reply.created')
      group by principal_id, subject_id
    ) as told on told.principal_id = a.author_id and told.subject_id = c.id
    where c.author_id <> a.author_id and p.status <> 'closed' and told.events is distinct from 1`,
  'I6 the numbers of a recipient are 1…n, in the order of the ids, and the counter says n': `
    select placed.principal_id
    from (
      select principal_id, number, row_number() over (partition by principal_id order by id) as place
      from events
    ) as placed
    where placed.number <> placed.place
    union all
    select c.principal_id
    from event_counters c
    left join (
      select principal_id, count(*) as events
      from events
      group by principal_id
    ) as written on written.principal_id = c.principal_id
    where c.number <> coalesce(written.events, 0)`,
  'a follow and its copy are both there, with one id': `
    select coalesce(f.follow_id, g.follow_id) as id
    from follows f
    full join followers g on g.follower_id = f.follower_id and g.followee_id = f.followee_id
    where f.follow_id is distinct from g.follow_id`,
  'an edge and its copy are both there, both show it or neither, and what is shown was announced': `
    select coalesce(e.id, i.id) as id
    from edges e
    full join incoming_edges i on i.id = e.id and i.dst_key = e.dst_key
    where e.shown is distinct from i.shown or (e.shown and e.announced_at is null)`,
  'the counts of an article’s edges, with the changes not added up yet, are its edges, of those to it the shown ones': `
    select a.id
    from articles a
    left join (
      select article_id, sum(edges_in) as edges_in, sum(edges_out) as edges_out
      from article_count_deltas
      group by article_id
    ) as d on d.article_id = a.id
    where a.edges_out_count + coalesce(d.edges_out, 0)
        <> (select count(*) from edges e where e.src_article_id = a.id)
      or a.edges_in_count + coalesce(d.edges_in, 0)
        <> (select count(*) from incoming_edges i where i.dst_key = a.id and i.shown)`,
  'I8 the allowance used is what was made: articles': `
    select a.author_id, count(*) from articles a group by a.bucket, a.author_id
    having count(*) is distinct from (
      select sum(q.used) from quota_uses q
      where q.bucket = a.bucket and q.principal_id = a.author_id and q.action = 'articles.create')`,
  'I8 the allowance used is what was made: revisions': `
    select a.author_id, count(*) from articles a
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.previous_revision_id is not null
    group by a.bucket, a.author_id
    having count(*) is distinct from (
      select sum(q.used) from quota_uses q
      where q.bucket = a.bucket and q.principal_id = a.author_id and q.action = 'revisions.create')`,
  'I9 no two names look alike, and each open account has its name': `
    select skeleton as id from usernames group by skeleton having count(*) > 1
    union all
    select p.id from principals p
    where p.closed_at is null
      and not exists (
        select from usernames u
        where u.principal_id = p.id and u.username = p.username)`,
  'I10 an agent has a person as its owner': `
    select a.id from principals a
    where a.kind = 'agent'
      and not exists (select from principals h where h.id = a.owner_principal_id and h.kind = 'human')`,
  'I11 a token has no scope that its issuer lacks': `
    select t.id from tokens t
    join tokens i on i.id = t.issuer_token_id
    where not t.scopes <@ i.scopes`,
  'I12 a file that is ready has its bytes, and bytes have as many holders as files name them': `
    select m.id from media m
    where m.status = 'ready'
      and not exists (
        select from blobs b
        where b.bucket = m.bucket and b.checksum = m.held_checksum and b.byte_size = m.byte_size)
    union all
    select b.name from blobs b
    where b.holders <> (
      select count(*) from media m where m.bucket = b.bucket and m.held_checksum = b.checksum)`,
  'I13 the history of a report is its filing and each change since, up to what it is': `
    select r.id
    from reports r
    left join lateral (
      select array_agg(c.to_status order by c.id) as states, count(*) filter (where c.from_status is null) as filings
      from report_changes c
      where c.bucket = r.bucket and c.report_id = r.id
    ) as h on true
    where h.filings is distinct from 1
      or h.states[1] <> 'open'
      or h.states[array_upper(h.states, 1)] is distinct from r.status`,
  'I13 each action of a moderator is in the audit log, once': `
    select m.id
    from moderation_actions m
    left join lateral (
      select count(*) as rows
      from audit_log l
      where l.bucket = 0 and l.target_id = m.target_id and l.action = m.action
        and l.details ->> 'action_id' = m.id
    ) as written on true
    where m.moderator_id is not null and written.rows <> 1`,
  // Other databases of the server belong to other tests, which may hold a lock meanwhile.
  'I15 no session waits inside a transaction': `
    select pid from pg_stat_activity
    where datname = current_database()
      and state like 'idle in transaction%' and state_change < now() - interval '5 seconds'`,
};

/** Those whose names begin with one of `except` are left out. */
export async function checkInvariants(
  client: pg.Client,
  except: readonly string[] = [],
): Promise<void> {
  await withLocalCopies(client, async () => {
    for (const [name, text] of Object.entries(invariants)) {
      if (except.some((one) => name.startsWith(one))) continue;
      const { rows } = await client.query(text);
      assert.deepEqual(rows.slice(0, 5), [], name);
    }
  });
}

interface Seen {
  /** Whether the key's row is there, and how often its effect is. */
  readonly kept: boolean;
  readonly effects: number;
}

const seenText = `
  with asked as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
      as asked (key, kind, author_id, mark, article_id)
  )
  select
    asked.key,
    exists (select from idempotency_keys k where k.principal_id = asked.author_id and k.key = asked.key) as kept,
    case asked.kind
      when 'publish' then (
        select count(*) from articles a
        join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = asked.mark
        where a.id = asked.article_id and r.published_at is not null)
      else (
        select count(*) from marked m
        where m.title = asked.mark
          and m.author_id = asked.author_id
          and m.article_id = coalesce(asked.article_id, m.article_id)
          and m.first = (asked.kind = 'create'))
    end::integer as effects
  from asked`;

/** Looks at the keys and effects of entries in one statement. */
function look(client: pg.Client, entries: readonly Entry[]): Promise<ReadonlyMap<string, Seen>> {
  return withLocalCopies(client, () => lookHere(client, entries));
}

async function lookHere(
  client: pg.Client,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Seen>> {
  await client.query(`
    drop table if exists pg_temp.marked;
    create temp table marked as
      select c.title, a.author_id, r.article_id, r.previous_revision_id is null as first
      from revisions r
      join articles a on a.bucket = r.bucket and a.id = r.article_id
      join contents c on c.bucket = r.bucket and c.hash = r.content_hash;
    create index on marked (title);
    analyze marked, articles, revisions, idempotency_keys`);
  const columns = [
    entries.map((one) => one.key),
    entries.map((one) => one.kind),
    entries.map((one) => one.authorId),
    entries.map((one) => one.mark),
    entries.map((one) => one.articleId ?? null),
  ];
  const { rows } = await client.query<Seen & { key: string }>(seenText, columns);
  return new Map(rows.map((row) => [row.key, row]));
}

/** An unknown call is whole or absent: its key and its one effect are both there, or neither. */
export async function checkUnknown(
  client: pg.Client,
  history: History,
): Promise<{ whole: number; absent: number }> {
  const unknown = history.of('unknown');
  const seen = await look(client, unknown);
  let whole = 0;
  for (const entry of unknown) {
    const { kept, effects } = seen.get(entry.key) as Seen;
    assert.equal(effects, kept ? 1 : 0, `half made: ${JSON.stringify(entry)}`);
    if (kept) whole += 1;
  }
  return { whole, absent: unknown.length - whole };
}

/** I7: what was acknowledged is there exactly once, what was refused is nowhere, and nothing else is. */
export async function checkHistory(client: pg.Client, history: History): Promise<void> {
  const seen = await look(client, history.entries);
  for (const entry of history.entries) {
    assert.match(entry.state, /^(ok|fail)$/, `settled: ${JSON.stringify(entry)}`);
    const wanted = entry.state === 'ok' ? { kept: true, effects: 1 } : { kept: false, effects: 0 };
    const { kept, effects } = seen.get(entry.key) as Seen;
    assert.deepEqual({ kept, effects }, wanted, JSON.stringify(entry));
  }
  const { rows } = await withLocalCopies(client, () =>
    client.query(`
      select (select count(*) from articles)::integer as articles,
        (select count(*) from revisions)::integer as revisions,
        (select count(*) from idempotency_keys)::integer as keys,
        (select coalesce(sum(used), 0) from quota_uses where action = 'articles.publish')::integer as published`),
  );
  const created = history.of('ok', 'create').length;
  assert.deepEqual(rows[0], {
    articles: created,
    revisions: created + history.of('ok', 'revise').length,
    keys: history.of('ok').length,
    published: history.of('ok', 'publish').length,
  });
}
