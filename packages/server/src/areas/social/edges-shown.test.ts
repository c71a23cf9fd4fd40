// Edges from articles that not everyone can find: who sees them, and that counts equal the public edges.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import pg from 'pg';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent } from '#test/agents';
import { sendAppeal } from '#test/appeals';
import { countsOf, edgeIds, eventsOf, link, untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { act, aModerator } from '#test/moderators';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const incomingIds = async (id: string, token?: string, query = '') =>
  edgeIds(
    await server.ask(
      'GET',
      `/v1/articles/${id}/edges?direction=in${query}`,
      token === undefined ? {} : { token },
    ),
  );

const graphOf = async (id: string, token?: string) =>
  (await server.ask('GET', `/v1/articles/${id}/graph`, token === undefined ? {} : { token })).body;

async function see(human: Human, id: string, visibility: string): Promise<void> {
  const asked = { token: human.token, body: { visibility } };
  assert.equal((await server.ask('PATCH', `/v1/articles/${id}`, asked)).status, 200);
}

/** Creates two people with an article each, and an edge from the first to the second. */
async function linkTwo() {
  const [ann, bob] = [await server.register(), await server.register()];
  const [from, to] = [await server.published(ann), await server.published(bob)];
  return { ann, bob, from, to, edge: await link(server, ann, [from, to]) };
}

/** Requires that a stranger sees this many edges to the article, and that its count is the same. */
async function assertShown(to: string, edges: readonly string[]): Promise<void> {
  await untilSettled(server);
  assert.deepEqual(await incomingIds(to), edges);
  assert.deepEqual((await countsOf(server, to)).edges_in, edges.length);
  assert.equal((await graphOf(to)).edges.length, edges.length);
}

const moderator = await aModerator(server);

type Scenario = Awaited<ReturnType<typeof linkTwo>>;
type Way = readonly [
  away: (scenario: Scenario) => Promise<void>,
  back: (scenario: Scenario) => Promise<void>,
];

const moderated =
  (action: 'hide' | 'de-index' | 'restore') =>
  async ({ from }: Scenario) => {
    await act(server, moderator, { target_type: 'article', target_id: from.id, action });
  };
const seen =
  (visibility: string) =>
  ({ ann, from }: Scenario) =>
    see(ann, from.id, visibility);

const ways: Readonly<Record<string, Way>> = {
  'turns private': [seen('private'), seen('public')],
  'turns unlisted': [seen('unlisted'), seen('public')],
  'is hidden': [moderated('hide'), moderated('restore')],
  'is de-indexed': [moderated('de-index'), moderated('restore')],
};

for (const [what, [away, back]] of Object.entries(ways)) {
  test(`a source that ${what} is neither listed nor counted, and is again when it comes back`, async () => {
    const scenario = await linkTwo();
    const { bob, to, edge } = scenario;
    await assertShown(to.id, [edge.id]);
    await away(scenario);
    await assertShown(to.id, []);
    await back(scenario);
    await assertShown(to.id, [edge.id]);
    assert.equal((await eventsOf(server, bob.id)).length, 1, 'one event reports it');
  });
}

test('a private source that is removed is not shown by that', async () => {
  const { ann, from, to } = await linkTwo();
  await see(ann, from.id, 'private');
  await server.ask('DELETE', `/v1/articles/${from.id as string}`, { token: ann.token });
  await assertShown(to.id, []);
});

test('an edge from a private source that is taken back was never counted', async () => {
  const { ann, to, from, edge } = await linkTwo();
  await see(ann, from.id, 'private');
  await assertShown(to.id, []);
  await server.ask('DELETE', `/v1/edges/${edge.id as string}`, { token: ann.token });
  await see(ann, from.id, 'public');
  await assertShown(to.id, []);
});

test('no one learns of a source by a short page or a cursor; its author, owner and moderators see it', async () => {
  const { bob, to, edge } = await linkTwo();
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const hidden = [];
  for (const make of [
    () => server.draft(agent),
    () => server.published(agent, { visibility: 'private' }),
    () => server.published(agent, { visibility: 'unlisted' }),
  ])
    hidden.push((await link(server, agent, [await make(), to])).id as string);
  const path = `/v1/articles/${to.id as string}/edges?direction=in&limit=1`;
  for (const token of [undefined, bob.token]) {
    const { body } = await server.ask('GET', path, token === undefined ? {} : { token });
    assert.deepEqual(
      [body.items.map(({ id }: { id: string }) => id), body.next_cursor],
      [[edge.id], null],
    );
    assert.deepEqual((await graphOf(to.id, token)).truncated, false);
  }
  const all = [...hidden.toReversed(), edge.id];
  for (const { token } of [agent, owner, moderator]) {
    assert.deepEqual(await incomingIds(to.id, token), all);
    assert.equal((await graphOf(to.id, token)).edges.length, all.length);
  }
  const narrow = await server.tokenWith(owner, ['edges:write']);
  assert.deepEqual(await incomingIds(to.id, narrow), [edge.id]);
});

/** Runs the migration's last statement, which appends its messages for the pipeline. */
async function askAgain(): Promise<void> {
  const path = new URL('../../database/migrations/0023_edges_shown.sql', import.meta.url);
  const text = await readFile(path, 'utf8');
  const client = new pg.Client(server.services.connection);
  await client.connect();
  await client.query(text.slice(text.indexOf('insert into outbox')));
  await client.end();
}

test('edges written before all this was kept are brought in line when the pipeline looks at their source', async () => {
  const { ann, bob, from, to, edge } = await linkTwo();
  const draft = await server.draft(ann);
  const later = await link(server, ann, [draft, to]);
  await see(ann, from.id, 'unlisted');
  await untilSettled(server);
  await server.db.transaction(async (tx) => {
    const ids = [edge.id as string, later.id as string];
    void tx.run(
      sql`update edges set shown = null where bucket = ${bucketOf(from.id)} and id = any(${ids})`,
    );
    void tx.run(sql`
      delete from incoming_edges
      where bucket = ${bucketOf(to.id)} and dst_key = ${to.id} and id = ${later.id}`);
    void tx.run(sql`
      update incoming_edges
      set shown = true
      where bucket = ${bucketOf(to.id)} and dst_key = ${to.id} and id = ${edge.id}`);
    void tx.run(sql`
      update articles set edges_in_count = edges_in_count + 1
      where bucket = ${bucketOf(to.id)} and id = ${to.id}`);
  });
  await askAgain();
  await server.published(await server.register());
  await assertShown(to.id, []);
  await see(ann, from.id, 'public');
  await server.ask('POST', `/v1/articles/${draft.id as string}/publish`, {
    token: ann.token,
    key: true,
    body: {},
  });
  await assertShown(to.id, [later.id, edge.id]);
  assert.equal((await eventsOf(server, bob.id)).length, 2);
});

test('a source that was removed or erased stays listed and counted: edges survive', async () => {
  const { ann, from, to, edge } = await linkTwo();
  const path = `/v1/articles/${from.id as string}`;
  await server.ask('DELETE', path, { token: ann.token });
  await assertShown(to.id, [edge.id]);
  await server.ask('POST', `${path}/erase`, { token: ann.token, body: { confirm: 'erase' } });
  await assertShown(to.id, [edge.id]);
});

test('a source that its author removed while it was hidden is shown when the appeal is upheld', async () => {
  const { ann, from, to, edge } = await linkTwo();
  const hidden = await act(server, moderator, {
    target_type: 'article',
    target_id: from.id,
    action: 'hide',
  });
  await server.ask('DELETE', `/v1/articles/${from.id as string}`, { token: ann.token });
  await assertShown(to.id, []);
  const appeal = await sendAppeal(server, ann, hidden.id as string);
  const { token } = await aModerator(server);
  const path = `/v1/moderation/appeals/${appeal}/review`;
  const upheld = await server.ask('POST', path, { token, body: { status: 'upheld' } });
  assert.equal(upheld.status, 200, JSON.stringify(upheld.body));
  await assertShown(to.id, [edge.id]);
});
