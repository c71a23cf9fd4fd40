// How far back in time a search scans, depending on how common its words are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Horizon } from '../queries/query-words.ts';
import { marksOf } from '../rules/index-tags.ts';
import type { Required } from '../rules/search-request.ts';
import { spansToSearch, stepAfter } from './plan-search.ts';

const day = 86_400_000;
const now = new Date('2026-06-15T12:00:00.000Z');
const before = (days: number) => new Date(now.getTime() - days * day);

/** A million articles, with equal numbers on each of 1,000 days. */
const horizons: readonly Horizon[] = Array.from({ length: 101 }, (_, place) => ({
  newer: place * 10_000,
  at: before(place * 10).toISOString(),
}));
const shares = new Map([
  ['', 0.01],
  ['everywhere', 1],
  ['common', 0.5],
  ['frequent', 0.1],
  ['known', 0.01],
  ['rare', 0.00001],
]);

function spans(
  readings: readonly Required[],
  more: { since?: string; until?: string; step?: number } = {},
) {
  const time = { since: more.since, until: more.until, now, step: more.step ?? 0 };
  return spansToSearch(readings, shares, horizons, time);
}

const readingOf = (...words: string[]): Required => words.map((word) => [word]);

/** Returns how many days back the spans reach at least, given one article per day. */
function daysCovered(marks: readonly string[] | undefined): number {
  if (marks === undefined) return Infinity;
  const isCovered = (days: number) => {
    const article = {
      author_id: '',
      author_kind: '',
      language: '',
      disclosure: '',
      signed: false,
      published_at: before(days).toISOString(),
    };
    return marksOf(article, []).some((mark) => marks.includes(mark));
  };
  let days = 0;
  while (days < 1_000 && isCovered(days)) days += 1;
  return days;
}

test('rare words, and few articles, are looked for everywhere', () => {
  assert.equal(spans([readingOf('rare')]), undefined);
  assert.equal(spans([readingOf('rare', 'everywhere')]), undefined);
  assert.equal(spans([readingOf('rare', 'unknown')]), undefined);
  const time = { since: undefined, until: undefined, now, step: 0 };
  assert.equal(spansToSearch([readingOf('everywhere')], shares, [], time), undefined);
  const few = [{ newer: 150, at: before(100).toISOString() }];
  assert.equal(spansToSearch([readingOf('everywhere')], shares, few, time), undefined);
});

test('the more common the words, the less far back; together they go farther than alone', () => {
  const reach = (...words: string[]) => daysCovered(spans([readingOf(...words)]));
  assert.ok(reach('everywhere') >= 1);
  assert.ok(reach('everywhere') < 60);
  assert.ok(reach('common', 'frequent') >= reach('frequent'));
  assert.ok(reach('frequent', 'frequent') > reach('common', 'common'));
});

test('a word that is not known is half as common as the rarest that is, until it shows', () => {
  const unknown = daysCovered(spans([readingOf('unknown')]));
  assert.ok(unknown < 1_000);
  assert.ok(unknown > daysCovered(spans([readingOf('known')])));
  assert.equal(spans([readingOf('unknown')], { step: 6 }), undefined);
});

test('each step goes farther back, at last everywhere', () => {
  const reach = [0, 4, 8, 13].map((step) => daysCovered(spans([readingOf('common')], { step })));
  assert.ok((reach[0] ?? 0) < (reach[1] ?? 0));
  assert.ok((reach[1] ?? 0) < (reach[2] ?? 0));
  assert.equal(reach[3], Infinity);
});

test('between two times that are known it goes as far as is needed, not to the next one', () => {
  const day = spans([readingOf('everywhere')]) ?? [];
  assert.ok(day.every((mark) => mark.startsWith('day:')));
  assert.ok(day.length <= 3, String(day));
});

test('the next step is as far as what was found says is needed', () => {
  assert.equal(stepAfter(0, 99, 100), 1);
  assert.equal(stepAfter(0, 75, 100), 1);
  assert.equal(stepAfter(0, 40, 100), 2);
  assert.equal(stepAfter(3, 10, 100), 7);
  assert.equal(stepAfter(3, 1, 100), 11);
  assert.equal(stepAfter(3, 0, 100), 11);
});

test('of lists of alternatives the shares are added', () => {
  assert.equal(spans([[['rare', 'rare']]]), undefined);
  assert.notEqual(spans([[['rare', 'frequent']]]), undefined);
});

test('a search until a time goes back from there, and a search since a time no farther', () => {
  const until = before(500).toISOString();
  const marks = spans([readingOf('everywhere')], { until }) ?? [];
  const isOfDay = (days: number) => {
    const at = before(days).toISOString();
    const article = { author_id: '', author_kind: '', language: '', disclosure: '', signed: false };
    return marksOf({ ...article, published_at: at }, []).some((mark) => marks.includes(mark));
  };
  assert.equal(isOfDay(500), true);
  assert.equal(isOfDay(100), false);
  const since = before(1).toISOString();
  assert.ok(daysCovered(spans([readingOf('everywhere')], { since })) <= 8);
});
