// GET /v1/articles/{id}/edges over HTTP: the edges from an article and to it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { ask, edgeIds, link } from '#test/edges';
import { assertProblem, startServer } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (id: string, query = '', token?: string) =>
  server.ask('GET', `/v1/articles/${id}/edges${query}`, token === undefined ? {} : { token });

async function pair() {
  const [ann, bob] = [await server.register(), await server.register()];
  const from = await server.published(ann, { title: 'From here' });
  return { ann, bob, from, to: await server.published(bob, { title: 'To there' }) };
}

const moderate = (id: string, change: 'hidden' | 'deindexed') =>
  server.db.transaction((tx) =>
    tx.run(
      change === 'hidden'
        ? sql`update articles set status = 'hidden' where bucket = ${bucketOf(id)} and id = ${id}`
        : sql`update articles set deindexed = true where bucket = ${bucketOf(id)} and id = ${id}`,
    ),
  );

test('200 outwards with the article at the far end, inwards with the source', async () => {
  const { ann, bob, from, to } = await pair();
  const edge = await link(server, ann, [from, to]);
  const out = await list(from.id);
  assert.deepEqual(out.body.items, [
    {
      ...edge,
      article: {
        id: to.id,
        title: 'To there',
        status: 'published',
        url: to.url,
        author: { id: bob.id, kind: 'human', username: bob.username, display_name: null },
        trust: 'untrusted',
      },
    },
  ]);
  assert.equal(
    out.headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const into = await list(to.id, '?direction=in');
  assert.equal(into.body.items[0].article.id, from.id);
  assert.equal(into.body.items[0].article.title, 'From here');
  assert.deepEqual(edgeIds(await list(from.id, '?direction=in')), []);
  assert.deepEqual(edgeIds(await list(to.id, '?direction=out')), []);
});

test('200 with null in place of an article for an address', async () => {
  const { ann, from } = await pair();
  await ask(server, ann, { src_article_id: from.id, dst_uri: 'urn:isbn:0451450523' });
  const { body } = await list(from.id);
  assert.equal(body.items[0].dst_uri, 'urn:isbn:0451450523');
  assert.equal(body.items[0].article, null);
});

test('200 newest first, by kind, page by page in both directions', async () => {
  const ann = await server.register();
  const [from, to] = [await server.published(ann), await server.published(ann)];
  const edges = [];
  for (const kind of ['cites', 'extends', 'supports', 'cites']) {
    const other = await server.published(ann);
    const ends = kind === 'supports' ? ([from, to] as const) : ([from, other] as const);
    edges.push((await link(server, ann, ends, { kind })).id);
    if (kind !== 'supports') await link(server, ann, [other, to], { kind });
  }
  edges.reverse();
  const first = await list(from.id, '?limit=3');
  assert.deepEqual(edgeIds(first), edges.slice(0, 3));
  assert.match(first.headers.get('link') ?? '', /rel="next"/);
  const rest = await list(from.id, `?limit=3&cursor=${first.body.next_cursor as string}`);
  assert.deepEqual(edgeIds(rest), edges.slice(3));
  assert.equal(rest.body.next_cursor, null);
  assert.deepEqual(edgeIds(await list(from.id, '?kind=cites')), [edges[0], edges[3]]);
  const into = await list(to.id, '?direction=in&limit=2');
  assert.equal(into.body.items.length, 2);
  const more = await list(to.id, `?direction=in&cursor=${into.body.next_cursor as string}`);
  assert.equal(more.body.items.length, 2);
  assert.equal(new Set([...edgeIds(into), ...edgeIds(more)]).size, 4);
  assert.equal(edgeIds(await list(to.id, '?direction=in&kind=cites')).length, 2);
});

test('200 from and to a removed article: it shows its status and nothing else', async () => {
  const { ann, bob, from, to } = await pair();
  const edge = await link(server, ann, [from, to]);
  await server.ask('DELETE', `/v1/articles/${to.id as string}`, { token: bob.token });
  assert.deepEqual((await list(from.id)).body.items[0].article, {
    id: to.id,
    title: null,
    status: 'removed',
    url: null,
    author: null,
    trust: 'untrusted',
  });
  assert.deepEqual(edgeIds(await list(to.id, '?direction=in')), [edge.id]);
  await server.ask('DELETE', `/v1/articles/${from.id as string}`, { token: ann.token });
  assert.deepEqual(edgeIds(await list(from.id)), [edge.id]);
  assert.deepEqual(edgeIds(await list(to.id, '?direction=in')), [edge.id]);
});

test('200 without a far article that the caller may not see, with it for a caller who may', async () => {
  const { ann, bob, from, to } = await pair();
  await link(server, ann, [from, to]);
  const path = `/v1/articles/${to.id as string}`;
  await server.ask('PATCH', path, { token: bob.token, body: { visibility: 'private' } });
  assert.equal((await list(from.id)).body.items[0].article, null);
  assert.equal((await list(from.id, '', ann.token)).body.items[0].article, null);
  assert.equal((await list(from.id, '', bob.token)).body.items[0].article.id, to.id);
  const narrow = await server.tokenWith(bob, ['edges:write']);
  assert.equal((await list(from.id, '', narrow)).body.items[0].article, null);
});

test('200 inwards without sources that are listed nowhere: unlisted, private, de-indexed, hidden', async () => {
  const { ann, to } = await pair();
  const sources = [];
  for (const visibility of ['unlisted', 'private', 'public', 'public', 'public']) {
    const source = await server.published(ann);
    sources.push({ id: source.id as string, edge: (await link(server, ann, [source, to])).id });
    const path = `/v1/articles/${source.id as string}`;
    await server.ask('PATCH', path, { token: ann.token, body: { visibility } });
  }
  await moderate(sources[2]?.id ?? '', 'deindexed');
  await moderate(sources[3]?.id ?? '', 'hidden');
  const all = sources.map(({ edge }) => edge as string).toReversed();
  assert.deepEqual(edgeIds(await list(to.id, '?direction=in')), [all[0]]);
  assert.deepEqual(edgeIds(await list(to.id, '?direction=in', ann.token)), all);
  const unlisted = await list(sources[0]?.id ?? '');
  assert.deepEqual(edgeIds(unlisted), [all[4]]);
});

test('200 of a draft for its author, 404 not-found for others, 403 insufficient-scope without articles:read', async () => {
  const { ann, bob, to } = await pair();
  const draft = await server.draft(ann);
  const edge = await link(server, ann, [draft, to]);
  assert.deepEqual(edgeIds(await list(draft.id, '', ann.token)), [edge.id]);
  assertProblem(await list(draft.id, '', bob.token), 'not-found');
  assertProblem(await list(draft.id), 'not-found');
  const narrow = await server.tokenWith(ann, ['edges:write']);
  assertMissingScope(await list(draft.id, '', narrow), 'articles:read');
});

test('400 invalid-request: a direction or kind off the list', async () => {
  const { from } = await pair();
  assertProblem(await list(from.id, '?direction=up'), 'invalid-request');
  assertProblem(await list(from.id, '?kind=likes'), 'invalid-request');
});

test('404 not-found: no such article', async () => {
  assertProblem(await list(newId(5)), 'not-found');
});
