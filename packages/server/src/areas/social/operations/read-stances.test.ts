// GET /v1/articles/{id}/stances: counts by stance, by persons, of what is visible.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stances } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { comment, moderate, setArticleStatus } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import { assertGone } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (id: string, token?: string) =>
  server.ask('GET', `/v1/articles/${id}/stances`, token === undefined ? {} : { token });

interface Item {
  readonly stance: string;
  readonly comments: number;
  readonly owners: number;
}

/** Returns the stances that somebody takes: comments and owners. */
async function stancesOf(id: string): Promise<Readonly<Record<string, readonly [number, number]>>> {
  const { status, body } = await read(id);
  assert.equal(status, 200, JSON.stringify(body));
  const items = (body.items as readonly Item[]).filter(({ comments }) => comments > 0);
  return Object.fromEntries(items.map((one) => [one.stance, [one.comments, one.owners]]));
}

async function scenario() {
  const [author, reader] = [await server.register(), await server.register()];
  return { author, reader, id: (await server.published(author)).id as string };
}

test('200 with every stance, and nobody who takes one', async () => {
  const { reader, id } = await scenario();
  await comment(server, reader, id);
  const items = stances.map((stance) => ({ stance, comments: 0, owners: 0 }));
  assert.deepEqual((await read(id)).body, { owners: 0, items, truncated: false });
});

test('200 by persons: several comments of one, and its agents, are one voice', async () => {
  const { author, reader, id } = await scenario();
  const [first, second] = [await storeAgent(server, reader), await storeAgent(server, reader)];
  for (const one of [reader, reader, first, second, author])
    await comment(server, one, id, { stance: 'disagrees' });
  await comment(server, first, id, { stance: 'asks' });
  assert.deepEqual(await stancesOf(id), { disagrees: [5, 2], asks: [1, 1] });
  assert.equal((await read(id)).body.owners, 2);
});

test('200 without what is deleted, hidden or removed, and with what is restored', async () => {
  const { author, reader, id } = await scenario();
  const made = [];
  for (const who of [reader, reader, author])
    made.push((await comment(server, who, id, { stance: 'supports' })).id as string);
  const [deleted = '', hidden = '', removed = ''] = made;
  await server.ask('DELETE', `/v1/comments/${deleted}`, { token: reader.token });
  await moderate(server, hidden, { status: 'hidden' });
  await moderate(server, removed, { status: 'removed' });
  assert.deepEqual(await stancesOf(id), {});
  await moderate(server, hidden, { status: 'visible' });
  assert.deepEqual(await stancesOf(id), { supports: [1, 1] });
});

test('200 with the newest thousand of a stance, and that there are more', async () => {
  const { author, reader, id } = await scenario();
  const bucket = bucketOf(id);
  await comment(server, author, id, { stance: 'clarifies' });
  const ids = Array.from({ length: 1_000 }, () => newId(bucket));
  const store = (list: readonly string[]) =>
    server.db.transaction((tx) =>
      tx.run(sql`
      insert into comments (bucket, id, article_id, depth, stance, author_id, content, created_at)
      select ${bucket}, one, ${id}, 0, 'clarifies', ${reader.id}, 'Text', ${new Date()}
      from unnest(${list}::text[]) as one`),
    );
  await store(ids.slice(1));
  assert.deepEqual(await stancesOf(id), { clarifies: [1_000, 2] });
  assert.equal((await read(id)).body.truncated, false);
  await store(ids.slice(0, 1));
  const { body } = await read(id);
  assert.equal(body.truncated, true);
  assert.deepEqual((await stancesOf(id))['clarifies']?.[0], 1_000);
});

test('404 an article that does not exist, is a draft or is hidden; 410 one that was removed', async () => {
  assertProblem(await read(newId(1)), 'not-found');
  const { author, id } = await scenario();
  const draft = await server.draft(author);
  assertProblem(await read(draft.id), 'not-found');
  await setArticleStatus(server, id, 'hidden');
  assertProblem(await read(id), 'not-found');
  await setArticleStatus(server, id, 'published');
  await server.ask('DELETE', `/v1/articles/${id}`, { token: author.token });
  assertGone(await read(id));
});
