// Tests of the cache of pages: what was not shown for longest is removed first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeptPages } from './kept-pages.ts';

const from = { facts: '', thread: { comments: '', authors: '', authorIds: [], stances: '' } };
const page = (length: number) => ({
  contentType: 'text/html',
  text: 'é'.repeat(length / 2),
  shared: true,
  noindex: false,
});

test('the page that was not shown for longest is removed, and a very large one is not kept', async () => {
  const pages = openKeptPages(800);
  for (const key of 'abcdefgh') await pages.keep(key, from, page(100));
  assert.equal(pages.get('a')?.shown.encoded?.bytes.length, 100);
  await pages.keep('i', from, page(100));
  assert.equal(pages.get('b'), undefined);
  assert.ok(pages.get('a'));
  const shown = await pages.keep('j', from, page(102));
  assert.equal(shown.encoded?.bytes.toString(), page(102).text);
  assert.equal(pages.get('j'), undefined);
  await pages.keep('a', from, page(20));
  assert.equal(pages.get('a')?.shown.encoded?.bytes.length, 20);
  await pages.keep('k', from, page(80));
  assert.ok(pages.get('c'), 'a page that replaces another counts once');
});
