// POST /v1/follows over HTTP: a new follow, an existing one, the refusals, and the event.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { setPrincipalStatus, setTrustLevel, storeToken } from '#test/accounts';
import { createAgent } from '#test/agents';
import { assertProblem, freshKey } from '#test/harness';
import type { Human } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import { assertFault, assertMissingScope, assertQuotaExceeded } from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

const follow = (human: Human, id: string, key?: string) =>
  server.ask('POST', '/v1/follows', {
    token: human.token,
    body: { principal_id: id },
    ...(key === undefined ? {} : { key }),
  });
const eventsOf = async (human: Human) =>
  (await server.ask('GET', '/v1/events', { token: human.token })).body.items;
const counts = async (human: Human) =>
  (await server.ask('GET', `/v1/principals/${human.id}`)).body.counts;

test('201 with the record, counted and listed on both sides', async () => {
  const [one, other] = [await server.register(), await server.register()];
  const { status, body } = await follow(one, other.id);
  assert.equal(status, 201);
  assert.equal(body.follower_principal_id, one.id);
  assert.equal(body.followee_principal_id, other.id);
  assert.equal((await counts(one)).following, 1);
  assert.equal((await counts(other)).followers, 1);
  const list = await server.ask('GET', `/v1/principals/${other.id}/followers`);
  assert.deepEqual(
    list.body.items.map(({ id }: { id: string }) => id),
    [one.id],
  );
});

test('201 notifies the followed account, and no one else', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await follow(one, other.id);
  const [event, ...more] = await eventsOf(other);
  assert.deepEqual(more, []);
  assert.equal(event.type, 'follow.created');
  assert.equal(event.actor_principal_id, one.id);
  assert.equal(event.subject_type, 'principal');
  assert.equal(event.subject_id, one.id);
  assert.deepEqual(await eventsOf(one), []);
});

test('201 for an agent, and for one that follows its owner', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  assert.equal((await follow(agent, owner.id)).status, 201);
  assert.equal((await follow(owner, agent.id)).status, 201);
});

test('200 with the record there is: not told again, not charged again', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await setTrustLevel(server, one.id, 1);
  const first = await follow(one, other.id);
  for (let turn = 0; turn < scarce + 1; turn += 1) {
    const again = await follow(one, other.id);
    assert.equal(again.status, 200);
    assert.deepEqual(again.body, first.body);
  }
  assert.equal((await eventsOf(other)).length, 1);
  assert.equal((await counts(other)).followers, 1);
});

test('201 again as a replay of its Idempotency-Key', async () => {
  const [one, other] = [await server.register(), await server.register()];
  const key = freshKey();
  const first = await follow(one, other.id, key);
  const again = await follow(one, other.id, key);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
});

test('403 insufficient-scope without follows:write', async () => {
  const [one, other] = [await server.register(), await server.register()];
  const token = await storeToken(server, one.id, ['events:read']);
  assertMissingScope(await follow({ ...one, token }, other.id), 'follows:write');
});

test('403 forbidden for the suspended', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await setPrincipalStatus(server, one.id, 'suspended');
  assertProblem(await follow(one, other.id), 'forbidden');
});

test('404 not-found: no account has this id, or the account is closed', async () => {
  const [one, other] = [await server.register(), await server.register()];
  assertProblem(await follow(one, newId(7)), 'not-found');
  await setPrincipalStatus(server, other.id, 'closed');
  assertProblem(await follow(one, other.id), 'not-found');
  assert.equal((await counts(one)).following, 0);
});

test('201 for a suspended account: it may come back', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await setPrincipalStatus(server, other.id, 'suspended');
  assert.equal((await follow(one, other.id)).status, 201);
});

test('422 validation-failed: the caller', async () => {
  const one = await server.register();
  assertFault(await follow(one, one.id), '/principal_id', 'self');
});

test('422 validation-failed: no id', async () => {
  assertFault(await follow(await server.register(), 'x'), '/principal_id');
});

test('429 quota-exceeded: at the end of the day’s allowance', async () => {
  const one = await server.register();
  await setTrustLevel(server, one.id, 1);
  for (let n = 0; n < scarce; n += 1)
    assert.equal((await follow(one, (await server.register()).id)).status, 201);
  const other = await server.register();
  assertQuotaExceeded(await follow(one, other.id), 'follows.create', scarce);
  assert.equal((await counts(other)).followers, 0);
  assert.deepEqual(await eventsOf(other), []);
});

test('201 for one of ten at once, 200 for nine, one event', async () => {
  const [one, other] = [await server.register(), await server.register()];
  const answers = await Promise.all(Array.from({ length: 10 }, () => follow(one, other.id)));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [...Array<number>(9).fill(200), 201],
  );
  for (const { body } of answers) assert.deepEqual(body, answers[0]?.body);
  assert.equal((await eventsOf(other)).length, 1);
});
