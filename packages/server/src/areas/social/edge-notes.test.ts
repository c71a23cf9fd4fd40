// The note of an edge goes and returns with the articles at its ends, and with what moderators do to them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storeToken } from '#test/accounts';
import { createAgent } from '#test/agents';
import { countsOf, edgeIds, link, untilSettled } from '#test/edges';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import type { Input } from '#test/moderators';
import { fetchPage } from '#test/page';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

const note = 'ABUSE of the worst kind';

/** Creates an article that links to the one of somebody else, with the note. */
async function linkWithNote() {
  const [ann, bob] = [await server.register(), await server.register()];
  const agent = await createAgent(server, ann);
  const [from, to] = [await server.published(agent), await server.published(bob)];
  const edge = await link(server, agent, [from, to], { note });
  return { ann, agent, bob, from, to, edge };
}

type Scenario = Awaited<ReturnType<typeof linkWithNote>>;

const asToken = (token?: string) => (token === undefined ? {} : { token });

const read = async (path: string, token?: string) =>
  (await server.ask('GET', path, asToken(token))).body;

/** Returns the note in every place that shows the edge to a reader, by the name of the place. */
async function notesOf({ from, to, edge }: Scenario, token?: string) {
  const found: Record<string, unknown> = {};
  found['record'] = (await read(`/v1/edges/${edge.id}`, token)).note;
  for (const [name, path, list] of [
    ['in', `/v1/articles/${to.id}/edges?direction=in`, 'items'],
    ['out', `/v1/articles/${from.id}/edges?direction=out`, 'items'],
    ['graph of the target', `/v1/articles/${to.id}/graph`, 'edges'],
    ['graph of the source', `/v1/articles/${from.id}/graph`, 'edges'],
  ] as const) {
    const body = await read(path, token);
    found[name] = body[list].map((one: { readonly note: unknown }) => one.note);
  }
  return found;
}

const everywhere = (value: string | null) => ({
  record: value,
  in: [value],
  out: [value],
  'graph of the target': [value],
  'graph of the source': [value],
});

async function pagesOf(article: { readonly url: string }): Promise<string> {
  const path = article.url.slice(server.baseUrl.length);
  const pages = [await fetchPage(server, path), await fetchPage(server, `${path}/graph`)];
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200],
  );
  return pages.map(({ text }) => text).join('\n');
}

const deletes = (human: Human, { id }: { readonly id: string }) =>
  server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });

const moderates = (target_id: string, action: Input['action'], input: Partial<Input> = {}) =>
  act(server, moderator, { target_type: 'article', target_id, action, ...input });

test('the note is shown while both articles are there, in the API and on the pages', async () => {
  const scenario = await linkWithNote();
  await untilSettled(server);
  assert.deepEqual(await notesOf(scenario), everywhere(note));
  assert.match(await pagesOf(scenario.to), new RegExp(note));
});

const removals: Readonly<Record<string, (scenario: Scenario) => Promise<unknown>>> = {
  'the author removes the source': ({ agent, from }) => deletes(agent, from),
  'a moderator removes the source': ({ from }) => moderates(from.id, 'remove'),
  'the source is removed legally': ({ from }) => moderates(from.id, 'remove', { source: 'legal' }),
  'the target is removed': ({ bob, to }) => deletes(bob, to),
};

for (const [what, remove] of Object.entries(removals)) {
  test(`the edge stays without its note, for its author too, when ${what}`, async () => {
    const scenario = await linkWithNote();
    const left = what.includes('source') ? scenario.to : scenario.from;
    await untilSettled(server);
    assert.match(await pagesOf(left), new RegExp(note));
    await remove(scenario);
    assert.deepEqual(await notesOf(scenario), everywhere(null));
    assert.deepEqual(await notesOf(scenario, scenario.agent.token), everywhere(null));
    await untilSettled(server);
    assert.deepEqual(await notesOf(scenario), everywhere(null));
    assert.doesNotMatch(await pagesOf(left), new RegExp(note));
  });
}

for (const source of ['proactive', 'legal'] as const) {
  test(`the note returns when a removal (${source}) is reverted`, async () => {
    const scenario = await linkWithNote();
    await moderates(scenario.from.id, 'remove', { source });
    await untilSettled(server);
    await moderates(scenario.from.id, 'restore', { source });
    await untilSettled(server);
    assert.deepEqual(await notesOf(scenario), everywhere(note));
    assert.match(await pagesOf(scenario.to), new RegExp(note));
  });
}

/** Requires that no reader finds the edge anywhere, and that it counts nowhere. */
async function assertConcealed(scenario: Scenario): Promise<void> {
  const { bob, from, to, edge } = scenario;
  for (const token of [undefined, bob.token]) {
    assertProblem(await server.ask('GET', `/v1/edges/${edge.id}`, asToken(token)), 'not-found');
    for (const path of [`${to.id}/edges?direction=in`, `${from.id}/edges?direction=out`])
      assert.deepEqual(
        edgeIds(await server.ask('GET', `/v1/articles/${path}`, asToken(token))),
        [],
      );
    for (const { id } of [from, to])
      assert.deepEqual((await read(`/v1/articles/${id}/graph`, token)).edges, []);
  }
  assertProblem(
    await server.ask('DELETE', `/v1/edges/${edge.id}`, { token: bob.token }),
    'not-found',
  );
  assert.doesNotMatch(await pagesOf(to), new RegExp(note));
}

test('an edge that moderation has hidden stays hidden after its author removes the source', async () => {
  const scenario = await linkWithNote();
  const { agent, ann, from, to, edge } = scenario;
  await moderates(from.id, 'hide');
  await moderates(from.id, 'de-index');
  assertProblem(await server.ask('GET', `/v1/edges/${edge.id}`), 'not-found');
  assert.equal((await deletes(agent, from)).status, 204);
  await assertConcealed(scenario);
  await untilSettled(server);
  await assertConcealed(scenario);
  assert.equal((await countsOf(server, to.id)).edges_in, 0);
  for (const { token } of [agent, ann, moderator]) {
    assert.deepEqual(await notesOf(scenario, token), everywhere(null));
    const path = `/v1/articles/${to.id}/edges?direction=in`;
    assert.deepEqual(edgeIds(await server.ask('GET', path, { token })), [edge.id]);
  }
  const erase = { token: agent.token, body: { confirm: 'erase' } };
  assert.equal((await server.ask('POST', `/v1/articles/${from.id}/erase`, erase)).status, 200);
  await untilSettled(server);
  await assertConcealed(scenario);
});

test('a token that lacks articles:read gets no less of a removed source than no token', async () => {
  const { agent, from, edge } = await linkWithNote();
  const path = `/v1/articles/${from.id}/edges`;
  const narrow = await storeToken(server, agent.id, ['edges:write']);
  await moderates(from.id, 'hide');
  assertMissingScope(await server.ask('GET', path, { token: narrow }), 'articles:read');
  await deletes(agent, from);
  for (const asked of [{}, { token: narrow }])
    assert.deepEqual(edgeIds(await server.ask('GET', path, asked)), []);
  assert.deepEqual(edgeIds(await server.ask('GET', path, { token: agent.token })), [edge.id]);
});

test('a source that was hidden and restored shows its edge, without the note, after its removal', async () => {
  const scenario = await linkWithNote();
  await moderates(scenario.from.id, 'hide');
  await moderates(scenario.from.id, 'restore');
  await deletes(scenario.agent, scenario.from);
  await untilSettled(server);
  assert.deepEqual(await notesOf(scenario), everywhere(null));
});

test('the list of all edges to an address has no note of a removed source', async () => {
  const ann = await server.register();
  const from = await server.published(ann);
  const uri = `https://example.org/${from.id}`;
  const body = { src_article_id: from.id, kind: 'cites', dst_uri: uri, note };
  await server.ask('POST', '/v1/edges', { token: ann.token, key: true, body });
  const path = `/v1/edges?dst_uri=${encodeURIComponent(uri)}`;
  assert.equal((await read(path)).items[0].note, note);
  await deletes(ann, from);
  assert.equal((await read(path)).items[0].note, null);
});

test('the list of the newest edges has no note about a removed article', async () => {
  const scenario = await linkWithNote();
  await deletes(scenario.bob, scenario.to);
  const { items } = await read('/v1/edges');
  const found = items.find(({ id }: { readonly id: string }) => id === scenario.edge.id);
  assert.equal(found.note, null);
});
