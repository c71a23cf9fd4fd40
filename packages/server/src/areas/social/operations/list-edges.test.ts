// GET /v1/edges over HTTP: the edges to an address, and the newest edges of all.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ask, edgeIds, link } from '#test/edges';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (query = '', token?: string) =>
  server.ask('GET', `/v1/edges${query}`, token === undefined ? {} : { token });
const queryFor = (address: string) => `?dst_uri=${encodeURIComponent(address)}`;

async function cite(human: Human, articleId: string, address: string): Promise<string> {
  const made = await ask(server, human, { src_article_id: articleId, dst_uri: address });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id as string;
}

test('200 with everybody who links to an address, in whatever spelling, newest first', async () => {
  const [ann, bob] = [await server.register(), await server.register()];
  const [one, two] = [await server.published(ann), await server.published(bob)];
  const edges = [
    await cite(ann, one.id, 'https://example.org/a'),
    await cite(bob, two.id, 'HTTPS://EXAMPLE.ORG:443/a'),
  ].toReversed();
  await cite(bob, two.id, 'https://example.org/b');
  const found = await list(queryFor('https://Example.org/%61'));
  assert.deepEqual(edgeIds(found), edges);
  assert.equal(found.body.items[0].dst_uri, 'HTTPS://EXAMPLE.ORG:443/a');
  assert.equal(found.body.items[0].article.id, two.id);
  assert.equal(
    found.headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const first = await list(`${queryFor('https://example.org/a')}&limit=1`);
  assert.deepEqual(edgeIds(first), edges.slice(0, 1));
  const cursor = `&cursor=${first.body.next_cursor as string}`;
  assert.deepEqual(edgeIds(await list(queryFor('https://example.org/a') + cursor)), edges.slice(1));
});

test('200 without those from articles that are listed nowhere, except for their author', async () => {
  const ann = await server.register();
  const [hidden, draft] = [await server.published(ann), await server.draft(ann)];
  const address = 'doi:10.1000/hidden';
  const edge = await cite(ann, hidden.id, address);
  const other = await cite(ann, draft.id, address);
  const path = `/v1/articles/${hidden.id as string}`;
  await server.ask('PATCH', path, { token: ann.token, body: { visibility: 'unlisted' } });
  assert.deepEqual(edgeIds(await list(queryFor(address))), []);
  assert.deepEqual(edgeIds(await list(queryFor(address), ann.token)), [other, edge]);
});

test('200 without an address: the edges of listed articles, newest first', async () => {
  const ann = await server.register();
  const [one, two] = [await server.published(ann), await server.published(ann)];
  const hidden = await server.published(ann, { visibility: 'unlisted' });
  const edges = [
    await link(server, ann, [one, two]),
    await link(server, ann, [two, one]),
  ].toReversed();
  await link(server, ann, [hidden, one]);
  const first = await list('?limit=1');
  assert.deepEqual(edgeIds(first), [edges[0].id]);
  assert.equal(first.body.items[0].article.id, two.id);
  const cursor = first.body.next_cursor as string;
  assert.deepEqual(edgeIds(await list(`?limit=1&cursor=${cursor}`)), [edges[1].id]);
});

test('200 empty for an address without links to it', async () => {
  const { body } = await list(queryFor('gemini://example.org/'));
  assert.deepEqual(body, { items: [], next_cursor: null });
});

test('400 invalid-request: what is not an address', async () => {
  for (const address of ['', 'example.org', 'javascript:alert(1)'])
    assertProblem(await list(queryFor(address)), 'invalid-request');
});
