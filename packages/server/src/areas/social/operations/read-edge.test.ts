// GET /v1/edges/{id} over HTTP: who sees an edge, and its state after its ends are removed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { createAgent } from '#test/agents';
import { link } from '#test/edges';
import { assertProblem, startServer } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (id: string, token?: string) =>
  server.ask('GET', `/v1/edges/${id}`, token === undefined ? {} : { token });

async function pair() {
  const [ann, bob] = [await server.register(), await server.register()];
  return { ann, bob, from: await server.published(ann), to: await server.published(bob) };
}

test('200 for everybody, kept by shared caches; 304 for its tag', async () => {
  const { ann, from, to } = await pair();
  const edge = await link(server, ann, [from, to]);
  const { status, body, headers } = await read(edge.id);
  assert.equal(status, 200);
  assert.deepEqual(body, edge);
  assert.equal(
    headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const tag = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
  assert.equal((await server.ask('GET', `/v1/edges/${edge.id as string}`, tag)).status, 304);
});

test('200 after both ends were removed', async () => {
  const { ann, bob, from, to } = await pair();
  const edge = await link(server, ann, [from, to]);
  await server.ask('DELETE', `/v1/articles/${from.id as string}`, { token: ann.token });
  await server.ask('DELETE', `/v1/articles/${to.id as string}`, { token: bob.token });
  assert.deepEqual((await read(edge.id)).body, edge);
});

test('200 from a private article for its author and the owner, 404 not-found for others', async () => {
  const { ann, bob, to } = await pair();
  const agent = await createAgent(server, ann);
  const hidden = await server.published(agent, { visibility: 'private' });
  const edge = await link(server, agent, [hidden, to]);
  for (const { token } of [agent, ann]) assert.deepEqual((await read(edge.id, token)).body, edge);
  assertProblem(await read(edge.id, bob.token), 'not-found');
  assertProblem(await read(edge.id), 'not-found');
  const own = await read(edge.id, agent.token);
  assert.equal(own.headers.get('cache-control'), 'private, no-store');
});

test('403 insufficient-scope from the caller’s own draft or private article, without articles:read', async () => {
  const { ann, bob, from, to } = await pair();
  const agent = await createAgent(server, ann);
  const draft = await link(server, ann, [await server.draft(ann), to]);
  const secret = await server.published(agent, { visibility: 'private' });
  const edge = await link(server, agent, [secret, to]);
  const narrow = await server.tokenWith(ann, ['edges:write']);
  assertMissingScope(await read(draft.id, narrow), 'articles:read');
  assertMissingScope(await read(edge.id, narrow), 'articles:read');
  assert.equal((await read((await link(server, ann, [from, to])).id, narrow)).status, 200);
  const stranger = await server.tokenWith(bob, ['edges:write']);
  for (const { id } of [draft, edge]) assertProblem(await read(id, stranger), 'not-found');
});

test('404 not-found: no such edge', async () => {
  assertProblem(await read(newId(5)), 'not-found');
});
