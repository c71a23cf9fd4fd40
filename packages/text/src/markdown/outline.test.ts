// Tests of heading levels: below those of the page, without gaps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveHeadings } from './outline.ts';

test('headings begin below the page’s own and skip no level', () => {
  const cases: [string, string][] = [
    ['1', '2'],
    ['1 2 3', '2 3 4'],
    ['3 3 4', '2 2 3'],
    ['2 1 2', '2 2 3'],
    ['1 4 4 2 6 1', '2 3 3 3 4 2'],
    ['1 2 3 4 5 6', '2 3 4 5 6 6'],
  ];
  const tags = (levels: string) =>
    levels
      .split(' ')
      .map((level) => `<h${level} id="md-x">a</h${level}>`)
      .join('\n');
  for (const [given, expected] of cases) assert.equal(moveHeadings(tags(given), 1), tags(expected));
  assert.equal(moveHeadings('<p>&lt;h1&gt; 1&lt;h1</p><hr>', 3), '<p>&lt;h1&gt; 1&lt;h1</p><hr>');
});
