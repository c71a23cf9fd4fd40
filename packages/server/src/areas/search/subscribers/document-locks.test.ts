// Two transactions that index one article: the lock on its search row decides which one is the later.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { sessionsAtLocks } from '#test/blocked-by-lock';
import { locksInOrder } from '#test/citus/one-server';
import { countOnWorkers } from '#test/citus/workers';
import { bucket, findDocument, index, publish, revise, withAuthor } from '#test/indexed-articles';
import { until } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import {
  deleteSearchRows,
  findListedArticles,
  lockSearchRows,
  setDocuments,
} from '../queries/documents.ts';

const foundBy = { words: [], title_length: 0, marks: [], published_at: '2026-01-31T09:30:00.000Z' };
let clone: Clone;

before(async () => {
  clone = await withAuthor();
});

after(async () => {
  await clone[Symbol.asyncDispose]();
});

/** Whether a statement on search rows waits for a lock, on any server of the database. */
async function isWaiting(): Promise<boolean> {
  const blocked = sessionsAtLocks('article_search');
  const here = await clone.db.rows(blocked);
  return here.length + (await countOnWorkers(`${clone.connection.database}`, blocked)) > 0;
}

test('an older run that has locked the row makes a newer one wait, and the newer one wins', async () => {
  const id = await publish(clone, { title: 'Old' });
  const holding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const older = clone.db.transaction(async (tx) => {
    await lockSearchRows(tx, [{ bucket, id }], new Date().toISOString());
    const article = (await findListedArticles(tx, [{ bucket, id }])).get(id);
    holding.resolve();
    await release.promise;
    const revision_id = article?.revision_id ?? '';
    const text = { bucket, id, revision_id, configuration: 'simple', length: 10, ...foundBy };
    await setDocuments(tx, [text], new Date().toISOString());
  });
  await holding.promise;
  const revision = await revise(clone, id, { title: 'New' });
  let done = false;
  const newer = index(clone, id).then(() => void (done = true));
  while (!(await isWaiting())) assert.equal(done, false);
  release.resolve();
  await Promise.all([older, newer]);
  assert.equal((await findDocument(clone, id))?.revision_id, revision);
});

test('a row that is deleted by the transaction that has locked it is inserted again by the run that waits', async () => {
  const id = await publish(clone, { title: 'Old' });
  await index(clone, id);
  let newer: Promise<void> | undefined;
  await clone.db.transaction(async (tx) => {
    await lockSearchRows(tx, [{ bucket, id }], new Date().toISOString());
    newer = index(clone, id);
    await until('the run waits', isWaiting);
    await deleteSearchRows(tx, [{ bucket, id }]);
  });
  await newer;
  assert.match((await findDocument(clone, id))?.document ?? '', /old/);
});

test(
  'a lock writes no second version of a document, whose words would be in the index twice',
  locksInOrder,
  async () => {
    const id = await publish(clone, { title: 'Old' });
    await index(clone, id);
    await clone.db.transaction(async (tx) => {
      const place = () =>
        tx.first(sql`
        select ctid::text from article_search where bucket = ${bucket} and article_id = ${id}`);
      const before = await place();
      assert.ok(before);
      const words = await lockSearchRows(tx, [{ bucket, id }], new Date().toISOString());
      assert.deepEqual(words.get(id), ['old']);
      assert.deepEqual(await place(), before);
    });
  },
);
