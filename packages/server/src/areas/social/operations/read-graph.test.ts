// GET /v1/articles/{id}/graph over HTTP: shapes of neighbourhoods, their limits, and JSON-LD.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { citoBase, limits } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { ask, link } from '#test/edges';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const graph = (id: string, query = '', token?: string) =>
  server.ask('GET', `/v1/articles/${id}/graph${query}`, token === undefined ? {} : { token });

interface Shape {
  readonly nodes: readonly (readonly [id: string, depth: number])[];
  readonly edges: readonly (readonly [from: string, to: string])[];
  readonly truncated: boolean;
}

/** Returns the graph reduced to ids; requires that every end of an edge is a node. */
function shapeOf({ status, body }: Response): Shape {
  assert.equal(status, 200, JSON.stringify(body));
  const nodes = (body.nodes as readonly { id: string; depth: number }[]).map(
    ({ id, depth }) => [id, depth] as const,
  );
  const edges = (body.edges as readonly { from: string; to: string }[]).map(
    ({ from, to }) => [from, to] as const,
  );
  const ids = new Set(nodes.map(([id]) => id));
  assert.equal(ids.size, nodes.length, 'no node twice');
  for (const end of edges.flat()) assert.ok(ids.has(end), `${end} is a node`);
  return { nodes, edges, truncated: body.truncated as boolean };
}

async function articles(human: Human, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await server.published(human)).id as string);
  return ids;
}

const linkIds = (human: Human, from: string, to: string, kind = 'cites') =>
  link(server, human, [{ id: from }, { id: to }], { kind });

/**
 * Inserts copies of a published article and an edge of each, without the operations: as many as a popular
 * article has.
 */
async function addStar(human: Human, centre: string, count: number): Promise<void> {
  const model = (await server.published(human)).id as string;
  const bucket = bucketOf(model);
  const ids = Array.from({ length: count }, () => newId(bucket));
  const edges = ids.map(() => newId(bucket));
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into articles (
        bucket, id, author_id, author_kind, status, visibility, language, disclosure,
        latest_revision_id, published_revision_id, published_at, created_at, updated_at
      )
      select a.bucket, copy.id, a.author_id, a.author_kind, a.status, a.visibility, a.language,
        a.disclosure, a.latest_revision_id, a.published_revision_id, a.published_at, a.created_at,
        a.updated_at
      from articles a
      cross join unnest(${ids}::text[]) as copy (id)
      where a.bucket = ${bucket} and a.id = ${model}`);
    await tx.run(sql`
      insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at, published_at)
      select r.bucket, copy.id, r.id, r.content_hash, r.signing_base, r.created_at, r.published_at
      from revisions r
      cross join unnest(${ids}::text[]) as copy (id)
      where r.bucket = ${bucket} and r.article_id = ${model}`);
    await tx.run(sql`
      insert into incoming_edges (
        bucket, dst_key, id, src_article_id, kind, dst_article_id, created_by_principal_id, created_at
      )
      select ${bucketOf(centre)}::smallint, ${centre}::text, made.edge, made.id, 'cites', ${centre}::text,
        ${human.id}::text, now()
      from unnest(${ids}::text[], ${edges}::text[]) as made (id, edge)`);
  });
}

test('200 of an article without edges: itself', async () => {
  const [id = ''] = await articles(await server.register(), 1);
  const alone = await graph(id);
  assert.deepEqual(shapeOf(alone), { nodes: [[id, 0]], edges: [], truncated: false });
  assert.equal(alone.body.nodes[0].article.title, 'A title');
  assert.equal(
    alone.headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  assert.match(alone.headers.get('vary') ?? '', /Accept/);
});

test('200 of a chain: as many steps as depth, in both directions', async () => {
  const ann = await server.register();
  const chain = await articles(ann, 6);
  for (const [at, id] of chain.slice(1).entries()) await linkIds(ann, chain[at] ?? '', id);
  const [a = '', b = '', c = '', d = '', e = ''] = chain;
  assert.deepEqual(shapeOf(await graph(a)), {
    nodes: [
      [a, 0],
      [b, 1],
    ],
    edges: [[a, b]],
    truncated: false,
  });
  const two = shapeOf(await graph(c, '?depth=2'));
  assert.deepEqual(two.nodes, [
    [c, 0],
    [d, 1],
    [b, 1],
    [e, 2],
    [a, 2],
  ]);
  assert.equal(two.edges.length, 4);
  assert.equal(shapeOf(await graph(a, '?depth=3')).nodes.length, 4);
});

test('200 of a cycle: each node and each edge once, even where two lead both ways', async () => {
  const ann = await server.register();
  const [a = '', b = '', c = ''] = await articles(ann, 3);
  for (const [from, to] of [
    [a, b],
    [b, c],
    [c, a],
    [b, a],
  ] as const)
    await linkIds(ann, from, to);
  const { nodes, edges } = shapeOf(await graph(a, '?depth=3'));
  assert.deepEqual(nodes.map(([id]) => id).toSorted(), [a, b, c].toSorted());
  assert.equal(edges.length, 4);
});

test('200 of addresses: they are nodes, and lead on to who else links to them', async () => {
  const ann = await server.register();
  const [a = '', b = ''] = await articles(ann, 2);
  for (const [id, dst_uri] of [
    [a, 'https://doi.org/10.1000/Shared'],
    [b, 'doi:10.1000/shared'],
  ])
    assert.equal((await ask(server, ann, { src_article_id: id, dst_uri })).status, 201);
  const near = shapeOf(await graph(a));
  assert.deepEqual(near.nodes, [
    [a, 0],
    ['doi:10.1000/shared', 1],
  ]);
  const far = await graph(a, '?depth=2');
  assert.deepEqual(shapeOf(far).edges.length, 2);
  assert.deepEqual(shapeOf(far).nodes.at(-1), [b, 2]);
  assert.equal(far.body.nodes[1].type, 'uri');
  assert.equal(far.body.nodes[1].article, null);
  assert.equal(far.body.nodes[1].trust, 'untrusted', 'participants write addresses too');
});

test('200 of some kinds only', async () => {
  const ann = await server.register();
  const [a = '', b = '', c = ''] = await articles(ann, 3);
  await linkIds(ann, a, b, 'cites');
  await linkIds(ann, a, c, 'extends');
  await linkIds(ann, a, c, 'reviews');
  assert.equal(shapeOf(await graph(a)).edges.length, 3);
  assert.deepEqual(shapeOf(await graph(a, '?kinds=cites')).edges, [[a, b]]);
  assert.equal(shapeOf(await graph(a, '?kinds=extends,reviews')).edges.length, 2);
  assert.equal(shapeOf(await graph(a, '?kinds=refutes')).nodes.length, 1);
});

test('200 of a star of 1,000: 200 nodes, truncated, and the same each time', async () => {
  const ann = await server.register();
  const [centre = ''] = await articles(ann, 1);
  await addStar(ann, centre, 1_000);
  for (const depth of [1, 3]) {
    const first = await graph(centre, `?depth=${depth}`);
    const { nodes, edges, truncated } = shapeOf(first);
    assert.equal(nodes.length, limits.graph_nodes_max);
    assert.equal(edges.length, limits.graph_nodes_max - 1);
    assert.equal(truncated, true);
    assert.deepEqual((await graph(centre, `?depth=${depth}`)).body, first.body);
  }
});

test('200 of a star of 199: whole, and not truncated', async () => {
  const ann = await server.register();
  const [centre = ''] = await articles(ann, 1);
  await addStar(ann, centre, limits.graph_nodes_max - 1);
  const { nodes, truncated } = shapeOf(await graph(centre));
  assert.equal(nodes.length, limits.graph_nodes_max);
  assert.equal(truncated, false);
});

test('200 without what the caller may not see, and without sources that are listed nowhere', async () => {
  const [ann, bob] = [await server.register(), await server.register()];
  const [a = '', beyond = ''] = await articles(ann, 2);
  const [secret = '', unlisted = ''] = await articles(bob, 2);
  await linkIds(ann, a, secret);
  await linkIds(bob, secret, beyond);
  await linkIds(bob, unlisted, a);
  for (const [id, visibility] of [
    [secret, 'private'],
    [unlisted, 'unlisted'],
  ])
    await server.ask('PATCH', `/v1/articles/${id}`, { token: bob.token, body: { visibility } });
  assert.deepEqual(shapeOf(await graph(a, '?depth=3')), {
    nodes: [[a, 0]],
    edges: [],
    truncated: false,
  });
  assert.equal(shapeOf(await graph(a, '?depth=3', bob.token)).nodes.length, 4);
  // An author who links to an unlisted article discloses it.
  await linkIds(ann, a, unlisted);
  assert.equal(shapeOf(await graph(a)).nodes.length, 2);
});

test('200 of a removed article, with its neighbours', async () => {
  const ann = await server.register();
  const [a = '', b = ''] = await articles(ann, 2);
  await linkIds(ann, a, b);
  await server.ask('DELETE', `/v1/articles/${a}`, { token: ann.token });
  const removed = await graph(a);
  assert.equal(shapeOf(removed).edges.length, 1);
  assert.equal(removed.body.nodes[0].article.status, 'removed');
  assert.equal(removed.body.nodes[0].article.title, null);
});

test('200 as JSON-LD: every edge is a triple of CiTO', async () => {
  const ann = await server.register();
  const [a = '', b = ''] = await articles(ann, 2);
  await linkIds(ann, a, b, 'supersedes');
  await linkIds(ann, a, b, 'uses_data');
  await ask(server, ann, { src_article_id: b, dst_uri: 'urn:isbn:0451450523' });
  const path = `/v1/articles/${a}/graph?depth=2`;
  const { status, headers, body } = await server.ask('GET', path, {
    headers: { accept: 'application/ld+json' },
  });
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^application\/ld\+json/);
  assert.equal(headers.get('x-content-trust'), 'untrusted');
  const iri = (id: string) => `${server.baseUrl}/v1/articles/${id}`;
  const context = body['@context'] as Record<string, string>;
  const triples = (body['@graph'] as readonly Record<string, unknown>[]).flatMap((node) =>
    Object.entries(node)
      .filter(([name]) => name.startsWith('cito:'))
      .flatMap(([name, ends]) =>
        (ends as readonly { '@id': string }[]).map((end) =>
          [node['@id'], name.replace('cito:', context['cito'] ?? ''), end['@id']].join(' '),
        ),
      ),
  );
  assert.deepEqual(
    triples.toSorted(),
    [
      `${iri(a)} ${citoBase}updates ${iri(b)}`,
      `${iri(a)} ${citoBase}usesDataFrom ${iri(b)}`,
      `${iri(b)} ${citoBase}cites urn:isbn:0451450523`,
    ].toSorted(),
  );
  assert.equal(body['@graph'][0].title, 'A title');
  const profiled =
    'application/ld+json; profile="http://www.w3.org/ns/json-ld#expanded", */*;q=0.1';
  const linked = await server.ask('GET', path, { headers: { accept: profiled } });
  assert.match(linked.headers.get('content-type') ?? '', /^application\/ld\+json/);
  const json = await server.ask('GET', path);
  assert.notEqual(json.headers.get('etag'), headers.get('etag'));
  for (const accept of ['text/html', '*/*', 'application/json, application/ld+json;q=0.5']) {
    const other = await server.ask('GET', path, { headers: { accept } });
    assert.match(other.headers.get('content-type') ?? '', /^application\/json/, accept);
  }
});

test('400 invalid-request: a depth of 4, kinds off the list', async () => {
  const [id = ''] = await articles(await server.register(), 1);
  for (const query of ['?depth=0', '?depth=4', '?kinds=likes', '?kinds=cites,', '?kinds='])
    assertProblem(await graph(id, query), 'invalid-request');
});

test('403 insufficient-scope and 404 not-found: a draft', async () => {
  const ann = await server.register();
  const { id } = await server.draft(ann);
  assert.equal((await graph(id, '', ann.token)).status, 200);
  assertMissingScope(
    await graph(id, '', await server.tokenWith(ann, ['edges:write'])),
    'articles:read',
  );
  assertProblem(await graph(id), 'not-found');
  assertProblem(await graph(newId(5)), 'not-found');
});
