// Plans of the read of one article, alone and with others, on a real PostgreSQL.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { keyOf } from '#lib/id';
import { startServer } from '#test/harness';
import { shownArticle } from './shown.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

test('the revision is looked up by its id, whatever the statistics say about revisions of an article', async () => {
  const { id } = await server.published(await server.register());
  const key = keyOf(id);
  for (const statement of [shownArticle.one(key), shownArticle.many([key, key])]) {
    const lines = await server.db.transaction(async (tx) => {
      // Tables of a test are so small that they would be read whole.
      void tx.run(sql`set local enable_seqscan = off`);
      return tx.rows(sql<{ 'QUERY PLAN': string }>`explain ${statement}`);
    });
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(plan, /Index Cond: .*\bid = CASE/, plan);
  }
});
