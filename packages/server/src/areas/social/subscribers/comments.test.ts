// Comments of a closed account: erased page by page, or left unchanged.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import type { Database } from '#database';
import { bucketOf, newId } from '#lib/id';
import type { PrincipalClosed } from '#outbox';
import { storeAgent } from '#test/accounts';
import { ask, comment, countOf, moderate, reply } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { assertGone } from '#test/problem-checks';
import { eraseComments, forgetComments } from './comments.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
const servicesOn = (db: Database) => ({ db, log, now: () => new Date() });

async function articles(count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n += 1)
    ids.push((await server.published(await server.register())).id as string);
  return ids;
}

/** Inserts comments without the rules, because creating them one by one would take long. */
async function store(authorId: string, articleId: string, count: number): Promise<void> {
  const bucket = bucketOf(articleId);
  const ids = Array.from({ length: count }, () => newId(bucket));
  await server.db.transaction(async (tx) => {
    void tx.run(sql`
      insert into comments (bucket, id, article_id, depth, author_id, content, created_at)
      select ${bucket}, id, ${articleId}, 0, ${authorId}, 'Stored.', now()
      from unnest(${ids}::text[]) as id`);
    void tx.run(sql`
      insert into comments_by_author (bucket, author_id, comment_id)
      select ${bucketOf(authorId)}, ${authorId}, id
      from unnest(${ids}::text[]) as id`);
    void tx.run(sql`
      update articles
      set comments_count = comments_count + ${count}
      where bucket = ${bucket} and id = ${articleId}`);
  });
}

async function readable(authorId: string): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from comments
    where author_id = ${authorId} and (content is not null or status <> 'deleted')`);
  return row?.count ?? -1;
}

function closedMessage(
  principal_id: string,
  treatment: PrincipalClosed['payload']['treatment'],
): Parameters<typeof forgetComments.run>[0] {
  const bucket = bucketOf(principal_id);
  const payload = { principal_id, treatment };
  const told = { bucket, id: newId(bucket), created_at: new Date().toISOString() };
  return { ...told, type: 'principal.closed', payload };
}

test('erase: the text of the account and of its agents goes, the places and the others stay', async () => {
  const human = await server.register();
  const other = await server.register();
  const agent = await storeAgent(server, human);
  const [id = ''] = await articles(1);
  const own = await comment(server, human, id);
  const theirs = await reply(server, other, own.id);
  const agents = await reply(server, agent, theirs.id);
  const hidden = await comment(server, human, id);
  await moderate(server, hidden.id, { status: 'hidden' });
  await forgetComments.run(closedMessage(human.id, 'erase'), servicesOn(server.db));
  const { items } = (await server.ask('GET', `/v1/articles/${id}/comments`)).body;
  assert.deepEqual(
    (items as readonly (typeof own)[]).map((one) => [one.id, one.status, one.content]),
    [
      [own.id, 'deleted', null],
      [theirs.id, 'visible', 'A *reply*.'],
      [agents.id, 'deleted', null],
      [hidden.id, 'deleted', null],
    ],
  );
  assertGone(await server.ask('GET', `/v1/comments/${own.id as string}`));
  // The hidden comment was counted when it was created: taking it out of the count is part of hiding.
  assert.equal(await countOf(server, id), 2);
  assert.deepEqual([await readable(human.id), await readable(agent.id)], [0, 0]);
});

test('pseudonymise and unpublish: nothing changes but the name, which is the account’s', async () => {
  for (const treatment of ['pseudonymise', 'unpublish'] as const) {
    const human = await server.register();
    const [id = ''] = await articles(1);
    const made = await comment(server, human, id);
    await forgetComments.run(closedMessage(human.id, treatment), servicesOn(server.db));
    await server.db.transaction((tx) =>
      tx.run(sql`
        update principals
        set username = 'closed-abcdefgh', status = 'closed'
        where bucket = ${bucketOf(human.id)} and id = ${human.id}`),
    );
    const { body } = await server.ask('GET', `/v1/comments/${made.id as string}`);
    assert.equal(body.content, made.content);
    assert.equal(body.author.username, 'closed-abcdefgh');
  }
});

test('erase that breaks off is taken up again, and the counts come out right', async () => {
  const human = await server.register();
  const ids = await articles(3);
  for (const id of ids) await store(human.id, id, 300);
  let left = 5;
  const breaking: Database = {
    ...server.db,
    transaction: async (work, input) => {
      left -= 1;
      if (left < 0) throw new Error('the process ends here');
      return server.db.transaction(work, input);
    },
  };
  await assert.rejects(eraseComments(human.id, servicesOn(breaking)), /ends here/);
  const between = await readable(human.id);
  assert.ok(between > 0 && between < 900, `${between} are left`);
  await eraseComments(human.id, servicesOn(server.db));
  assert.equal(await readable(human.id), 0);
  for (const id of ids) assert.equal(await countOf(server, id), 0);
  await eraseComments(human.id, servicesOn(server.db));
  for (const id of ids) assert.equal(await countOf(server, id), 0);
});

test('erase by several at once takes each comment off the count once', async () => {
  const human = await server.register();
  const ids = await articles(2);
  for (const id of ids) await store(human.id, id, 250);
  const kept = await comment(server, await server.register(), ids[0] ?? '');
  await Promise.all(
    Array.from({ length: 4 }, () => eraseComments(human.id, servicesOn(server.db))),
  );
  assert.equal(await readable(human.id), 0);
  assert.deepEqual(
    [await countOf(server, ids[0] ?? ''), await countOf(server, ids[1] ?? '')],
    [1, 0],
  );
  assert.equal((await server.ask('GET', `/v1/comments/${kept.id as string}`)).status, 200);
});

test('a comment that meets the closing of its account is there before, or refused', async () => {
  const human = await server.register();
  const [id = ''] = await articles(1);
  const closing = sql`
    update principals
    set status = 'closed'
    where bucket = ${bucketOf(human.id)} and id = ${human.id}`;
  const [refused] = await blockedByLock(server, closing, [() => ask(server, human, id)]);
  assertProblem(refused ?? assert.fail(), 'unauthenticated');
  assert.equal(await readable(human.id), 0);
  assert.equal(await countOf(server, id), 0);
});

test('403 forbidden: an agent’s comment that meets its suspension, as by the closing of its owner', async () => {
  const agent = await storeAgent(server, await server.register());
  const [id = ''] = await articles(1);
  const suspending = sql`
    update principals
    set status = 'suspended'
    where bucket = ${bucketOf(agent.id)} and id = ${agent.id}`;
  const [refused] = await blockedByLock(server, suspending, [() => ask(server, agent, id)]);
  assertProblem(refused ?? assert.fail(), 'forbidden');
  assert.equal(await readable(agent.id), 0);
});
