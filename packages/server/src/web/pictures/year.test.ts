// The picture of a year: every week has its place, and the heights follow the counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../html.ts';
import type { Html } from '../html.ts';
import type { Reception } from '../page-services.ts';
import { weeksOfYear, yearPicture } from './year.ts';

const nothing: Reception = {
  since: '2025-11-24',
  articles: [],
  comments: [],
  citations: [],
  cited: 0,
  isMore: false,
  newest: [],
};

test('weeks in which nothing was done are there, and others outside of the year are not', () => {
  const weeks = weeksOfYear({
    ...nothing,
    articles: [{ week: '2026-11-23', count: 2 }],
    citations: [
      { week: '2019-01-07', count: 9 },
      { week: '2025-11-24', count: 1 },
    ],
  });
  assert.equal(weeks.length, 53);
  assert.deepEqual(weeks[0], { week: '2025-11-24', articles: 0, comments: 0, citations: 1 });
  assert.deepEqual(weeks[52], { week: '2026-11-23', articles: 2, comments: 0, citations: 0 });
});

test('the highest week fills its room, a small one is still seen, and the table has both', () => {
  const picture = yearPicture({
    ...nothing,
    articles: [{ week: '2026-03-02', count: 1 }],
    comments: [{ week: '2026-03-09', count: 400 }],
  }) as Html;
  const heights = [...textOf(picture).matchAll(/<rect class="(\w+)"[^>]* height="(\d+)"/g)];
  assert.deepEqual(
    heights.map(([, name, height]) => [name, height]),
    [
      ['articles', '3'],
      ['comments', '64'],
    ],
  );
  assert.match(textOf(picture), /<th scope="row">9 March 2026<\/th><td>0<\/td><td>400<\/td>/);
  assert.equal(yearPicture(nothing), null);
});
