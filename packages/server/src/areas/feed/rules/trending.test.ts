// The score of an article, from its components.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstIdAt, newId } from '#lib/id';
import { distinctSupport, followSpan, hoursOfDoubling, pointsOf, scoreOf } from './trending.ts';
import type { Support } from '../queries/index.ts';

const day = 86_400_000;
const noon = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number) => new Date(ms).toISOString();
const hoursLater = (hours: number) => at(noon + hours * 3_600_000);

test('the example in docs/discovery.md', () => {
  const score = (points: number, publishedAt: string) => scoreOf(points, publishedAt).toFixed(2);
  assert.equal(score(0, '2026-03-02T12:00:00.000Z'), '121.00');
  assert.equal(score(3, '2026-03-01T12:00:00.000Z'), '121.00');
  assert.equal(score(15, '2026-02-28T18:00:00.000Z'), '121.50');
});

test('one article with one point more than twice as many points is worth 12 hours', () => {
  for (const points of [0, 1, 3, 10, 1000])
    assert.ok(
      Math.abs(scoreOf(2 * points + 1, at(noon)) - scoreOf(points, hoursLater(hoursOfDoubling))) <
        1e-9,
    );
});

test('a day is made up for by 3 points, four days by 255', () => {
  assert.ok(scoreOf(3, at(noon)) >= scoreOf(0, hoursLater(24)));
  assert.ok(scoreOf(2, at(noon)) < scoreOf(0, hoursLater(24)));
  assert.ok(scoreOf(255, at(noon)) >= scoreOf(0, hoursLater(96)));
  assert.ok(scoreOf(254, at(noon)) < scoreOf(0, hoursLater(96)));
});

test('more points and a later date score higher, always, and every score is a number', () => {
  const points = fc.integer({ min: 0, max: 10_000_000 });
  const times = fc.integer({
    min: Date.parse('0001-01-01T00:00:00.000Z'),
    max: Date.parse('9999-01-01T00:00:00.000Z'),
  });
  fc.assert(
    fc.property(points, points, times, times, (more, fewer, later, earlier) => {
      assert.ok(Number.isFinite(scoreOf(more, at(later))));
      if (more > fewer) assert.ok(scoreOf(more, at(later)) > scoreOf(fewer, at(later)));
      if (later > earlier) assert.ok(scoreOf(more, at(later)) > scoreOf(more, at(earlier)));
    }),
  );
});

test('the owner of the author gives nothing, others one of each kind', () => {
  const one = (kind: Support['kind'], owner_id: string): Support => ({ kind, owner_id });
  const support = distinctSupport(
    [
      one('comment', 'ann'),
      one('comment', 'ann'),
      one('link', 'ann'),
      one('comment', 'author'),
      one('follow', 'author'),
      one('follow', 'ben'),
    ],
    'author',
  );
  assert.deepEqual(support, [one('comment', 'ann'), one('link', 'ann'), one('follow', 'ben')]);
  assert.equal(pointsOf(support), 4);
  assert.equal(pointsOf([]), 0);
});

test('follows count for seven days; their ids are between the earliest and the latest', () => {
  const { from, to, earliestId, latestId } = followSpan(at(noon));
  assert.deepEqual([from, to], [at(noon), at(noon + 7 * day)]);
  assert.ok(newId(0, noon) >= earliestId);
  assert.ok(firstIdAt(noon + 7 * day + 1) < latestId);
  assert.equal(followSpan('0001-01-01T00:00:00.000Z').earliestId, '0'.repeat(26));
});
