// Changes as pages show them: side by side, counterparts stand in one row.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTextWork } from '@colophon/text';
import { textOf } from '../html.ts';
import type { Diff } from '../page-services.ts';
import { changesOf } from './changes.ts';
import { openLongTexts } from '../long-texts.ts';
import type { View } from './changes.ts';

const failures: Error[] = [];
const work = openTextWork((error) => failures.push(error));
after(async () => {
  await work[Symbol.asyncDispose]();
  assert.deepEqual(failures, []);
});

async function showChanges(from: string, to: string, view: View): Promise<string> {
  const hunks = await work.diffLines({ from, to, pair: `${from} ${to}` }, undefined);
  assert.ok(Array.isArray(hunks));
  const diff: Diff = {
    article_id: 'a',
    from_revision_id: 'b',
    to_revision_id: 'c',
    title: { from: 'Same', to: 'Same' },
    metadata_changed: false,
    lines_removed: 0,
    lines_added: 0,
    truncated: false,
    hunks,
    trust: 'untrusted',
  };
  const markWords = (given: Diff['hunks']) => work.markWords(given, undefined);
  return textOf(
    await changesOf({ markWords, longText: openLongTexts(() => undefined) }, diff, view),
  );
}

/** The rows of the table, as texts of the two sides. */
async function rows(from: string, to: string): Promise<readonly (readonly string[])[]> {
  const page = await showChanges(from, to, 'sides');
  const cells = (row: string) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
      cell.replaceAll(/<span class="hidden">.*?<\/span>|<[^>]*>/g, '').trim(),
    );
  return [...page.matchAll(/<tr>(<td.*?)<\/tr>/gs)].map(([, row = '']) => cells(row));
}

test('a line that was changed stands beside what it became, also behind inserted ones', async () => {
  const from = 'First.\nIt needs shade and water.\nLast.\n';
  const to = 'First.\nSomething new.\nIt needs shade and clean water.\nLast.\n';
  assert.deepEqual(await rows(from, to), [
    ['First.', 'First.'],
    ['', 'Something new.'],
    ['It needs shade and water.', 'It needs shade and clean water.'],
    ['Last.', 'Last.'],
  ]);
});

test('lines without a counterpart stand beside each other, and the longer side goes on alone', async () => {
  assert.deepEqual(await rows('one\ntwo\nthree\n', 'uno\n'), [
    ['one', 'uno'],
    ['two', ''],
    ['three', ''],
  ]);
});

test('what texts contain is text, in both ways of showing it', async () => {
  for (const view of ['inline', 'sides'] as const) {
    const page = await showChanges('<b>x</b> a b c\n', '<i>x</i> a b c\n', view);
    assert.doesNotMatch(page, /<b>|<i>/);
    assert.match(page, /&#60;<mark>b<\/mark>&#62;/);
  }
});

test('a Hebrew line that begins with a Latin name runs from right to left, and its dates are whole', async () => {
  const [from, to] = ['12.05.2024', '13.06.2024'].map((day) => `Google הודיעה ב-${day} בערב.\n`);
  for (const view of ['inline', 'sides'] as const) {
    const page = await showChanges(from ?? '', to ?? '', view);
    assert.match(page, /<del dir="rtl">Google הודיעה ב-<mark>12\.05\.2024<\/mark> בערב/);
    assert.match(page, /<ins dir="rtl">Google הודיעה ב-<mark>13\.06\.2024<\/mark> בערב/);
  }
});
