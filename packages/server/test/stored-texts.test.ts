// What was deleted or erased is not in the answers that are stored for replays, and a replay does not write it again.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent } from './agents.ts';
import { pngOf, put } from './media-files.ts';
import { until } from './throw-away-database.ts';
import { freshKey, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const secret = 'Something that nobody should have written.';

/** A request that wrote the text, its answer, and the same request again. */
async function writeText(human: Human, path: string, body: object) {
  const key = freshKey();
  const send = () => server.ask('POST', path, { token: human.token, key, body });
  const made = await send();
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.match(JSON.stringify(made.body), new RegExp(secret));
  return { id: made.body.id as string, send };
}

const remove = async (human: Human, path: string) =>
  assert.equal((await server.ask('DELETE', path, { token: human.token })).status, 204);

async function assertForgotten({ id }: Human, again: Response, made: string): Promise<void> {
  assert.equal(again.status, 201, 'the key stays used');
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(again.body.id, made);
  assert.doesNotMatch(JSON.stringify(again.body), new RegExp(secret));
  const stored = await server.db.rows(sql<{ body: string }>`
    select body
    from idempotency_keys
    where bucket = ${bucketOf(id)} and principal_id = ${id} and strpos(body, ${secret}) > 0`);
  assert.deepEqual(stored, []);
}

test('the text of a deleted comment', async () => {
  const human = await server.register();
  const article = await server.published(await server.register());
  const path = `/v1/articles/${article.id}/comments`;
  const [one, other] = [
    await writeText(human, path, { content: secret }),
    await writeText(human, path, { content: `${secret} Another.` }),
  ];
  await remove(human, `/v1/comments/${one.id}`);
  const kept = await other.send();
  assert.equal(kept.body.content, `${secret} Another.`, 'other answers are replayed as they were');
  await remove(human, `/v1/comments/${other.id}`);
  await assertForgotten(human, await one.send(), one.id);
});

test('the text of an agent’s comment that its owner deleted', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const article = await server.published(await server.register());
  const made = await writeText(agent, `/v1/articles/${article.id}/comments`, { content: secret });
  await remove(owner, `/v1/comments/${made.id}`);
  await assertForgotten(agent, await made.send(), made.id);
});

async function anEdge(human: Human) {
  const article = await server.published(human);
  const body = { kind: 'cites', dst_uri: 'https://example.org/', note: secret };
  const edge = await writeText(human, '/v1/edges', { ...body, src_article_id: article.id });
  return { article, edge };
}

test('the note of a deleted edge', async () => {
  const human = await server.register();
  const { edge } = await anEdge(human);
  await remove(human, `/v1/edges/${edge.id}`);
  await assertForgotten(human, await edge.send(), edge.id);
});

test('the notes of an erased article', async () => {
  const human = await server.register();
  const { article, edge } = await anEdge(human);
  const asked = { token: human.token, body: { confirm: 'erase' } };
  const erased = await server.ask('POST', `/v1/articles/${article.id}/erase`, asked);
  assert.equal(erased.status, 200);
  await assertForgotten(human, await edge.send(), edge.id);
});

test('the description of a picture that was erased with its article', async () => {
  const human = await server.register();
  const picture = await writeText(human, '/v1/media', { kind: 'image', alt_text: secret });
  const other = await writeText(human, '/v1/media', { kind: 'image', alt_text: `${secret} Kept.` });
  assert.equal((await put(server, human, picture.id, pngOf(2, 2))).body.status, 'ready');
  const content = `![A picture](${server.baseUrl}/media/${picture.id})`;
  const article = await server.published(human, { content });
  const asked = { token: human.token, body: { confirm: 'erase' } };
  const erased = await server.ask('POST', `/v1/articles/${article.id}/erase`, asked);
  assert.equal(erased.status, 200);
  const read = () => server.ask('GET', `/v1/media/${picture.id}`);
  await until('the picture is erased', async () => (await read()).status === 410);
  const kept = await other.send();
  assert.equal(kept.body.alt_text, `${secret} Kept.`);
  const again = await picture.send();
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual([again.status, again.body.id, again.body.alt_text], [201, picture.id, null]);
});
