// Plans of the lists that show a revision of each article, on a real PostgreSQL, and pages of revisions for an archive.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import type { Db, Statement } from '#database';
import { keyOf } from '#lib/id';
import { readsPlans } from '#test/citus/one-server';
import { startServer } from '#test/harness';
import { listProofsOf, listRevisionsOf, listShownOf } from './exporting.ts';
import { listListed, listOwn } from './lists.ts';
import { listNewestOf } from './newest.ts';
import { findShownState, listFeedTexts } from './pages.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

/** Returns the statement that a function sends. */
async function statementOf(send: (db: Db) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = [];
  const keep = async (statement: Statement) => {
    sent.push(statement);
    return [];
  };
  const find = async (read: { one: (key: unknown) => Statement }, key: unknown) => {
    sent.push(read.one(key));
  };
  await send({ rows: keep, first: keep, find } as unknown as Db);
  const [statement] = sent;
  assert.ok(statement);
  return statement;
}

async function planOf(statement: Statement): Promise<string> {
  const lines = await server.db.transaction(async (tx) => {
    // Tables of a test are so small that they would be read whole.
    void tx.run(sql`set local enable_seqscan = off`);
    return tx.rows(sql<{ 'QUERY PLAN': string }>`explain ${statement}`);
  });
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

test('each list looks up the revision that it shows by its id', readsPlans, async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const { bucket } = keyOf(human.id);
  const page = { before: undefined, beforeDate: undefined, limit: 20 };
  const own = { bucket, viewerId: human.id, authorId: human.id };
  const room = { version: '1', textMax: 1_000, feedMax: 1_000 };
  const lists: readonly ((db: Db) => Promise<unknown>)[] = [
    (db) => listFeedTexts(db, [id], room),
    (db) => listListed(db, {}, page),
    (db) => listNewestOf(db, [human.id], 20),
    (db) => listOwn(db, { ...own, status: undefined, visibility: undefined }, page),
    (db) => listShownOf(db, { bucket, ids: [id] }),
    (db) => findShownState(db, keyOf(id)),
  ];
  for (const list of lists) {
    const plan = await planOf(await statementOf(list));
    const condition = /article_id = (?:a\.id|'\w+'::text)\) AND \(id = (?:a\.published|COALESCE\()/;
    assert.match(plan, condition, plan);
  }
});

test('pages of the revisions of an article have each of them once, and its proofs those that were published', async () => {
  const human = await server.register();
  const { id, revision_id: first } = await server.published(human);
  const ids = [first];
  for (const title of ['Second', 'Third', 'Fourth']) {
    const body = { title, content: `The ${title} text.`, expected_revision_id: ids.at(-1) };
    const path = `/v1/articles/${id}/revisions`;
    const made = await server.ask('POST', path, { token: human.token, key: true, body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    ids.push(made.body.revision_id);
  }
  const works = { bucket: keyOf(human.id).bucket, ids: [id] };
  const pages: string[][] = [];
  for (const after of ['', ids[1], ids[3]]) {
    const rows = await listRevisionsOf(server.db, works, { after, limit: 2 });
    pages.push(rows.map((row) => row.revision_id));
  }
  assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2), []]);
  const proofs = await listProofsOf(server.db, works, { after: '', limit: 2 });
  assert.deepEqual(
    proofs.map((row) => row.revision_id),
    [first],
  );
});
