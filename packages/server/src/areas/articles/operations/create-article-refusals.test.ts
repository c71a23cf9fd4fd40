// POST /v1/articles over HTTP: who may not, which bodies are invalid, and the order of refusals.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setPrincipalStatus, setTrustLevel, storeAgent } from '#test/accounts';
import { assertProblem } from '#test/harness';
import type { Human } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import { assertFault, assertMissingScope, assertQuotaExceeded } from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

type Members = Readonly<Record<string, unknown>>;
const text = { title: 'On hedgehogs', content: 'They *sleep* in winter.' };
const create = (human: Human, members: Members = {}, query = '') =>
  server.ask('POST', `/v1/articles${query}`, {
    token: human.token,
    key: true,
    body: { ...text, ...members },
  });

test('422 validation-failed with dry_run: the whole check', async () => {
  const human = await server.register();
  assertFault(await create(human, { title: '' }, '?dry_run=true'), '/title');
});

for (const query of [
  'dry_run=yes',
  'dry_run=1',
  'dry_run=',
  'dry_run=true&dry_run=true',
  'dryrun=true',
]) {
  test(`400 invalid-request: ?${query}`, async () => {
    assertProblem(await create(await server.register(), {}, `?${query}`), 'invalid-request');
  });
}

test('400 invalid-request: without an Idempotency-Key', async () => {
  const { token } = await server.register();
  const refused = await server.ask('POST', '/v1/articles', { token, body: text });
  assertProblem(refused, 'invalid-request');
  assert.match(refused.body.detail, /Idempotency-Key/);
});

test('401 unauthenticated: without a token', async () => {
  assertProblem(
    await server.ask('POST', '/v1/articles', { key: true, body: text }),
    'unauthenticated',
  );
});

test('403 insufficient-scope: articles:publish does not write', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, [
    'articles:read',
    'articles:publish',
    'articles:delete',
  ]);
  assertMissingScope(await create({ ...human, token }), 'articles:write');
});

test('403 forbidden: the suspended, and agents of the suspended and the closed', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  await setPrincipalStatus(server, agent.id, 'suspended');
  assertProblem(await create(agent), 'forbidden');
  await setPrincipalStatus(server, agent.id, 'active');
  assert.equal((await create(agent)).status, 201);
  for (const status of ['suspended', 'closed'] as const) {
    await setPrincipalStatus(server, human.id, status);
    assertProblem(await create(agent), 'forbidden');
  }
});

test('422 validation-failed names every fault at once, with the values that are taken', async () => {
  const human = await server.register();
  const body = {
    content: '',
    visibility: 'secret',
    authorship_disclosure: 'robot',
    canonical_url: 'ftp://x',
    language: 'x y',
    metadata: [],
    status: 'published',
  };
  const refused = await server.ask('POST', '/v1/articles', { token: human.token, key: true, body });
  const pointers = refused.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
  assert.deepEqual(pointers, [
    '/authorship_disclosure',
    '/canonical_url',
    '/content',
    '/language',
    '/metadata',
    '/status',
    '/title',
    '/visibility',
  ]);
  assert.deepEqual(assertFault(refused, '/visibility', 'enum').allowed_values, [
    'public',
    'unlisted',
    'private',
  ]);
  assertFault(refused, '/title', 'required');
  assertFault(refused, '/status', 'unknown');
});

for (const canonical_url of [
  '',
  'example.org',
  '//example.org/a',
  'javascript:alert(1)',
  'https://a@b.org/',
  'https://',
  'https://a b.org',
  'urn:x',
  'doi:example',
  'ipfs:QmCase',
  'data:text/html,x',
  'mailto:ann@example.org',
  `https://example.org/${'x'.repeat(2048)}`,
]) {
  test(`422 validation-failed: canonical_url ${JSON.stringify(canonical_url.slice(0, 30))}`, async () => {
    assertFault(await create(await server.register(), { canonical_url }), '/canonical_url');
  });
}

test('429 quota-exceeded: agents draw on their owner’s allowance; refusals cost nothing', async () => {
  const human = await server.register();
  const agents = [await storeAgent(server, human), await storeAgent(server, human)];
  await setTrustLevel(server, human.id, 1);
  assertFault(await create(human, { title: '' }), '/title');
  for (const agent of agents) assert.equal((await create(agent)).status, 201);
  for (const one of [human, ...agents])
    assertQuotaExceeded(await create(one), 'articles.create', scarce);
});

test('429 quota-exceeded for all but two of twelve at once', async () => {
  const human = await server.register();
  await setTrustLevel(server, human.id, 1);
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(human)));
  assert.equal(answers.filter(({ status }) => status === 201).length, scarce);
  for (const answer of answers)
    if (answer.status !== 201) assertQuotaExceeded(answer, 'articles.create', scarce);
});

test('the order of refusals: 401, 403, 400, 422, 429', async () => {
  const human = await server.register();
  const bare = await server.tokenWith(human, []);
  const ask = (token: string | undefined, key: boolean, body: unknown) =>
    server.ask('POST', `/v1/articles${key ? '' : '?oops=1'}`, {
      ...(token === undefined ? {} : { token }),
      ...(key ? { key: true as const } : {}),
      body,
    });
  assertProblem(await ask(undefined, false, { title: 5 }), 'unauthenticated');
  assertMissingScope(await ask(bare, false, { title: 5 }), 'articles:write');
  assertProblem(await ask(human.token, false, { title: 5 }), 'invalid-request');
  await setTrustLevel(server, human.id, 1);
  for (let n = 0; n < scarce; n += 1) await create(human);
  assertFault(await ask(human.token, true, { title: 5 }), '/title');
  assertQuotaExceeded(await ask(human.token, true, text), 'articles.create', scarce);
});
