// DELETE /v1/tokens/{id} over HTTP: who may revoke which token, and that it takes effect at once.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { agentScopes, setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const revoke = (token: string, id: string) => server.ask('DELETE', `/v1/tokens/${id}`, { token });
const me = (token: string) => server.ask('GET', '/v1/me', { token });
const idOf = async (token: string): Promise<string> => (await me(token)).body.token.id;

test('204 without a body, and the very next request is 401', async () => {
  const human = await server.register();
  for (let n = 0; n < 20; n += 1) {
    const token = await server.tokenWith(human, []);
    const id = await idOf(token);
    const { status, body } = await revoke(human.token, id);
    assert.equal(status, 204);
    assert.equal(body, '');
    assertProblem(await me(token), 'unauthenticated');
  }
});

test('204 again for what is revoked; the first time stays', async () => {
  const human = await server.register();
  const id = await idOf(await server.tokenWith(human, []));
  await revoke(human.token, id);
  const revokedAt = async () =>
    (await server.ask('GET', '/v1/tokens', { token: human.token })).body.items[0].revoked_at;
  const first = await revokedAt();
  assert.equal((await revoke(human.token, id)).status, 204);
  assert.equal(await revokedAt(), first);
});

test('204 for itself, whatever it carries', async () => {
  const bare = await server.tokenWith(await server.register(), []);
  assert.equal((await revoke(bare, await idOf(bare))).status, 204);
  assertProblem(await me(bare), 'unauthenticated');
});

test('204 for a token that it issued, without profile:write', async () => {
  const human = await server.register();
  const issuer = await server.tokenWith(human, ['articles:read']);
  const child = await server.tokenWith({ ...human, token: issuer }, ['articles:read']);
  assert.equal((await revoke(issuer, await idOf(child))).status, 204);
});

test('204 for any of the caller’s own tokens with profile:write', async () => {
  const human = await server.register();
  const narrow = await server.tokenWith(human, ['profile:write']);
  assert.equal((await revoke(narrow, await idOf(human.token))).status, 204);
});

test('204 for an owned agent’s token with agents:manage', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const narrow = await server.tokenWith(human, ['agents:manage']);
  assert.equal((await revoke(narrow, await idOf(agent.token))).status, 204);
  assertProblem(await me(agent.token), 'unauthenticated');
});

test('204 for both who revoke at once', async () => {
  const human = await server.register();
  const id = await idOf(await server.tokenWith(human, []));
  const answers = await Promise.all([revoke(human.token, id), revoke(human.token, id)]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204],
  );
});

test('400 invalid-request: an unknown query parameter', async () => {
  const human = await server.register();
  assertProblem(
    await revoke(human.token, `${await idOf(human.token)}?force=true`),
    'invalid-request',
  );
  assert.equal((await me(human.token)).status, 200);
});

test('401 unauthenticated: without a token', async () => {
  assertProblem(await server.ask('DELETE', `/v1/tokens/${newId(1)}`), 'unauthenticated');
});

test('403 insufficient-scope: another token of the caller’s own needs profile:write, an agent’s agents:manage', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const narrow = await server.tokenWith(human, ['articles:read']);
  assertMissingScope(await revoke(narrow, await idOf(human.token)), 'profile:write');
  assertMissingScope(await revoke(narrow, await idOf(agent.token)), 'agents:manage');
  assert.equal((await me(human.token)).status, 200);
});

test('403 forbidden: a suspended person', async () => {
  const human = await server.register();
  const id = await idOf(human.token);
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await revoke(human.token, id), 'forbidden');
});

const strangers: readonly [string, (human: Human) => Promise<Human>][] = [
  ['another person', () => server.register()],
  ['the caller’s own agent', (human) => storeAgent(server, human)],
  ['another’s agent', async () => storeAgent(server, await server.register())],
];
for (const [who, made] of strangers) {
  test(`404 not-found: ${who} learns nothing of a token`, async () => {
    const human = await server.register();
    const stranger = await made(human);
    const unknown = await revoke(stranger.token, newId(9));
    const known = await revoke(stranger.token, await idOf(human.token));
    for (const refused of [unknown, known]) assertProblem(refused, 'not-found');
    assert.equal(known.body.detail, unknown.body.detail);
    assert.equal((await me(human.token)).status, 200);
  });
}

test('404 not-found: an administrator is a stranger here', async () => {
  const human = await server.register();
  const admin = await storeToken(server, (await server.register()).id, [
    ...agentScopes,
    'admin:moderate',
    'admin:manage',
  ]);
  assertProblem(await revoke(admin, await idOf(human.token)), 'not-found');
});
