// Tests of the texts that a distributed database gets: each table names the bucket as a value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameBuckets, withNamedBuckets } from './name-buckets.ts';
import { orOverServers, sql } from './sql.ts';

test('a value goes along joins, into subqueries, and out of a common table expression', () => {
  assert.equal(
    withNamedBuckets(`select (select m.id from media m where m.bucket = a.bucket and m.id = a.media_id)
      from articles a join principals p on p.bucket = a.bucket and p.id = a.author_id
      where a.bucket = $1 and a.id = $2`),
    `select (select m.id from media m where m.bucket = a.bucket and m.bucket = $1 and m.id = a.media_id)
      from articles a join principals p on p.bucket = a.bucket and p.bucket = $1 and p.id = a.author_id
      where a.bucket = $1 and a.id = $2`,
  );
  assert.equal(
    withNamedBuckets(`with old as materialized (select bucket, id from events where bucket = $1 limit $2)
      delete from events using old where events.bucket = old.bucket and events.id = old.id`),
    `with old as materialized (select bucket, id from events where bucket = $1 limit $2)
      delete from events using old where events.bucket = old.bucket and events.bucket = $1 and events.id = old.id`,
  );
  assert.equal(
    withNamedBuckets(`select (select count(*) from deltas where bucket = a.bucket and article_id = a.id)
      from articles a where a.bucket = $1`),
    `select (select count(*) from deltas where bucket = a.bucket and bucket = $1 and article_id = a.id)
      from articles a where a.bucket = $1`,
  );
});

test('a list of keys gives its buckets to what is joined to it', () => {
  const keys = 'unnest(\n $3::smallint[], $4::text[]\n) as named (bucket, id)';
  assert.equal(
    withNamedBuckets(`select a.id from ${keys} join articles a on a.bucket = named.bucket and a.id = named.id
      join principals p on p.bucket = a.bucket`),
    `select a.id from ${keys} join articles a on a.bucket = named.bucket and a.bucket = any($3::smallint[]) and a.id = named.id
      join principals p on p.bucket = a.bucket and p.bucket = any($3::smallint[])`,
  );
});

test('a value goes out of a lateral subquery that calls functions', () => {
  assert.equal(
    withNamedBuckets(`select c.title from articles a cross join lateral (
        select bucket, id from revisions where bucket = $1 and article_id = a.id and id in (a.latest_id, a.shown_id) limit 1
      ) as r left join contents c on c.bucket = r.bucket and c.hash = r.hash where a.bucket = $1`),
    `select c.title from articles a cross join lateral (
        select bucket, id from revisions where bucket = $1 and article_id = a.id and id in (a.latest_id, a.shown_id) limit 1
      ) as r left join contents c on c.bucket = r.bucket and c.bucket = $1 and c.hash = r.hash where a.bucket = $1`,
  );
});

test('nothing is added where the value is not known for certain', () => {
  const unchanged = [
    '-- every bucket: a list of all\nselect 1 from a join b on b.bucket = a.bucket where a.bucket = $1',
    'select 1 from articles a join topics t on t.bucket = a.bucket',
    'select 1 from x a where a.bucket = $1 and exists (select 1 from y a join z on z.bucket = a.bucket)',
  ];
  for (const text of unchanged) assert.equal(withNamedBuckets(text), text);
});

test('a statement keeps its values and what is marked; its second form is used', () => {
  const one = sql`select 1 from a join b on b.bucket = a.bucket where a.bucket = ${7}`;
  const routed = nameBuckets({ ...one, takesLong: true });
  assert.deepEqual([routed.values, routed.takesLong], [[7], true]);
  assert.notEqual(routed.name, one.name);
  assert.equal(
    nameBuckets(orOverServers(one, () => sql`select ${2}::integer`)).text,
    'select $1::integer',
  );
});
