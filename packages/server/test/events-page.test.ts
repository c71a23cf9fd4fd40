// What docs/events.md promises has tests, named in docs/testing.md, and its table of types is the contract's.
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eventTypes } from '@colophon/contract';

const root = new URL('../../../', import.meta.url);
const page = await readFile(new URL('docs/events.md', root), 'utf8');
const tested = await readFile(new URL('docs/testing.md', root), 'utf8');

/** The cells of the rows of the table below a heading of a text, without its head. */
function tableOf(text: string, heading: string): readonly (readonly string[])[] {
  const below = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = below.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => line.split('|').slice(1, -1));
}

/** Where a name of the page may lie. */
const folders = ['', 'packages/server/', 'packages/server/src/', 'packages/server/src/areas/'];

async function isThere(name: string): Promise<boolean> {
  const found = await Promise.allSettled(
    folders.map((folder) => access(new URL(`${folder}${name}`, root))),
  );
  return found.some(({ status }) => status === 'fulfilled');
}

test('every promise names a test, and every test that is named is there', async () => {
  const promises = tableOf(tested, 'Promises on events');
  assert.ok(promises.length >= 15, `${promises.length} promises are found`);
  for (const [promise = '', tests = ''] of promises) {
    const names = [...tests.matchAll(/`([^`]+\.ts)`/g)].map(([, name]) => name ?? '');
    assert.ok(names.length > 0, promise);
    assert.ok(page.includes(`\n- ${promise.trim()}.\n`), promise);
    for (const name of names) assert.ok(await isThere(name), `${name} is there`);
  }
});

test('the page makes no promise without a test', () => {
  const promises = page.split('\n## Promises\n')[1]?.split('\n## ')[0] ?? '';
  const listed = promises.split('\n').filter((line) => line.startsWith('- '));
  assert.equal(listed.length, tableOf(tested, 'Promises on events').length);
});

test('every type of the contract is described, and no other', () => {
  const types = tableOf(page, 'What is in an event').map(([cell = '']) =>
    cell.trim().replaceAll('`', ''),
  );
  assert.deepEqual(types.toSorted(), [...eventTypes].toSorted());
});
