// POST /v1/articles/{id}/revisions over HTTP: a single line of revisions, each on the previous one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, setPrincipalStatus, setTrustLevel, storeAgent } from '#test/accounts';
import { assertProblem, freshKey } from '#test/harness';
import type { Asked, Human } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import {
  assertFault,
  assertGone,
  assertLegallyRemoved,
  assertMissingScope,
  assertQuotaExceeded,
} from '#test/problem-checks';
import { expectedHash, expectedSigningInput } from '#test/signed-text';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

type Members = Readonly<Record<string, unknown>>;
const ask = (id: string, asked: Asked, query = '') =>
  server.ask('POST', `/v1/articles/${id}/revisions${query}`, { key: true, ...asked });
const revise = (human: Pick<Human, 'token'>, id: string, expected: string, body: Members) =>
  ask(id, { token: human.token, body, headers: { 'if-match': `"${expected}"` } });
const read = async (human: Human, id: string) =>
  (await server.ask('GET', `/v1/articles/${id}?view=latest`, { token: human.token })).body;

test('201 with the new revision, its hash, its signing input and its tag', async () => {
  const human = await server.register();
  const draft = await server.draft(human);
  const text = { title: 'Another', content: 'New *text*.', metadata: { b: [1], a: 'é' } };
  const { status, body, headers } = await revise(human, draft.id, draft.revision_id, text);
  assert.equal(status, 201);
  assert.equal(body.unchanged, false);
  assert.ok(body.revision_id > draft.revision_id);
  assert.equal(body.content_hash, expectedHash(text));
  assert.equal(
    body.signing_input,
    expectedSigningInput(server.baseUrl, human.id, { ...body, id: draft.id }),
  );
  assert.equal(headers.get('etag'), `"${body.revision_id}"`);
  assert.equal(
    headers.get('location'),
    `${server.baseUrl}/v1/articles/${draft.id}/revisions/${body.revision_id}`,
  );
  const made = await server.ask('GET', new URL(headers.get('location') ?? '').pathname, {
    token: human.token,
  });
  assert.equal(made.body.content, text.content);
  assert.equal(made.body.previous_revision_id, draft.revision_id);
  assert.deepEqual(made.body.metadata, text.metadata);
  assert.equal(made.body.created_at, body.created_at);
});

test('201 on a published article: only its author sees the new date, until the revision is published', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.published(human);
  const record = async (token?: string) => {
    const asked = token === undefined ? {} : { token };
    const one = await server.ask('GET', `/v1/articles/${id}`, asked);
    const list = await server.ask('GET', `/v1/articles?author=${human.id}`, asked);
    assert.equal(list.body.items[0].updated_at, one.body.updated_at);
    return { date: one.body.updated_at as string, tag: one.headers.get('etag') };
  };
  const before = await record();
  assert.deepEqual((await record(human.token)).date, before.date);
  const made = (await revise(human, id, revision_id, { content: 'Not yet.' })).body;
  assert.deepEqual(await record(), before);
  assert.deepEqual(await record((await server.register()).token), before);
  assert.equal((await record(human.token)).date, made.created_at);
  const publish = { token: human.token, key: freshKey(), body: {} };
  await server.ask('POST', `/v1/articles/${id}/publish`, publish);
  const { date } = await record();
  assert.ok(date >= made.created_at);
  assert.equal((await record(human.token)).date, date);
});

test('201 keeps the newest revision’s values of what is left out', async () => {
  const human = await server.register();
  const start = { title: 'One', content: 'two', metadata: { three: 3 } };
  const { id, revision_id } = await server.draft(human, start);
  let expected = revision_id;
  let text: typeof start = start;
  for (const change of [{ title: 'Uno' }, { content: 'due' }, { metadata: { three: 4 } }]) {
    const { body } = await revise(human, id, expected, change);
    text = { ...text, ...change };
    assert.equal(body.content_hash, expectedHash(text));
    expected = body.revision_id;
  }
  const shown = await read(human, id);
  assert.deepEqual({ title: shown.title, content: shown.content, metadata: shown.metadata }, text);
});

test('201 leaves readers with the published revision', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.published(human, { content: 'before' });
  const { body } = await revise(human, id, revision_id, { content: 'after' });
  const shown = (await server.ask('GET', `/v1/articles/${id}`)).body;
  assert.equal(shown.content, 'before');
  assert.equal(shown.revision_id, revision_id);
  assert.equal((await read(human, id)).revision_id, body.revision_id);
});

test('200 unchanged with the current revision, for the same text however it is written', async () => {
  const human = await server.register();
  const text = { title: 'T', content: 'é', metadata: { a: 1, b: { c: 2, d: 3 } } };
  const { id, revision_id, created_at, signing_input, content_hash } = await server.draft(
    human,
    text,
  );
  const spelled = String.raw`{ "metadata": {"b": {"d": 3.0, "c": 2e0}, "a": 1}, "content": "\u00e9" }`;
  const requests: Asked[] = [
    { body: {} },
    { body: text },
    { body: { title: 'T' } },
    { raw: spelled },
    {},
  ];
  for (const asked of requests) {
    const { status, body, headers } = await ask(id, {
      token: human.token,
      headers: { 'if-match': revision_id },
      ...asked,
    });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      revision_id,
      content_hash,
      created_at,
      signing_input,
      unchanged: true,
    });
    assert.equal(headers.get('etag'), `"${revision_id}"`);
  }
  const list = await server.ask('GET', `/v1/articles/${id}/revisions`, { token: human.token });
  assert.equal(list.body.items.length, 1);
});

test('201 back to an earlier text is a revision of its own', async () => {
  const human = await server.register();
  const { id, revision_id, content_hash } = await server.draft(human, { content: 'a' });
  const second = (await revise(human, id, revision_id, { content: 'b' })).body;
  const third = (await revise(human, id, second.revision_id, { content: 'a' })).body;
  assert.equal(third.unchanged, false);
  assert.equal(third.content_hash, content_hash);
  assert.notEqual(third.revision_id, revision_id);
});

test('200 with dry_run: the whole check, and no effect', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const trial = (expected: string) =>
    ask(
      id,
      { token: human.token, body: { content: 'other', expected_revision_id: expected } },
      '?dry_run=true',
    );
  const { status, body } = await trial(revision_id);
  assert.equal(status, 200);
  assert.equal(body.dry_run, true);
  assert.equal(body.unchanged, false);
  assert.equal((await read(human, id)).revision_id, revision_id);
  assertProblem(await trial(newId(1)), 'precondition-failed');
  assert.equal((await revise(human, id, revision_id, { content: 'other' })).status, 201);
});

test('400 invalid-request: without an Idempotency-Key', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  assertProblem(
    await server.ask('POST', `/v1/articles/${id}/revisions`, { token: human.token, body: {} }),
    'invalid-request',
  );
});

test('401 unauthenticated, 403 insufficient-scope, 403 forbidden for the suspended', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  assertProblem(await ask(id, { body: {} }), 'unauthenticated');
  const token = await server.tokenWith(human, ['articles:read', 'articles:publish']);
  assertMissingScope(await revise({ token }, id, revision_id, {}), 'articles:write');
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await revise(human, id, revision_id, {}), 'forbidden');
});

test('403 forbidden: another, and the owner of the agent that wrote it', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { id, revision_id } = await server.published(agent);
  for (const stranger of [human, await server.register()]) {
    assertProblem(await revise(stranger, id, revision_id, { content: 'mine' }), 'forbidden');
  }
  assert.equal((await revise(agent, id, revision_id, { content: 'x' })).status, 201);
});

test('404 not-found: another’s draft, private or removed draft, without a word about its revisions', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const removed = await server.draft(human);
  await server.ask('DELETE', `/v1/articles/${removed.id}`, { token: human.token });
  for (const { id } of [
    await server.draft(human),
    await server.published(human, { visibility: 'private' }),
    removed,
    { id: newId(2) },
  ]) {
    const refused = await ask(id, { token: other.token, body: {} });
    assertProblem(refused, 'not-found');
    assert.equal(refused.body.current_revision_id, undefined);
    assert.equal(refused.headers.get('etag'), null);
  }
});

test('410 gone and 451: what was removed is not revised', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.published(human);
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  assertGone(await revise(human, id, revision_id, { content: 'x' }));
  assertGone(await ask(id, { token: human.token, body: {} }));
  await removeLegally(server, id);
  assertLegallyRemoved(await revise(human, id, revision_id, { content: 'x' }));
});

test('422 validation-failed: title, content and metadata have the limits of creation', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const wrong = {
    title: '🦉'.repeat(301),
    content: 'é'.repeat(524_289),
    metadata: { a: 'x'.repeat(16_384) },
    language: 'de',
  };
  const refused = await revise(human, id, revision_id, wrong);
  for (const member of Object.keys(wrong)) assertFault(refused, `/${member}`);
  assertFault(
    await revise(human, id, revision_id, { content: `key: ${human.token}` }),
    '/content',
    'own-token',
  );
  for (const member of ['title', 'content', 'metadata'])
    assertFault(await revise(human, id, revision_id, { [member]: null }), `/${member}`);
});

test('429 quota-exceeded: at the end of the hour’s allowance; what changes nothing costs nothing', async () => {
  const human = await server.register();
  await setTrustLevel(server, human.id, 1);
  const draft = await server.draft(human);
  let expected = draft.revision_id;
  for (let n = 0; n < scarce; n += 1) {
    assert.equal((await revise(human, draft.id, expected, {})).status, 200);
    expected = (await revise(human, draft.id, expected, { content: `${n}` })).body.revision_id;
  }
  const refused = await revise(human, draft.id, expected, { content: 'more' });
  assertQuotaExceeded(refused, 'revisions.create', scarce);
  assert.equal(refused.body.quota.window, 'hour');
  assert.equal((await read(human, draft.id)).revision_id, expected);
  assert.equal((await revise(human, draft.id, expected, {})).status, 200);
});

test('the order of refusals: 401, 403, 400, 422, replay, 404, 403, 410, 428 or 412, 429', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id, revision_id } = await server.published(human);
  const bare = await server.tokenWith(human, ['articles:read']);
  const bad = { body: { nonsense: 1 }, headers: { 'if-match': '"a", "b"' } };
  assertProblem(await ask(id, bad), 'unauthenticated');
  assertMissingScope(await ask(id, { ...bad, token: bare }), 'articles:write');
  assertProblem(await ask(id, { ...bad, token: human.token }), 'invalid-request');
  assertFault(await ask('nonsense', { token: human.token, body: bad.body }), '/nonsense');
  const key = freshKey();
  const first = {
    token: human.token,
    key,
    body: { content: 'first', expected_revision_id: revision_id },
  };
  assert.equal((await ask(id, first)).status, 201);
  assertProblem(await ask(newId(1), { token: other.token, body: {} }), 'not-found');
  assertProblem(await ask(id, { token: other.token, body: {} }), 'forbidden');
  assertProblem(await ask(id, { token: human.token, body: {} }), 'precondition-required');
  await setTrustLevel(server, human.id, 1);
  for (let n = 0; n < scarce; n += 1)
    await ask(id, {
      token: human.token,
      body: { content: `${n}`, expected_revision_id: (await read(human, id)).latest_revision_id },
    });
  assertProblem(
    await ask(id, {
      token: human.token,
      body: { content: 'z', expected_revision_id: revision_id },
    }),
    'precondition-failed',
  );
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  assertGone(await ask(id, { token: human.token, body: {} }));
  assert.equal((await ask(id, first)).headers.get('idempotency-replayed'), 'true');
});
