// Statistics for search plans: derived from PostgreSQL's, without words of only a few articles.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bucketOf, newId } from '#lib/id';
import { migratedClone } from '#test/migrated-clone';
import { quiet } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { listHorizons, listShares } from '../queries/query-words.ts';
import { searchStatistics } from './search-statistics.ts';

let clone: Clone;
before(async () => {
  clone = await migratedClone();
});
after(async () => {
  await clone[Symbol.asyncDispose]();
});

function learn(): Promise<void> {
  return searchStatistics.run({ db: clone.db, log: quiet, now: () => new Date() });
}

test('without statistics nothing is known', async () => {
  await learn();
  assert.deepEqual(await listShares(clone.db), []);
  assert.deepEqual(await listHorizons(clone.db), []);
});

test('common words have their share, rare ones the least that is known, and times how many are newer', async () => {
  const ids = Array.from({ length: 1_000 }, (_, n) => newId(n));
  await clone.ask(
    `insert into article_search (
      bucket, article_id, revision_id, document, indexed_at, title, marks, published_at
    )
    select g.bucket, g.id, '', to_tsvector('simple', 'everywhere half' || n % 2 || ' only' || n), now(),
      to_tsvector('simple', 'titled'), array['language:de'],
      timestamptz '2026-01-01 00:00:00Z' + n * interval '1 hour'
    from unnest($1::smallint[], $2::text[]) with ordinality as g (bucket, id, n)`,
    [ids.map(bucketOf), ids],
  );
  await clone.ask('analyze article_search');
  await learn();
  await learn();
  const shares = await listShares(clone.db);
  const shareOf = (place: string, word: string) =>
    shares.find((one) => one.place === place && one.word === word)?.share;
  assert.equal(shareOf('document', 'everywhere'), 1);
  assert.ok(Math.abs((shareOf('document', 'half1') ?? 0) - 0.5) < 0.1);
  assert.equal(shareOf('document', 'only7'), undefined);
  assert.ok((shareOf('document', '') ?? 1) < 0.6);
  assert.equal(shareOf('marks', 'language:de'), 1);
  const horizons = await listHorizons(clone.db);
  assert.equal(horizons[0]?.newer, 0);
  assert.equal(horizons.at(-1)?.newer, 1_000);
  assert.equal(horizons[0]?.at, '2026-02-11T16:00:00.000Z');
  assert.equal(horizons.at(-1)?.at, '2026-01-01T01:00:00.000Z');
  const places = horizons.map(({ newer }) => newer);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});
