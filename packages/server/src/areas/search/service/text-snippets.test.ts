// Forms of words are queried once, and long words are not cached.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Db } from '#database';
import { migratedClone } from '#test/migrated-clone';
import type { Clone } from '#test/throw-away-database';
import { formsOf } from './text-snippets.ts';

let clone: Clone;
before(async () => {
  clone = await migratedClone();
});
after(async () => {
  await clone[Symbol.asyncDispose]();
});

/** The same database, with a count of its statements. */
function countStatements() {
  let asked = 0;
  const rows: Db['rows'] = (statement) => {
    asked += 1;
    return clone.db.rows(statement);
  };
  return { db: { ...clone.db, rows }, asked: () => asked };
}

test('a word is asked for once in each configuration, a word without forms too', async () => {
  const { db, asked } = countStatements();
  const running = { configuration: 'english', word: 'running' };
  const words = [running, { ...running, configuration: 'simple' }, { ...running, word: 'the' }];
  const forms = await formsOf(db, words);
  assert.deepEqual(forms.get('english running'), ['run']);
  assert.deepEqual(forms.get('simple running'), ['running']);
  assert.deepEqual(forms.get('english the'), []);
  assert.deepEqual(await formsOf(db, words), forms);
  assert.equal(asked(), 1);
  await formsOf(db, [...words, { ...running, word: 'walking' }]);
  assert.equal(asked(), 2);
});

test('a long word has its forms, and is asked for each time', async () => {
  const { db, asked } = countStatements();
  const long = { configuration: 'simple', word: 'x'.repeat(500) };
  const forms = await formsOf(db, [long]);
  assert.deepEqual(forms.get(`simple ${long.word}`), [long.word]);
  assert.deepEqual(await formsOf(db, [long]), forms);
  assert.equal(asked(), 2);
});
