// POST /v1/tokens over HTTP: which tokens may be issued to whom, and the order of refusals.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ordinaryScopes, scopes as allScopes } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import {
  agentScopes,
  setPrincipalStatus,
  setTrustLevel,
  storeAgent,
  storeToken,
} from '#test/accounts';
import { assertProblem } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import type { Human } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import { assertFault, assertMissingScope, assertQuotaExceeded } from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

type Input = Readonly<Record<string, unknown>>;
const issue = (token: string, body: Input) =>
  server.ask('POST', '/v1/tokens', { token, key: true, body: { name: 'a token', ...body } });
const issueTo = (human: Human, input: Input = {}) =>
  issue(human.token, { principal_id: human.id, ...input });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test('201 with a token that works and is shown once', async () => {
  const human = await server.register();
  const { status, body, headers } = await issueTo(human, {
    scopes: ['articles:read', 'articles:write'],
  });
  assert.equal(status, 201);
  assert.equal(body.principal_id, human.id);
  assert.equal(body.name, 'a token');
  assert.equal(body.prefix, body.token.slice(0, 12));
  assert.deepEqual(body.scopes, ['articles:read', 'articles:write']);
  assert.equal(body.expires_at, null);
  assert.equal(headers.get('cache-control'), 'private, no-store');
  const me = await server.ask('GET', '/v1/me', { token: body.token });
  assert.deepEqual(me.body.scopes, body.scopes);
  assert.equal(me.body.token.id, body.id);
});

test('201 without scopes: all that the issuing token has', async () => {
  const human = await server.register();
  assert.deepEqual((await issueTo(human)).body.scopes, ordinaryScopes);
  const narrow = await server.tokenWith(human, ['events:read']);
  const again = await issue(narrow, { principal_id: human.id });
  assert.deepEqual(again.body.scopes, ['events:read']);
});

test('201 without scopes from an administrator: the admin scopes are not given by implication', async () => {
  const human = await server.register();
  const token = await storeToken(server, human.id, allScopes);
  assert.deepEqual((await issue(token, { principal_id: human.id })).body.scopes, ordinaryScopes);
  const outright = await issue(token, { principal_id: human.id, scopes: ['admin:moderate'] });
  assert.deepEqual(outright.body.scopes, ['admin:moderate']);
});

test('201 with no scope at all', async () => {
  const human = await server.register();
  const { status, body } = await issueTo(human, { scopes: [] });
  assert.equal(status, 201);
  const me = await server.ask('GET', '/v1/me', { token: body.token });
  assert.deepEqual(me.body.scopes, []);
});

test('201 with an end, exact to the millisecond; after it the token is 401', async () => {
  const human = await server.register();
  const expires = inMinutes(60);
  const { body } = await issueTo(human, { expires_at: expires });
  assert.equal(body.expires_at, expires);
  assert.equal(
    (await server.ask('GET', '/v1/me', { token: body.token })).body.token.expires_at,
    expires,
  );
  await server.db.transaction((tx) =>
    tx.run(
      sql`update tokens set expires_at = now() where bucket = ${bucketOf(body.id)} and id = ${body.id}`,
    ),
  );
  assertProblem(await server.ask('GET', '/v1/me', { token: body.token }), 'unauthenticated');
});

test('201 for an owned agent: never agents:manage', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { status, body } = await issue(human.token, { principal_id: agent.id });
  assert.equal(status, 201);
  assert.equal(body.principal_id, agent.id);
  assert.deepEqual(body.scopes, agentScopes);
  const me = await server.ask('GET', '/v1/me', { token: body.token });
  assert.equal(me.body.principal.id, agent.id);
});

test('201 for an agent by itself, with its own scopes', async () => {
  const agent = await storeAgent(server, await server.register(), ['articles:write']);
  const { status, body } = await issueTo(agent);
  assert.equal(status, 201);
  assert.deepEqual(body.scopes, ['articles:write']);
});

test('400 invalid-request: tokens have no trial', async () => {
  const { id: principal_id, token } = await server.register();
  const asked = { token, key: true as const, body: { principal_id, name: 'n' } };
  assertProblem(await server.ask('POST', '/v1/tokens?dry_run=true', asked), 'invalid-request');
});

test('403 insufficient-scope: no token issues more than its own scopes', async () => {
  const human = await server.register();
  const narrow = await server.tokenWith(human, ['articles:read', 'events:read']);
  for (const scope of allScopes.filter((one) => one !== 'articles:read' && one !== 'events:read')) {
    assertMissingScope(
      await issue(narrow, { principal_id: human.id, scopes: ['articles:read', scope] }),
      scope,
    );
  }
  assertMissingScope(
    await issueTo(human, { scopes: ['admin:moderate', 'admin:manage'] }),
    'admin:moderate',
    'admin:manage',
  );
});

test('403 insufficient-scope: an agent’s tokens need agents:manage', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const narrow = await server.tokenWith(human, ['articles:read']);
  assertMissingScope(
    await issue(narrow, { principal_id: agent.id, scopes: ['articles:read'] }),
    'agents:manage',
  );
});

test('403 forbidden: another person, another’s agent, and an agent for its owner', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, other);
  assertProblem(await issue(human.token, { principal_id: other.id }), 'forbidden');
  assertProblem(await issue(human.token, { principal_id: agent.id }), 'forbidden');
  assertProblem(await issue(agent.token, { principal_id: other.id }), 'forbidden');
});

test('403 forbidden: a suspended person, and the agent of one', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  await setPrincipalStatus(server, human.id, 'suspended');
  for (const one of [human, agent]) {
    const refused = await issueTo(one);
    assertProblem(refused, 'forbidden');
    assert.match(refused.body.detail, /suspended/);
  }
});

test('404 not-found: no account has this id, or the agent is closed', async () => {
  const human = await server.register();
  assertProblem(await issue(human.token, { principal_id: newId(7) }), 'not-found');
  const agent = await storeAgent(server, human);
  await setPrincipalStatus(server, agent.id, 'closed');
  assertProblem(await issue(human.token, { principal_id: agent.id }), 'not-found');
});

test('422 validation-failed: an end that lies in the past', async () => {
  const human = await server.register();
  assertFault(await issueTo(human, { expires_at: inMinutes(-1) }), '/expires_at');
});

test('422 validation-failed: a token that expires issues nothing that outlives it', async () => {
  const human = await server.register();
  const expires = inMinutes(30);
  const short = (await issueTo(human, { expires_at: expires })).body.token;
  assertFault(await issue(short, { principal_id: human.id }), '/expires_at');
  assertFault(await issue(short, { principal_id: human.id, expires_at: null }), '/expires_at');
  assertFault(
    await issue(short, { principal_id: human.id, expires_at: inMinutes(31) }),
    '/expires_at',
  );
  assert.equal((await issue(short, { principal_id: human.id, expires_at: expires })).status, 201);
});

test('422 validation-failed: agents:manage and admin scopes are not for agents, each named', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const refused = await issue(human.token, {
    principal_id: agent.id,
    scopes: ['agents:manage', 'articles:read', 'admin:moderate', 'admin:manage'],
  });
  for (const place of [0, 2, 3]) assertFault(refused, `/scopes/${place}`);
  assert.equal(refused.body.errors.length, 3);
});

test('422 validation-failed: unknown scopes are answered with the fifteen', async () => {
  const refused = await issueTo(await server.register(), {
    scopes: ['articles:read', 'everything'],
  });
  assert.deepEqual(assertFault(refused, '/scopes/1', 'enum').allowed_values, allScopes);
  assertFault(
    await issueTo(await server.register(), { scopes: ['articles:read', 'articles:read'] }),
    '/scopes',
  );
});

test('422 validation-failed: names of 0 and of 81 characters; 80 astral ones are taken', async () => {
  const human = await server.register();
  assertFault(await issueTo(human, { name: '' }), '/name');
  assertFault(await issueTo(human, { name: '🦉'.repeat(81) }), '/name');
  assert.equal((await issueTo(human, { name: '🦉'.repeat(80) })).status, 201);
});

test('422 validation-failed: a token as a name is a leak', async () => {
  const human = await server.register();
  assertFault(await issueTo(human, { name: human.token }), '/name', 'own-token');
});

test('429 quota-exceeded: at the end of the day’s allowance, which an owner and agents share', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  await setTrustLevel(server, human.id, 1);
  assert.equal((await issueTo(human)).status, 201);
  assertProblem(await issue(human.token, { principal_id: newId(1) }), 'not-found');
  assert.equal((await issueTo(agent)).status, 201);
  for (const one of [human, agent])
    assertQuotaExceeded(await issueTo(one), 'tokens.create', scarce);
});

test('the order of refusals: 401, 403, 400, 422, 404, 422 of the rules, 429', async () => {
  const human = await server.register();
  await setTrustLevel(server, human.id, 1);
  const ask = (token: string | undefined, key: string | undefined, body: Input) =>
    server.ask('POST', '/v1/tokens', {
      ...(token === undefined ? {} : { token }),
      headers: key === undefined ? {} : { 'idempotency-key': key },
      body,
    });
  const wrong = { principal_id: newId(1), name: '' };
  assertProblem(await ask(undefined, undefined, wrong), 'unauthenticated');
  assertProblem(await ask(human.token, undefined, wrong), 'invalid-request');
  assertProblem(await ask(human.token, 'order-key-1', wrong), 'validation-failed');
  assertProblem(
    await ask(human.token, 'order-key-2', { ...wrong, name: 'n', expires_at: inMinutes(-1) }),
    'not-found',
  );
  for (let n = 0; n < scarce; n += 1) await issueTo(human);
  assertFault(await issueTo(human, { expires_at: inMinutes(-1) }), '/expires_at');
  assertQuotaExceeded(await issueTo(human), 'tokens.create', scarce);
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await ask(human.token, undefined, wrong), 'forbidden');
});

test('401 unauthenticated: the issuing token is revoked while the request is under way', async () => {
  const human = await server.register();
  const { id, token } = (await issueTo(human)).body;
  const revocation = sql`update tokens set revoked_at = now() where bucket = ${bucketOf(id)} and id = ${id}`;
  const issuing = () => issue(token, { principal_id: human.id });
  const answers = await blockedByLock(server, revocation, [issuing, issuing]);
  for (const refused of [...answers, await issuing()]) assertProblem(refused, 'unauthenticated');
  const { items } = (await server.ask('GET', '/v1/tokens', { token: human.token })).body;
  assert.equal(items.length, 2);
});

test('201 tells the agent of its owner’s issue and the owner of the agent’s, never with the token', async () => {
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  const told = async ({ token }: Human) =>
    (await server.ask('GET', '/v1/events?type=token.issued', { token })).body.items;
  await issueTo(owner);
  assert.deepEqual(await told(owner), [], 'no one is notified of their own acts');
  const [byOwner, byAgent] = [
    await issue(owner.token, { principal_id: agent.id }),
    await issueTo(agent),
  ];
  for (const [whom, actor, issued] of [
    [agent, owner, byOwner],
    [owner, agent, byAgent],
  ] as const) {
    const [event, ...more] = await told(whom);
    assert.deepEqual(more, []);
    assert.equal(event.actor_principal_id, actor.id);
    assert.equal(event.subject_id, agent.id);
    assert.equal(event.payload.token_id, issued.body.id);
    assert.ok(!JSON.stringify(event).includes(issued.body.token));
  }
});
