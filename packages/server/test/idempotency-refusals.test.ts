// Idempotency keys over HTTP: which are refused, and what is looked at before them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setPrincipalStatus } from './accounts.ts';
import { assertProblem, freshKey, startServer } from './harness.ts';
import type { Asked, Human, Response } from './harness.ts';
import { assertFault, assertMissingScope } from './problem-checks.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const text = { title: 'T', content: 'C', metadata: { a: 1, b: { c: 2, d: 'é' } } };
const post = (path: string, asked: Asked): Promise<Response> => server.ask('POST', path, asked);
const create = (human: Human, key: string, asked: Asked = { body: text }) =>
  post('/v1/articles', { token: human.token, key, ...asked });
const drafts = async (human: Human): Promise<number> =>
  (await server.ask('GET', '/v1/articles?status=draft&limit=100', { token: human.token })).body
    .items.length;

test('422 idempotency-key-reuse: another body', async () => {
  const human = await server.register();
  const key = freshKey();
  await create(human, key);
  for (const body of [
    { ...text, title: 'Other' },
    { title: 'T', content: 'C' },
    { ...text, metadata: { ...text.metadata, a: '1' } },
    { ...text, visibility: 'public' },
  ]) {
    assertProblem(await create(human, key, { body }), 'idempotency-key-reuse');
  }
  assert.equal(await drafts(human), 1);
});

test('422 idempotency-key-reuse: another path with the same body', async () => {
  const human = await server.register();
  const [one, other] = [await server.draft(human), await server.draft(human)];
  const asked = { token: human.token, key: freshKey(), body: {} };
  assert.equal((await post(`/v1/articles/${one.id}/publish`, asked)).status, 200);
  assertProblem(await post(`/v1/articles/${other.id}/publish`, asked), 'idempotency-key-reuse');
  assertProblem(await post(`/v1/articles/${one.id}/revisions`, asked), 'idempotency-key-reuse');
  assert.equal(
    (await server.ask('GET', `/v1/articles/${other.id}`, { token: human.token })).body.status,
    'draft',
  );
});

test('403 before a replay: scope and state of the account are looked at each time', async () => {
  const human = await server.register();
  const key = freshKey();
  await create(human, key);
  const token = await server.tokenWith(human, ['articles:read']);
  assertMissingScope(await create({ ...human, token }, key), 'articles:write');
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await create(human, key), 'forbidden');
});

test('the body is looked at before the key: what is wrong never replays', async () => {
  const human = await server.register();
  const key = freshKey();
  await create(human, key);
  assertFault(await create(human, key, { body: { ...text, extra: 1 } }), '/extra');
  assertProblem(await create(human, key, { raw: '{' }), 'invalid-request');
});

test('201 for keys of 8 and of 255 visible characters', async () => {
  const human = await server.register();
  for (const key of ['12345678', 'k'.repeat(255), '!"#$%&~^', '"quoted-key"'])
    assert.equal((await create(human, key)).status, 201, key);
});

const malformed: readonly [string, string][] = [
  ['empty', ''],
  ['7 characters', '1234567'],
  ['256 characters', 'k'.repeat(256)],
  ['a tab inside', 'two\twords'],
  ['not ASCII', 'schlüssel'],
  ['blanks around too little', '  1234567  '],
];
for (const [what, key] of malformed) {
  test(`400 invalid-request: a key that is ${what}`, async () => {
    const refused = await create(await server.register(), key);
    assertProblem(refused, 'invalid-request');
    assert.match(refused.body.detail, /Idempotency-Key/);
    assert.match(refused.body.detail, /8 to 255/);
  });
}

test('400 invalid-request: no key', async () => {
  const { token } = await server.register();
  const refused = await post('/v1/articles', { token, body: text });
  assertProblem(refused, 'invalid-request');
  assert.match(refused.body.detail, /Idempotency-Key/);
});

test('operations that take no key do not look at one', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  for (const language of ['de', 'fr']) {
    const { status, body, headers } = await server.ask('PATCH', `/v1/articles/${id}`, {
      token: human.token,
      key: 'x',
      body: { language },
    });
    assert.equal(status, 200);
    assert.equal(body.language, language);
    assert.equal(headers.get('idempotency-replayed'), null);
  }
});
