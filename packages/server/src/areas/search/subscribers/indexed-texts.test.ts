// PostgreSQL and JavaScript produce the same indexed form of texts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { anyCodePoint } from '#test/any-text';
import { sql } from '#database';
import { asIndexed } from '../rules/text-forms.ts';
import { migratedClone } from '#test/migrated-clone';
import type { Clone } from '#test/throw-away-database';
import { textForIndex } from '../queries/document-text.ts';

let clone: Clone;

before(async () => {
  clone = await migratedClone();
});

after(async () => {
  await clone[Symbol.asyncDispose]();
});

/** Texts of one statement: all at once exceed the time of a statement on a busy machine. */
const atOnce = 20_000;

/** Returns the indexed form of texts in PostgreSQL, with one space between words. */
async function readByPostgres(texts: readonly string[]): Promise<readonly string[]> {
  const read: string[] = [];
  for (let at = 0; at < texts.length; at += atOnce) {
    const rows = await clone.db.rows(sql<{ words: string }>`
      select regexp_replace(${textForIndex(sql`given.text`)}, '\\s+', ' ', 'g') as words
      from unnest(${texts.slice(at, at + atOnce)}::text[]) with ordinality as given (text, place)
      order by place`);
    for (const { words } of rows) read.push(words);
  }
  return read;
}

/**
 * Returns the texts of characters that this PostgreSQL knows: of a mark that is newer than its tables of Unicode, it
 * does not know the place among other marks. Before version 17 it cannot be asked.
 */
async function keepAssigned(texts: readonly string[]): Promise<readonly string[]> {
  const [{ known } = { known: null }] = await clone.ask<{ known: string | null }>(
    "select to_regproc('pg_catalog.unicode_assigned')::text as known",
  );
  if (known === null) return texts;
  const rows = await clone.ask<{ text: string }>(
    'select text from unnest($1::text[]) as given (text) where unicode_assigned(text)',
    [texts],
  );
  return rows.map(({ text }) => text);
}

const readHere = (text: string) => asIndexed(text).replaceAll(/\s+/g, ' ');

test('PostgreSQL reads every character as it is read here', async () => {
  const points = Array.from({ length: 0x10_ff_ff }, (_, place) => String.fromCodePoint(place + 1));
  const texts = points.filter((one) => !/[\p{Cn}\p{Cs}]/u.test(one)).map((one) => `a${one}b`);
  const read = await readByPostgres(texts);
  const other = texts.filter((text, place) => read[place] !== readHere(text));
  assert.deepEqual(other.slice(0, 10), []);
});

test('PostgreSQL cuts runs of combining marks as they are cut here, in no time', async () => {
  const marks = ['\u0301\u0316', '\u0316\u0301', '\u0301', '\u{1d165}\u0301', '\u0e48'];
  const texts = marks.flatMap((run) =>
    [14, 15, 16, 30, 31, 32, 90_000].map((count) => `a${run.repeat(count)}b ${run.repeat(40)}`),
  );
  assert.deepEqual(await readByPostgres(texts), texts.map(readHere));
});

test('PostgreSQL reads any text as it is read here', async () => {
  const unit = fc.oneof(
    fc.constantFrom(..."a1.-_'’é北 \u2011\u00ad\u0301"),
    anyCodePoint.filter((one) => !/[\0\p{Cn}]/u.test(one)),
  );
  const texts = await keepAssigned(fc.sample(fc.string({ unit, maxLength: 20 }), 2000));
  assert.ok(texts.length > 1000);
  const read = await readByPostgres(texts);
  for (const [place, text] of texts.entries())
    assert.equal(read[place], readHere(text), JSON.stringify(text));
});
