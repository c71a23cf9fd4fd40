// GET /v1/events over HTTP: events, their order, pages, filters, and access.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, isId, newId } from '#lib/id';
import { setPrincipalStatus, storeToken } from '#test/accounts';
import { createAgent } from '#test/agents';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { appendEvents } from '#test/event-rows';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const list = (human: Human, query = '') =>
  server.ask('GET', `/v1/events${query}`, { token: human.token });
const marks = (body: { items: readonly { payload: { mark: unknown } }[] }) =>
  body.items.map(({ payload }) => payload.mark);

async function registerWithEvents(count: number): Promise<Human> {
  const human = await server.register();
  for (let mark = 1; mark <= count; mark += 1) await appendEvents(server.db, [human.id], mark);
  return human;
}

test('200 with nothing for an account without events', async () => {
  const { status, body } = await list(await server.register());
  assert.equal(status, 200);
  assert.deepEqual(body, { items: [], next_cursor: null });
});

test('200 oldest first, each with an id of the recipient’s bucket, marked as untrusted', async () => {
  const human = await registerWithEvents(3);
  const { body } = await list(human);
  assert.deepEqual(marks(body), [1, 2, 3]);
  for (const item of body.items) {
    assert.ok(isId(item.id), item.id);
    assert.equal(bucketOf(item.id), bucketOf(human.id));
    assert.equal(item.trust, 'untrusted');
    assert.equal(item.subject_id, human.id);
    assert.equal(item.actor_principal_id, null);
  }
  assert.equal(body.next_cursor, null);
});

test('200 page by page with since, and the address of the next page in Link', async () => {
  const human = await registerWithEvents(5);
  const first = await list(human, '?limit=2');
  assert.deepEqual(marks(first.body), [1, 2]);
  assert.equal(first.body.next_cursor, first.body.items[1].id);
  const link = first.headers.get('link') ?? '';
  assert.match(link, /rel="next"$/);
  const next = link.slice(1 + server.baseUrl.length, link.indexOf('>'));
  const second = await server.ask('GET', next, { token: human.token });
  assert.deepEqual(marks(second.body), [3, 4]);
  const third = await list(human, `?limit=2&since=${second.body.next_cursor}`);
  assert.deepEqual(marks(third.body), [5]);
  assert.equal(third.body.next_cursor, null);
  const fourth = await list(human, `?since=${third.body.items[0].id}`);
  assert.deepEqual(fourth.body, { items: [], next_cursor: null });
});

test('200 for a since that never existed: it is compared as a value', async () => {
  const human = await registerWithEvents(2);
  const bound = (await list(human)).body.items[0].id as string;
  assert.deepEqual(marks((await list(human, `?since=${'0'.repeat(26)}`)).body), [1, 2]);
  assert.deepEqual(marks((await list(human, `?since=${bound.slice(0, 18)}ZZZZZZZZ`)).body), [2]);
  assert.deepEqual(marks((await list(human, `?since=7${'Z'.repeat(25)}`)).body), []);
});

test('200 with nothing new by the statement that finds the caller: the events are not looked at', async () => {
  const [human, silent] = [await registerWithEvents(2), await server.register()];
  const [first, last] = (await list(human)).body.items.map(({ id }: { id: string }) => id);
  const locking = sql`lock table events in access exclusive mode`;
  const [behind] = await blockedByLock(
    server,
    locking,
    [() => list(human, `?since=${first}`)],
    async () => {
      for (const query of [
        `?since=${last}`,
        `?since=${last}&type=follow.created`,
        `?since=7${'Z'.repeat(25)}`,
      ])
        assert.deepEqual((await list(human, query)).body, { items: [], next_cursor: null });
      assert.deepEqual((await list(silent)).body, { items: [], next_cursor: null });
    },
  );
  assert.deepEqual(marks(behind?.body), [2], 'what is new is read from them');
});

test('200 with an event for the first poll after the answer to its cause, every time', async () => {
  const human = await registerWithEvents(1);
  let last = (await list(human)).body.items[0].id as string;
  for (let turn = 0; turn < 30; turn += 1) {
    assert.deepEqual((await list(human, `?since=${last}`)).body.items, []);
    const { token } = await server.register();
    await server.ask('POST', '/v1/follows', { token, body: { principal_id: human.id } });
    const { items } = (await list(human, `?since=${last}`)).body;
    assert.equal(items.length, 1);
    last = items[0].id;
  }
});

test('200 with one type only; an unknown one matches nothing', async () => {
  const human = await registerWithEvents(1);
  const other = await server.register();
  await server.ask('POST', '/v1/follows', { token: other.token, body: { principal_id: human.id } });
  const types = async (query: string) =>
    (await list(human, query)).body.items.map(({ type }: { type: string }) => type);
  assert.deepEqual(await types('?type=follow.created'), ['follow.created']);
  assert.deepEqual(await types('?type=comment.created'), ['comment.created']);
  assert.deepEqual(await types('?type=no.such'), []);
  assert.deepEqual(await types(`?type=${'é'.repeat(64)}`), []);
  assert.deepEqual(await types('?type='), []);
});

test('200 with nothing of anybody else’s', async () => {
  await registerWithEvents(2);
  assert.deepEqual((await list(await server.register())).body.items, []);
});

test('200 for the suspended', async () => {
  const human = await registerWithEvents(1);
  await setPrincipalStatus(server, human.id, 'suspended');
  assert.deepEqual(marks((await list(human)).body), [1]);
});

test('200 for the owner of an agent, who needs agents:read besides events:read', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  await appendEvents(server.db, [agent.id], 'for the agent');
  const query = `?principal_id=${agent.id}&type=comment.created`;
  assert.deepEqual(marks((await list(owner, query)).body), ['for the agent']);
  assert.deepEqual(marks((await list(agent, query)).body), ['for the agent']);
  const token = await storeToken(server, owner.id, ['events:read']);
  assertMissingScope(await list({ ...owner, token }, query), 'agents:read');
  const blind = await storeToken(server, owner.id, ['agents:read']);
  assertMissingScope(await list({ ...owner, token: blind }, query), 'events:read');
});

test('400 invalid-request: a limit, a wait, a since or a type out of bounds', async () => {
  const human = await server.register();
  for (const query of ['limit=0', 'limit=101', 'wait=26', 'wait=-1', 'wait=1.5', 'since=x'])
    assertProblem(await list(human, `?${query}`), 'invalid-request');
  assertProblem(await list(human, `?type=${'x'.repeat(65)}`), 'invalid-request');
  assertProblem(await list(human, `?cursor=${human.id}`), 'invalid-request');
});

test('403 forbidden: another person, another’s agent, and an agent for its owner', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, other);
  for (const [who, whose] of [
    [human, other],
    [human, agent],
    [agent, other],
  ] as const)
    assertProblem(await list(who, `?principal_id=${whose.id}&wait=1`), 'forbidden');
});

test('404 not-found: no account has this id, or the agent is closed', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  await setPrincipalStatus(server, agent.id, 'closed');
  for (const id of [newId(3), agent.id])
    assertProblem(await list(owner, `?principal_id=${id}`), 'not-found');
});

test('an issued token and a follow notify the party that did not do it', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const issued = (await list(agent)).body.items;
  assert.deepEqual(
    issued.map(({ type }: { type: string }) => type),
    ['token.issued'],
  );
  assert.equal(issued[0].actor_principal_id, owner.id);
  assert.equal(issued[0].subject_id, agent.id);
  assert.deepEqual((await list(owner)).body.items, []);
});
