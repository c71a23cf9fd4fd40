// DELETE /v1/edges/{id} over HTTP: an edge is deleted at both of its ends.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { createAgent } from '#test/agents';
import { ask, countsOf, edgeIds, eventsOf, link, untilSettled } from '#test/edges';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const remove = (human: Human, id: string) =>
  server.ask('DELETE', `/v1/edges/${id}`, { token: human.token });

async function pair() {
  const [ann, bob] = [await server.register(), await server.register()];
  return { ann, bob, from: await server.published(ann), to: await server.published(bob) };
}

test('204 and the edge is gone: by itself, from both lists, the graph and the counts', async () => {
  const { ann, from, to } = await pair();
  const edge = await link(server, ann, [from, to]);
  const deleted = await remove(ann, edge.id);
  assert.equal(deleted.status, 204);
  assert.equal(deleted.body, '');
  assertProblem(await server.ask('GET', `/v1/edges/${edge.id as string}`), 'not-found');
  const from_ = `/v1/articles/${from.id as string}`;
  assert.deepEqual(edgeIds(await server.ask('GET', `${from_}/edges`)), []);
  const into = `/v1/articles/${to.id as string}/edges?direction=in`;
  assert.deepEqual(edgeIds(await server.ask('GET', into)), []);
  assert.deepEqual((await server.ask('GET', `${from_}/graph`)).body.edges, []);
  assert.deepEqual(await countsOf(server, from.id), { edges_in: 0, edges_out: 0 });
  assert.deepEqual(await countsOf(server, to.id), { edges_in: 0, edges_out: 0 });
});

test('204 for an edge to an address', async () => {
  const { ann, from } = await pair();
  const address = 'https://example.org/deleted';
  const { body } = await ask(server, ann, { src_article_id: from.id, dst_uri: address });
  const list = () => server.ask('GET', `/v1/edges?dst_uri=${encodeURIComponent(address)}`);
  assert.deepEqual(edgeIds(await list()), [body.id]);
  assert.equal((await remove(ann, body.id)).status, 204);
  assert.deepEqual(edgeIds(await list()), []);
  assert.deepEqual(await countsOf(server, from.id), { edges_in: 0, edges_out: 0 });
});

test('204 for an edge from a draft: nothing is announced when the draft is published', async () => {
  const { ann, bob, to } = await pair();
  const draft = await server.draft(ann);
  const edge = await link(server, ann, [draft, to]);
  assert.equal((await remove(ann, edge.id)).status, 204);
  await server.ask('POST', `/v1/articles/${draft.id as string}/publish`, {
    token: ann.token,
    key: true,
    body: {},
  });
  await untilSettled(server);
  assert.deepEqual(await eventsOf(server, bob.id), []);
  assert.deepEqual(await countsOf(server, to.id), { edges_in: 0, edges_out: 0 });
});

test('204 after the source was removed; and the same edge can be asserted again', async () => {
  const { ann, from, to } = await pair();
  const first = await link(server, ann, [from, to]);
  assert.equal((await remove(ann, first.id)).status, 204);
  const second = await link(server, ann, [from, to]);
  assert.notEqual(second.id, first.id);
  await server.ask('DELETE', `/v1/articles/${from.id as string}`, { token: ann.token });
  assert.equal((await remove(ann, second.id)).status, 204);
});

test('204 once and 404 else for one edge deleted many times at once', async () => {
  const { ann, from, to } = await pair();
  const edge = await link(server, ann, [from, to]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => remove(ann, edge.id)));
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), [
    '204',
    ...Array.from({ length: 5 }, () => '404'),
  ]);
  assert.deepEqual(await countsOf(server, from.id), { edges_in: 0, edges_out: 0 });
  assert.deepEqual(await countsOf(server, to.id), { edges_in: 0, edges_out: 0 });
});

test('403 forbidden: the target’s author, a stranger, and the owner of the agent that asserted it', async () => {
  const { ann, bob, to } = await pair();
  const agent = await createAgent(server, ann);
  const edge = await link(server, agent, [await server.published(agent), to]);
  for (const one of [bob, ann, await server.register()])
    assertProblem(await remove(one, edge.id), 'forbidden');
  assert.equal((await remove(agent, edge.id)).status, 204);
});

test('404 not-found: no such edge, and one from what the caller may not see', async () => {
  const { ann, bob, to } = await pair();
  const hidden = await server.published(ann, { visibility: 'private' });
  const edge = await link(server, ann, [hidden, to]);
  assertProblem(await remove(bob, edge.id), 'not-found');
  assertProblem(await remove(bob, newId(5)), 'not-found');
  assert.equal((await remove(ann, edge.id)).status, 204);
});
