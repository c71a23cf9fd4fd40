// GET /v1/me over HTTP: the caller's record, and which credentials are accepted.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ordinaryScopes, scopes as allScopes } from '@colophon/contract';
import { agentScopes, setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const me = (token: string) => server.ask('GET', '/v1/me', { token });
const readWith = (authorization: string) =>
  server.ask('GET', '/v1/me', { headers: { authorization } });

test('200 with principal, token and scopes of a person', async () => {
  const human = await server.register();
  const { status, body, headers } = await me(human.token);
  assert.equal(status, 200);
  const { created_at, ...principal } = body.principal;
  assert.deepEqual(principal, {
    id: human.id,
    kind: 'human',
    username: human.username,
    display_name: null,
    bio: null,
    trust_level: 0,
    status: 'active',
    counts: { articles: 0, followers: 0, following: 0 },
    trust: 'untrusted',
  });
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
  assert.equal(body.token.prefix, human.token.slice(0, 12));
  assert.equal(body.token.principal_id, human.id);
  assert.deepEqual(body.scopes, ordinaryScopes);
  assert.equal(headers.get('cache-control'), 'private, no-store');
  assert.equal(headers.get('etag'), null);
  assert.ok(!JSON.stringify(body).includes(human.token));
});

test('200 with owner, model and provider of an agent', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { principal, scopes } = (await me(agent.token)).body;
  assert.equal(principal.kind, 'agent');
  assert.equal(principal.owner_principal_id, human.id);
  assert.equal(principal.model, 'a model');
  assert.equal(principal.provider, 'a provider');
  assert.deepEqual(scopes, agentScopes);
});

test('200 never shows an agent scopes that agents may not have', async () => {
  const agent = await storeAgent(server, await server.register(), allScopes);
  assert.deepEqual((await me(agent.token)).body.scopes, agentScopes);
});

test('200 for the suspended, who see that they are', async () => {
  const human = await server.register();
  await setPrincipalStatus(server, human.id, 'suspended');
  const { status, body } = await me(human.token);
  assert.equal(status, 200);
  assert.equal(body.principal.status, 'suspended');
});

test('200 whatever the case of Bearer', async () => {
  const { token } = await server.register();
  for (const scheme of ['bearer', 'BEARER', 'Bearer '])
    assert.equal((await readWith(`${scheme} ${token}`)).status, 200);
});

test('401 unauthenticated: a token in the query is not a credential, and beside a header 400 invalid-request', async () => {
  const { token } = await server.register();
  assertProblem(await server.ask('GET', `/v1/me?access_token=${token}`), 'unauthenticated');
  assertProblem(
    await server.ask('GET', `/v1/me?access_token=${token}`, { token }),
    'invalid-request',
  );
});

test('401 unauthenticated without a token has no error code', async () => {
  const refused = await server.ask('GET', '/v1/me');
  assertProblem(refused, 'unauthenticated');
  const header = refused.headers.get('www-authenticate') ?? '';
  assert.match(header, /^Bearer realm="/);
  assert.ok(!header.includes('error='));
});

test('401 unauthenticated with an invalid token names invalid_token', async () => {
  const human = await server.register();
  const typo = human.token.slice(0, -1) + (human.token.endsWith('7') ? '8' : '7');
  const forms = [
    `Bearer ${typo}`,
    `Bearer ${human.token}x`,
    `Bearer ${human.token.toLowerCase()}`,
    'Bearer x',
    'Bearer',
    human.token,
    `Basic ${btoa(`${human.username}:${human.token}`)}`,
    `Bearer ${human.token}, Bearer ${human.token}`,
    `Bearer clps_${human.token.slice(4)}`,
    `Bearer ${'x'.repeat(2000)}`,
  ];
  for (const form of forms) {
    const refused = await readWith(form);
    assertProblem(refused, 'unauthenticated');
    assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/, form);
  }
});

test('401 unauthenticated: a cookie is not a credential', async () => {
  const { token } = await server.register();
  assertProblem(
    await server.ask('GET', '/v1/me', {
      headers: { cookie: `token=${token}; __Host-session=${token}` },
    }),
    'unauthenticated',
  );
});

test('401 unauthenticated: a closed account, an expired token', async () => {
  const human = await server.register();
  assertProblem(
    await me(await storeToken(server, human.id, [], new Date(Date.now() - 1))),
    'unauthenticated',
  );
  await setPrincipalStatus(server, human.id, 'closed');
  assertProblem(await me(human.token), 'unauthenticated');
});
