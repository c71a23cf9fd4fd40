// GET /v1/home over HTTP: the summary for a returning participant in one call.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { setPrincipalStatus } from '#test/accounts';
import { createAgent, storeFollow } from '#test/agents';
import { assertProblem } from '#test/harness';
import type { Human } from '#test/harness';
import { startScarceServer } from '#test/limits-file';
import { appendEvents } from '#test/event-rows';
import { assertMissingScope } from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

const home = (who: Pick<Human, 'token'>) => server.ask('GET', '/v1/home', { token: who.token });
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('200 with the caller’s own record, counts included', async () => {
  const human = await server.register();
  await server.published(human);
  const { status, body } = await home(human);
  assert.equal(status, 200);
  assert.deepEqual(body.principal, (await server.ask('GET', `/v1/principals/${human.id}`)).body);
  assert.equal(body.principal.counts.articles, 1);
});

test('200 with the ten newest drafts, and nothing that is published or removed', async () => {
  const human = await server.register();
  const removed = await server.draft(human);
  await server.ask('DELETE', `/v1/articles/${removed.id as string}`, { token: human.token });
  const made: string[] = [];
  for (let n = 0; n < limits.home_items_max + 2; n += 1)
    made.unshift((await server.draft(human)).id);
  await server.published(human);
  const { body } = await home(human);
  assert.deepEqual(ids(body.drafts), made.slice(0, limits.home_items_max));
  assert.equal(body.drafts[0].excerpt, 'Some text to read.');
});

test('200 with the drafts of an agent for the agent, not for its owner', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const draft = await server.draft(agent);
  assert.deepEqual(ids((await home(agent)).body.drafts), [draft.id]);
  assert.deepEqual((await home(owner)).body.drafts, []);
});

test('200 without drafts for a token that may not read them', async () => {
  const human = await server.register();
  await server.draft(human);
  const { body } = await home({ token: await server.tokenWith(human, ['events:read']) });
  assert.ok(!('drafts' in body));
  assert.deepEqual(body.from_followed, []);
});

test('200 with the newest public articles of those one follows, in every bucket', async () => {
  const [reader, ada, stranger] = [
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  const agent = await createAgent(server, ada);
  await storeFollow(server, reader.id, ada.id);
  await storeFollow(server, reader.id, agent.id);
  await storeFollow(server, stranger.id, reader.id);
  const expected: string[] = [];
  for (const author of [ada, agent, ada]) expected.unshift((await server.published(author)).id);
  await server.published(stranger);
  await server.draft(ada);
  await server.published(ada, { visibility: 'unlisted' });
  await server.published(ada, { visibility: 'private' });
  assert.deepEqual(ids((await home(reader)).body.from_followed), expected);
  assert.deepEqual((await home(stranger)).body.from_followed, []);
});

test('200 with ten of them at most, the newest of all', async () => {
  const [reader, ada, bea] = [
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  await storeFollow(server, reader.id, ada.id);
  await storeFollow(server, reader.id, bea.id);
  const made: string[] = [];
  for (let n = 0; n < 14; n += 1) made.unshift((await server.published(n % 3 ? ada : bea)).id);
  const { body } = await home(reader);
  assert.deepEqual(ids(body.from_followed), made.slice(0, limits.home_items_max));
});

test('200 with what is left of the caller’s allowances, as the quota call says', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  await server.draft(agent);
  for (const who of [owner, agent]) {
    const quota = await server.ask('GET', `/v1/principals/${who.id}/quota`, { token: who.token });
    const { quotas } = (await home(who)).body;
    assert.deepEqual(quotas, quota.body.quotas);
    const drafts = quotas.find(({ action }: { action: string }) => action === 'articles.create');
    assert.equal(drafts.remaining, drafts.limit - 1);
  }
});

test('200 for the suspended: they may read', async () => {
  const human = await server.register();
  await setPrincipalStatus(server, human.id, 'suspended');
  assert.equal((await home(human)).body.principal.status, 'suspended');
});

test('401 unauthenticated: without a token', async () => {
  assertProblem(await server.ask('GET', '/v1/home'), 'unauthenticated');
});

test('403 insufficient-scope: without events:read', async () => {
  const token = await server.tokenWith(await server.register(), ['articles:read']);
  assertMissingScope(await home({ token }), 'events:read');
});

const marks = (events: { items: readonly { payload: { mark: unknown } }[] }) =>
  events.items.map(({ payload }) => payload.mark);

test('200 with the ten newest events, oldest first', async () => {
  const human = await server.register();
  assert.deepEqual((await home(human)).body.events, { items: [], next_cursor: null });
  for (let mark = 1; mark <= 12; mark += 1) await appendEvents(server.db, [human.id], mark);
  const { events } = (await home(human)).body;
  assert.deepEqual(marks(events), [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assert.equal(events.next_cursor, null);
  assert.equal(events.items[0].trust, 'untrusted');
});

test('200 with the first ten events after since, and where the rest begins', async () => {
  const human = await server.register();
  for (let mark = 1; mark <= 12; mark += 1) await appendEvents(server.db, [human.id], mark);
  const all = await server.ask('GET', '/v1/events', { token: human.token });
  const since = async (id: string) =>
    (await server.ask('GET', `/v1/home?since=${id}`, { token: human.token })).body.events;
  const first = await since(all.body.items[0].id);
  assert.deepEqual(marks(first), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  assert.equal(first.next_cursor, first.items[9].id);
  const rest = await since(first.next_cursor);
  assert.deepEqual(marks(rest), [12]);
  assert.equal(rest.next_cursor, null);
  assert.deepEqual((await since(rest.items[0].id)).items, []);
});

test('400 invalid-request: a since that is not an id', async () => {
  const { token } = await server.register();
  assertProblem(await server.ask('GET', '/v1/home?since=x', { token }), 'invalid-request');
});
