// Statements that would not work with the tables spread over many machines, between some that would.
import '#http'; // expect: no-restricted-imports
import '#identity'; // expect: no-restricted-imports
import '../identity/queries.ts'; // expect: no-restricted-imports
import { problems } from '@colophon/contract'; // expect: no-restricted-imports
import './views.ts'; // expect: no-restricted-imports
import { sql } from '#database';
import type { Tx } from '#database';

export const known = problems;

// expect below: bucket
export const forgetful = (id: string): string => sql`
  select title
  from articles
  where id = ${id}`;

// expect below: bucket
export const forgetfulList = (id: string): string => sql`
  select title
  from articles
  ${sql.where([sql`author_id = ${id}`, sql`status = 'published'`])}`;

// expect below: bucket
export const forgetfulJoin = (bucket: number, id: string): string => sql`
  select a.title, p.username
  from articles a
  join principals p on p.id = a.author_id
  where a.bucket = ${bucket}
    and a.id = ${id}`;

// expect below: bucket
export const everywhere = (id: string): string => sql`
  select a.title
  from articles a
  join principals p on p.bucket = a.bucket and p.id = a.author_id
  where a.id = ${id}`;

// expect below: bucket
export const inside = (bucket: number, id: string): string => sql`
  update articles
  set title = (select title from contents where hash = ${id})
  where bucket = ${bucket}`;

// expect below: bucket
export const insertion = (id: string): string => sql`
  insert into articles (id, title)
  values (${id}, 'bucket')`;

// expect below: bucket
export const commented = (id: string): string => sql`
  -- bucket
  delete from articles
  where id = ${id} /* bucket */`;

// expect below: select-star
export const greedy = (bucket: number): string => sql`
  select *
  from articles
  where bucket = ${bucket}`;

// expect below: select-star
export const greedyToo = (bucket: number): string => sql`
  delete from articles a
  where bucket = ${bucket}
  returning a.*`;

export const named = (bucket: number): string => sql`
  select found.*
  from (select a.id from articles a where a.bucket = ${bucket}) as found`;

// expect below: offset
export const paged = (bucket: number): string => sql`
  select id
  from articles
  where bucket = ${bucket}
  order by id
  offset ${10}`;

// expect below: volatile-set
export const touched = (bucket: number): string => sql`
  update articles
  set title = '', updated_at = now()
  where bucket = ${bucket}`;

// expect below: volatile-set
export const touchedInConflict = (bucket: number): string => sql`
  insert into articles (bucket, id)
  values (${bucket}, '')
  on conflict (bucket, id) do update
  set updated_at = current_timestamp`;

// expect below: lock, bucket
export const lockMany = (): string => sql`
  select id
  from articles
  where status = 'draft'
  for update`;

// expect below: lock
export const skipLocked = (bucket: number): string => sql`
  select id
  from articles
  where bucket = ${bucket}
  for update skip locked`;

// expect below: advisory-lock, advisory-number
export const advisory = sql`select pg_advisory_xact_lock(1)`;

// expect below: notify
export const notified = sql`select pg_notify('a', 'b')`;

// expect below: sequence
export const counted = sql`select nextval('articles_seq')`;

export const clean = [
  sql`select count(*) from articles where bucket = ${1}`,
  sql`select id from articles where bucket = ${1} and id = ${'a'} for update`,
  sql`select id from articles ${sql.where([sql`bucket = ${1}`, sql`id = ${'a'}`])}`,
  sql`
    -- every bucket: the public list is over all authors
    select id from articles order by id desc limit ${1}`,
  sql`
    with wanted as (select unnest(${[1]}::smallint[]) as bucket, unnest(${['a']}::text[]) as id)
    select a.title, extract(epoch from a.created_at) as age
    from wanted w
    join articles a on a.bucket = w.bucket and a.id = w.id
    where a.status is distinct from 'draft' and a.expires_at > now()`,
  sql`
    insert into articles as a (bucket, id, updated_at)
    values (${1}, ${'a'}, ${'now'})
    on conflict (bucket, id) do update
    set updated_at = excluded.updated_at
    where a.updated_at < excluded.updated_at`,
  sql`select id from articles where (bucket, id) in (select b, i from unnest(${[1]}::smallint[], ${['a']}::text[]) as t (b, i))`,
  sql`select id from articles where ${known ? sql`bucket = ${1} and` : sql``} id = ${'a'}`,
];

export async function forgetArticle(_tx: Tx, bucket: number): Promise<string> {
  return Promise.resolve(sql`delete from articles where bucket = ${bucket}`);
}

export async function deleteArticle(_tx: Tx, bucket: number): Promise<string> {
  return Promise.resolve(sql`delete from articles where bucket = ${bucket}`);
}

// expect below: no-columns
export const withoutColumns = (bucket: number): string => sql`
  select id
  from articles a
  where a.bucket = ${bucket}
    and exists (select from media m where m.bucket = ${bucket})`;

// expect below: stable-set
export const later = (bucket: number): string => sql`
  update articles
  set updated_at = updated_at + interval '1 second'
  where bucket = ${bucket}`;

// expect below: query-per-value
export const countOfEach = (bucket: number, kinds: string[]): string => sql`
  select listed.kind, (
    select count(*) from (
      select 1 from articles a where a.bucket = ${bucket} and a.author_kind = listed.kind limit 10
    ) as counted
  )
  from unnest(${kinds}::text[]) as listed (kind)`;

// expect below: case-operand
export const turned = (bucket: number): string => sql`
  update articles
  set visibility = case visibility when 'public' then 'unlisted' else 'public' end
  where bucket = ${bucket}`;

// expect below: stable-returning
export const returned = (bucket: number): string => sql`
  update articles
  set title = ''
  where bucket = ${bucket}
  returning id, (to_char(created_at, 'YYYY'))`;

// expect below: bucket, limit-per-row
export const newestOfEach = (buckets: number[], ids: string[]): string => sql`
  select newest.id
  from unnest(${buckets}::smallint[], ${ids}::text[]) as author (bucket, id)
  cross join lateral (
    select id
    from articles
    where bucket = author.bucket and author_id = author.id
    order by id desc
    limit 3
  ) as newest`;

// expect below: null-in-join
export const perhapsJoined = (bucket: number, id: string | null): string => sql`
  select a.id
  from articles a
  left join comments parent on parent.bucket = a.bucket and parent.id = ${id}
  where a.bucket = ${bucket}`;

// expect below: shards-per-row
export const counts = sql`
  -- every bucket: the articles of a topic live anywhere
  select t.slug, (select count(*) from article_topics n where n.topic = t.slug)
  from topics t`;

export const withSecondForms = [
  sql`
    -- every bucket: the articles of a topic live anywhere
    -- on one server: has a second form
    select t.slug, (select count(*) from article_topics n where n.topic = t.slug)
    from topics t`,
  sql`
    -- never null: the id
    select a.id
    from articles a
    left join comments parent on parent.bucket = a.bucket and parent.id = ${'a'}
    where a.bucket = ${1}`,
  sql`
    select newest.id
    from unnest(${['2026-01-01']}::timestamptz[]) as named (time)
    cross join lateral (
      select id
      from articles
      where bucket = ${1} and published_at <= named.time
      order by id desc
      limit 1
    ) as newest`,
  sql`
    update articles
    set updated_at = ${'2026-01-01'}, title = (select title from contents c where c.bucket = ${1})
    where bucket = ${1}
    returning id, title`,
];
