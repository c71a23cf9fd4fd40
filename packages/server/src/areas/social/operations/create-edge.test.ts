// POST /v1/edges over HTTP: who may link which articles, and the effects.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { edgeKinds } from '@colophon/contract';
import { newId } from '#lib/id';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { ask, countsOf, edgeIds, eventsOf, link, untilSettled } from '#test/edges';
import { assertProblem, startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

/** Creates two people with a published article each. */
async function pair() {
  const [ann, bob] = [await server.register(), await server.register()];
  return { ann, bob, from: await server.published(ann), to: await server.published(bob) };
}

const incomingIds = async (id: string) =>
  edgeIds(await server.ask('GET', `/v1/articles/${id}/edges?direction=in`));

test('201 with the record and where it can be read', async () => {
  const { ann, from, to } = await pair();
  const input = { src_article_id: from.id, dst_article_id: to.id, note: 'See 🦉' };
  const { status, body, headers } = await ask(server, ann, input);
  assert.equal(status, 201);
  assert.equal(headers.get('location'), `${server.baseUrl}/v1/edges/${body.id as string}`);
  assert.deepEqual(body, {
    id: body.id,
    src_article_id: from.id,
    kind: 'cites',
    dst_article_id: to.id,
    dst_uri: null,
    via_comment_id: null,
    note: 'See 🦉',
    created_by_principal_id: ann.id,
    created_at: body.created_at,
    trust: 'untrusted',
  });
  assert.deepEqual((await server.ask('GET', `/v1/edges/${body.id as string}`)).body, body);
  assert.deepEqual(await countsOf(server, from.id), { edges_in: 0, edges_out: 1 });
  assert.deepEqual(await countsOf(server, to.id), { edges_in: 1, edges_out: 0 });
});

test('201 of every kind between the same two articles', async () => {
  const ann = await server.register();
  const [from, to] = [await server.published(ann), await server.published(ann)];
  for (const kind of edgeKinds) await link(server, ann, [from, to], { kind });
  assert.deepEqual(await countsOf(server, to.id), { edges_in: edgeKinds.length, edges_out: 0 });
});

test('201 to an address, which stays as it was sent; 200 for it in another spelling', async () => {
  const { ann, from } = await pair();
  const sent = 'https://Doi.org/10.1000/ABC';
  const made = await ask(server, ann, { src_article_id: from.id, dst_uri: sent });
  assert.equal(made.status, 201);
  assert.equal(made.body.dst_uri, sent);
  assert.equal(made.body.dst_article_id, null);
  const again = await ask(server, ann, { src_article_id: from.id, dst_uri: 'doi:10.1000/abc' });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, made.body);
});

test('200 with the record of before for the same source, kind and destination', async () => {
  const { ann, from, to } = await pair();
  const made = await link(server, ann, [from, to], { note: 'the first' });
  const input = { src_article_id: from.id, dst_article_id: to.id, note: 'the second' };
  const again = await ask(server, ann, input);
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, made);
  assert.equal(again.headers.get('location'), null);
  assert.equal((await ask(server, ann, { ...input, kind: 'extends' })).status, 201);
  assert.deepEqual(await countsOf(server, to.id), { edges_in: 2, edges_out: 0 });
});

test('201 once and 200 else for the same edge many times at once', async () => {
  const { ann, bob, from, to } = await pair();
  const input = { src_article_id: from.id, dst_article_id: to.id };
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(server, ann, input)));
  assert.deepEqual(
    answers.map(({ status }) => String(status)).toSorted(),
    [...Array.from({ length: 7 }, () => '200'), '201'],
    JSON.stringify(answers.map(({ body }) => body)),
  );
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.deepEqual(await countsOf(server, from.id), { edges_in: 0, edges_out: 1 });
  assert.deepEqual(await countsOf(server, to.id), { edges_in: 1, edges_out: 0 });
  assert.equal((await eventsOf(server, bob.id)).length, 1);
});

test('201 again under the same key: a replay, not another edge', async () => {
  const { ann, from, to } = await pair();
  const body = { src_article_id: from.id, kind: 'cites', dst_article_id: to.id };
  const send = () => server.ask('POST', '/v1/edges', { token: ann.token, key: 'edge-key-1', body });
  const [first, second] = [await send(), await send()];
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(await incomingIds(to.id), [first.body.id]);
});

test('200 with dry_run: everything is checked and nothing is left', async () => {
  const { ann, bob, from, to } = await pair();
  const input = { src_article_id: from.id, dst_article_id: to.id };
  const tried = await ask(server, ann, input, '?dry_run=true');
  assert.equal(tried.status, 200);
  assert.equal(tried.body.dry_run, true);
  assert.deepEqual(await incomingIds(to.id), []);
  assert.deepEqual(await eventsOf(server, bob.id), []);
  const unknown = { ...input, dst_article_id: newId(1) };
  assertProblem(await ask(server, ann, unknown, '?dry_run=true'), 'not-found');
});

test('201 notifies the target’s author, and no one of their own act', async () => {
  const { ann, bob, from, to } = await pair();
  const edge = await link(server, ann, [from, to], { kind: 'supports' });
  assert.deepEqual(await eventsOf(server, bob.id), [
    {
      type: 'edge.created',
      actor_principal_id: ann.id,
      subject_id: to.id,
      payload: { edge_id: edge.id, kind: 'supports', src_article_id: from.id },
    },
  ]);
  await link(server, ann, [from, await server.published(ann)]);
  assert.deepEqual(await eventsOf(server, ann.id), []);
});

for (const [what, members] of Object.entries({
  'a draft': undefined,
  'a private article': { visibility: 'private' },
  'an unlisted article': { visibility: 'unlisted' },
})) {
  test(`201 from ${what}: the target shows it once everybody can find the source`, async () => {
    const { ann, bob, to } = await pair();
    const source =
      members === undefined ? await server.draft(ann) : await server.published(ann, members);
    const edge = await link(server, ann, [source, to]);
    await untilSettled(server);
    assert.deepEqual(await eventsOf(server, bob.id), []);
    assert.deepEqual(await incomingIds(to.id), []);
    assert.deepEqual(await countsOf(server, to.id), { edges_in: 0, edges_out: 0 });
    const [method, path, body] =
      members === undefined
        ? ['POST', `/v1/articles/${source.id as string}/publish`, {}]
        : ['PATCH', `/v1/articles/${source.id as string}`, { visibility: 'public' }];
    const shown = await server.ask(method, path, { token: ann.token, key: true, body });
    assert.equal(shown.status, 200, JSON.stringify(shown.body));
    await untilSettled(server);
    assert.deepEqual(await incomingIds(to.id), [edge.id]);
    assert.deepEqual(await countsOf(server, to.id), { edges_in: 1, edges_out: 0 });
    assert.equal((await eventsOf(server, bob.id)).length, 1);
  });
}

test('201 via a comment on the source or the destination', async () => {
  const { ann, bob, from, to } = await pair();
  const [near, far] = [await comment(server, bob, from.id), await comment(server, ann, to.id)];
  for (const [kind, via] of [
    ['cites', near.id],
    ['extends', far.id],
  ] as const) {
    const edge = await link(server, ann, [from, to], { kind, via_comment_id: via });
    assert.equal(edge.via_comment_id, via);
  }
});

test('201 to an article that was removed: its id keeps its place in the graph', async () => {
  const { ann, bob, from, to } = await pair();
  await server.ask('DELETE', `/v1/articles/${to.id as string}`, { token: bob.token });
  const edge = await link(server, ann, [from, to]);
  assert.deepEqual(await incomingIds(to.id), [edge.id]);
});

test('201 for supersedes and retracts between articles of a person and of an agent of theirs', async () => {
  const ann = await server.register();
  const agent = await createAgent(server, ann);
  const [own, agents] = [await server.published(ann), await server.published(agent)];
  await link(server, ann, [own, agents], { kind: 'supersedes' });
  await link(server, agent, [agents, own], { kind: 'retracts' });
});
