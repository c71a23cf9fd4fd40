// A word that one title loses while another, not yet committed, gets it: it stays known to the search.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { sql } from '#database';
import type { Statement } from '#database';
import { keyOf } from '#lib/id';
import { indexArticle } from '../src/areas/search/subscribers/documents.ts';
import { bucketOfWord } from '../src/areas/search/rules/spelling.ts';
import { sessionsAtLocks } from './blocked-by-lock.ts';
import { countOnWorkers } from './citus/workers.ts';
import { untilSettled } from './edges.ts';
import { startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

let server: TestServer;
let holder: pg.Client;
let owner: pg.Client;
before(async () => {
  server = await startServer();
  holder = new pg.Client(server.services.connection);
  owner = new pg.Client(server.services.connection);
  await Promise.all([holder.connect(), owner.connect()]);
});
after(async () => {
  await Promise.all([holder.end(), owner.end()]);
  await server[Symbol.asyncDispose]();
});

/** Words in the order in which their rows are locked. */
const [shared, blocking] = ['hedgehogs', 'porcupines'].toSorted(
  (one, other) => bucketOfWord(one) - bucketOfWord(other),
) as [string, string];

async function retitle(human: Human, id: string, revisionId: string, title: string) {
  const { token } = human;
  const body = { title, expected_revision_id: revisionId };
  const revised = await server.ask('POST', `/v1/articles/${id}/revisions`, {
    token,
    key: true,
    body,
  });
  assert.equal(revised.status, 201, JSON.stringify(revised.body));
  const path = `/v1/articles/${id}/publish`;
  assert.equal((await server.ask('POST', path, { token, key: true, body: {} })).status, 200);
}

/** On any server of the database. */
async function countWaiting(): Promise<number> {
  const waiting = sessionsAtLocks();
  const here = await server.db.rows(waiting);
  const { database } = server.services.connection;
  return here.length + (await countOnWorkers(`${database}`, waiting));
}

async function titleOf(id: string): Promise<string> {
  const { rows } = await owner.query<{ title: string }>(
    'select title::text from article_search where article_id = $1',
    [id],
  );
  return rows[0]?.title ?? '';
}

test('two transactions at once, one of which takes the word from the last title that had it', async () => {
  const human = await server.register();
  const loses = await server.published(human, { title: shared });
  const gets = await server.published(human, { title: blocking });
  await untilSettled(server);
  // The second stops at this word, which its title loses, with the shared one already written.
  await holder.query('begin');
  const row = 'select from search_words where bucket = $1 and word = $2 for update';
  await holder.query(row, [bucketOfWord(blocking), blocking]);
  await retitle(human, gets.id, gets.revision_id, shared);
  await until('the second waits', async () => (await countWaiting()) >= 1);
  await retitle(human, loses.id, loses.revision_id, 'Badgers');
  await until(
    'the first waits or is done',
    async () => (await countWaiting()) >= 2 || /badgers/i.test(await titleOf(loses.id)),
  );
  await holder.query('commit');
  await untilSettled(server);
  assert.match(await titleOf(gets.id), new RegExp(shared));
  const { rows } = await owner.query<{ word: string }>(
    'select word from search_words order by word',
  );
  assert.deepEqual(rows.map(({ word }) => word).toSorted(), ['badgers', shared].toSorted());
});

/** The service's database; `before` runs ahead of the statement of a transaction that has these words in it. */
function interruptBefore(
  { services }: TestServer,
  words: string,
  before: () => Promise<void>,
): TestServer['services'] {
  const { db } = services;
  const transaction: typeof db.transaction = (work, options) =>
    db.transaction(async (tx) => {
      const wait = async ({ text }: Statement<unknown>) =>
        text.includes(words) ? before() : undefined;
      const rows: typeof tx.rows = async (statement) => (await wait(statement), tx.rows(statement));
      const run: typeof tx.run = async (statement) => (await wait(statement), tx.run(statement));
      return work({ ...tx, rows, run });
    }, options);
  return { ...services, db: { ...db, transaction } };
}

test('an article that is erased between the reading of its title and of its text leaves no word', async () => {
  await using web = await startServer({ ROLE: 'web' });
  const human = await web.register();
  const { id } = await web.published(human, { title: 'Quetzalcoatlus' });
  const key = keyOf(id);
  let erased = 0;
  const services = interruptBefore(web, 'update article_search', async () => {
    const { status } = await web.ask('POST', `/v1/articles/${id}/erase`, {
      token: human.token,
      body: { confirm: 'erase' },
    });
    assert.equal(status, 200);
    erased += 1;
  });
  await indexArticle(key, services);
  assert.equal(erased, 1);
  await indexArticle(key, web.services);
  const words = await web.db.rows(sql<{ word: string }>`select word from search_words`);
  assert.deepEqual(words, []);
});
