// GET /v1/principals/{id}/quota over HTTP: the shared allowances of an owner and all agents, in races.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { quotaActions, quotas } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, setTrustLevel, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { assertMissingScope } from '#test/problem-checks';

const allowed = 20;
const wide = {
  reads_per_minute: 1_000_000,
  writes_per_minute: 1_000_000,
  registrations_per_hour: 1_000_000,
};
const server = await startLimitedServer({
  rates: wide,
  quotas: {
    'tokens.create': [allowed, 30, 30, 30],
    'revisions.create': [5, 6, 7, 8],
    'articles.create': [100, 100, 100, 100],
  },
});
after(() => server[Symbol.asyncDispose]());

const quotaOf = (id: string, token: string) =>
  server.ask('GET', `/v1/principals/${id}/quota`, { token });

function entry(response: Response, action: string) {
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body.quotas.find((one: { action: string }) => one.action === action);
}

const remainderOf = async (human: Human, action: string) =>
  entry(await quotaOf(human.id, human.token), action).remaining as number;

const issue = (human: Human, principalId = human.id) =>
  server.ask('POST', '/v1/tokens', {
    token: human.token,
    key: true,
    body: { principal_id: principalId, name: 'one more', scopes: [] },
  });

test('200 with every action of the interface, its window and when that ends', async () => {
  const human = await server.register();
  const before = Date.now();
  const { status, body, headers } = await quotaOf(human.id, human.token);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'private, no-store');
  assert.equal(body.principal_id, human.id);
  assert.equal(body.trust_level, 0);
  assert.deepEqual(
    body.quotas.map(({ action }: { action: string }) => action),
    quotaActions,
  );
  for (const { action, window, limit, remaining: left, reset_at } of body.quotas) {
    assert.equal(window, quotas[action as keyof typeof quotas].window);
    assert.equal(left, limit);
    if (window === 'total') {
      assert.equal(reset_at, '9999-12-31T23:59:59.999Z');
      continue;
    }
    const ms = window === 'hour' ? 3_600_000 : 86_400_000;
    assert.equal(Date.parse(reset_at) % ms, 0, 'a calendar window in UTC');
    assert.ok(Date.parse(reset_at) > before && Date.parse(reset_at) <= Date.now() + ms);
  }
});

test('200 with the limit of the trust level in force', async () => {
  const human = await server.register();
  for (const level of [1, 2, 3]) {
    await setTrustLevel(server, human.id, level);
    const answer = await quotaOf(human.id, human.token);
    assert.equal(answer.body.trust_level, level);
    assert.equal(entry(answer, 'revisions.create').limit, 5 + level);
  }
});

test('200 counts effects: no failure, no replay, no dry run', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const path = `/v1/articles/${id}/revisions`;
  const asked = {
    token: human.token,
    key: 'the same key',
    headers: { 'if-match': `"${revision_id}"` },
    body: { title: 'Another' },
  };
  assert.equal((await server.ask('POST', `${path}?dry_run=true`, asked)).status, 200);
  assertProblem(
    await server.ask('POST', path, { ...asked, key: true, body: { title: '' } }),
    'validation-failed',
  );
  assert.equal(await remainderOf(human, 'revisions.create'), 5);
  assert.equal((await server.ask('POST', path, asked)).status, 201);
  assert.equal((await server.ask('POST', path, asked)).headers.get('idempotency-replayed'), 'true');
  assert.equal(await remainderOf(human, 'revisions.create'), 4);
  assert.equal(await remainderOf(human, 'articles.create'), 99);
});

test('50 charges at once at the edge: exactly the allowance, and none of it is left', async () => {
  const human = await server.register();
  for (let n = 0; n < 5; n += 1) assert.equal((await issue(human)).status, 201);
  const answers = await Promise.all(Array.from({ length: 50 }, () => issue(human)));
  const issued = answers.filter(({ status }) => status === 201);
  assert.equal(issued.length, allowed - 5);
  for (const refused of answers.filter(({ status }) => status !== 201)) {
    assertProblem(refused, 'quota-exceeded');
    assert.equal(refused.body.quota.limit, allowed);
  }
  assert.equal(await remainderOf(human, 'tokens.create'), 0);
  const listed = await server.ask('GET', '/v1/tokens?limit=100', { token: human.token });
  assert.equal(listed.body.items.length, allowed + 1, 'what was refused left nothing');
});

test('200 for an agent shows the pool of its owner: to itself, and to the owner', async () => {
  const human = await server.register();
  await setTrustLevel(server, human.id, 2);
  const agents = [await storeAgent(server, human), await storeAgent(server, human)];
  for (const agent of agents) await server.draft(agent);
  await server.draft(human);
  for (const [id, token] of [
    [human.id, human.token],
    ...agents.flatMap((agent) => [
      [agent.id, agent.token],
      [agent.id, human.token],
    ]),
  ]) {
    const answer = await quotaOf(id ?? '', token ?? '');
    assert.equal(answer.body.principal_id, id);
    assert.equal(answer.body.trust_level, 2);
    assert.equal(entry(answer, 'articles.create').remaining, 97);
  }
});

test('200 after the allowance was lowered below what is used: 0, never less', async () => {
  const human = await server.register();
  await setTrustLevel(server, human.id, 1);
  for (let n = 0; n < allowed + 2; n += 1) assert.equal((await issue(human)).status, 201);
  await setTrustLevel(server, human.id, 0);
  assert.equal(await remainderOf(human, 'tokens.create'), 0);
  assertProblem(await issue(human), 'quota-exceeded');
});

test('200 in a new window: what was used before does not count', async () => {
  const human = await server.register();
  await issue(human);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update quota_uses
      set window_start = ${new Date(Date.now() - 2 * 86_400_000).toISOString()}
      where bucket = ${bucketOf(human.id)} and principal_id = ${human.id}`),
  );
  assert.equal(await remainderOf(human, 'tokens.create'), allowed);
});

test('200 with a token without any scope, for the caller', async () => {
  const human = await server.register();
  const bare = await storeToken(server, human.id, []);
  assert.equal((await quotaOf(human.id, bare)).status, 200);
});

test('200 with LIMITS=off: the default numbers, nothing used', async () => {
  await using free = await startServer();
  const human = await free.register();
  await free.draft(human);
  const { body } = await free.ask('GET', `/v1/principals/${human.id}/quota`, {
    token: human.token,
  });
  for (const { action, limit, remaining: left } of body.quotas) {
    assert.equal(limit, quotas[action as keyof typeof quotas].levels[0] * 10, 'on loopback');
    assert.equal(left, limit);
  }
});

test('403 insufficient-scope for the caller’s own agent without agents:read', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const narrow = await storeToken(server, human.id, ['agents:manage']);
  assertMissingScope(await quotaOf(agent.id, narrow), 'agents:read');
});

test('403 forbidden for anybody else: strangers, their agents, and the owner for the agent', async () => {
  const human = await server.register();
  const stranger = await server.register();
  const agent = await storeAgent(server, human);
  const reader = await storeToken(server, agent.id, ['agents:read']);
  assertProblem(await quotaOf(stranger.id, human.token), 'forbidden');
  assertProblem(await quotaOf(agent.id, stranger.token), 'forbidden');
  assertProblem(await quotaOf(human.id, reader), 'forbidden');
});

test('404 not-found for an unknown id, and for an agent that is closed', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  await setPrincipalStatus(server, agent.id, 'closed');
  assertProblem(await quotaOf(newId(bucketOf(human.id)), human.token), 'not-found');
  assertProblem(await quotaOf(agent.id, human.token), 'not-found');
});

test('401 unauthenticated without a token', async () => {
  const human = await server.register();
  assertProblem(await server.ask('GET', `/v1/principals/${human.id}/quota`), 'unauthenticated');
});
