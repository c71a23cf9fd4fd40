// Idempotency keys over HTTP: one effect for one key, whatever is sent and however often.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { setTrustLevel } from './accounts.ts';
import { assertProblem, freshKey } from './harness.ts';
import { blockedByLock } from './blocked-by-lock.ts';
import type { Asked, Human, Response } from './harness.ts';
import { scarce, startScarceServer } from './limits-file.ts';
import { assertFault, assertQuotaExceeded } from './problem-checks.ts';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

const text = { title: 'T', content: 'C', metadata: { a: 1, b: { c: 2, d: 'é' } } };
const post = (path: string, asked: Asked): Promise<Response> => server.ask('POST', path, asked);
const create = (human: Human, key: string, asked: Asked = { body: text }) =>
  post('/v1/articles', { token: human.token, key, ...asked });
const drafts = async (human: Human): Promise<number> =>
  (await server.ask('GET', '/v1/articles?status=draft&limit=100', { token: human.token })).body
    .items.length;

/** Sets the clock of a key back. */
async function age(human: Human, key: string, hours: number): Promise<void> {
  const created = new Date(Date.now() - hours * 3_600_000).toISOString();
  const rows = await server.db.transaction((tx) =>
    tx.run(sql`
      update idempotency_keys
      set created_at = ${created}
      where bucket = ${bucketOf(human.id)} and principal_id = ${human.id} and key = ${key}`),
  );
  assert.equal(rows, 1);
}

function assertReplay(again: Response, first: Response): void {
  assert.equal(first.headers.get('idempotency-replayed'), null);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(again.status, first.status);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('location'), first.headers.get('location'));
  assert.equal(again.headers.get('cache-control'), first.headers.get('cache-control'));
}

test('201 again with the first body and Location, and one effect', async () => {
  const human = await server.register();
  const key = freshKey();
  const first = await create(human, key);
  assert.equal(first.status, 201);
  for (let n = 0; n < 3; n += 1) assertReplay(await create(human, key), first);
  assert.equal(await drafts(human), 1);
});

test('the first answer again from every operation that takes a key', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const requests: readonly [string, unknown, number][] = [
    [`/v1/articles/${id}/revisions`, { content: 'new', expected_revision_id: revision_id }, 201],
    [`/v1/articles/${id}/publish`, {}, 200],
    [`/v1/articles/${id}/publish`, { revision_id }, 200],
  ];
  for (const [path, body, status] of requests) {
    const asked = { token: human.token, key: freshKey(), body };
    const first = await post(path, asked);
    assert.equal(first.status, status);
    assertReplay(await post(path, asked), first);
  }
  const { items } = (
    await server.ask('GET', `/v1/articles/${id}/revisions`, { token: human.token })
  ).body;
  assert.equal(items.length, 2);
  const unchanged = {
    token: human.token,
    key: freshKey(),
    body: { expected_revision_id: items[0].revision_id },
  };
  const first = await post(`/v1/articles/${id}/revisions`, unchanged);
  assert.equal(first.body.unchanged, true);
  assertReplay(await post(`/v1/articles/${id}/revisions`, unchanged), first);
});

test('201 again for the same body in another spelling: order, white space, escapes, numbers', async () => {
  const human = await server.register();
  const key = freshKey();
  const first = await create(human, key);
  const spellings = [
    JSON.stringify(text, null, 2),
    '{"metadata":{"b":{"d":"é","c":2},"a":1},"content":"C","title":"T"}',
    String.raw`{"title":"\u0054","content":"C","metadata":{"a":1.0,"b":{"c":20e-1,"d":"\u00e9"}}}`,
  ];
  for (const raw of spellings) assertReplay(await create(human, key, { raw }), first);
});

test('201 again by another token of the same person', async () => {
  const human = await server.register();
  const key = freshKey();
  const first = await create(human, key);
  const token = await server.tokenWith(human, ['articles:write']);
  assertReplay(await create({ ...human, token }, key), first);
});

test('201 again although the state has moved on', async () => {
  const human = await server.register();
  const key = freshKey();
  const first = await create(human, key);
  await server.ask('DELETE', `/v1/articles/${first.body.id}`, { token: human.token });
  assertReplay(await create(human, key), first);
});

test('201 again costs no allowance', async () => {
  const human = await server.register();
  await setTrustLevel(server, human.id, 1);
  const keys = Array.from({ length: scarce }, freshKey);
  for (const key of keys)
    for (let n = 0; n < 3; n += 1) assert.equal((await create(human, key)).status, 201);
  assertQuotaExceeded(await create(human, freshKey()), 'articles.create', scarce);
  for (const key of keys) assert.equal((await create(human, key)).status, 201);
});

test('201 again with the secret left out, and no secret is stored', async () => {
  const human = await server.register();
  const asked = {
    token: human.token,
    key: freshKey(),
    body: { principal_id: human.id, name: 'n', scopes: [] },
  };
  const first = await post('/v1/tokens', asked);
  assert.equal(first.status, 201);
  const again = await post('/v1/tokens', asked);
  assert.equal(again.status, 201);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, { ...first.body, token: null });
  const stored = await server.db.rows(
    sql<{ body: string }>`select body from idempotency_keys where key = ${asked.key}`,
  );
  assert.equal(stored.length, 1);
  assert.ok(!stored[0]?.body.includes(first.body.token));
  assert.equal(
    (await server.ask('GET', '/v1/tokens', { token: human.token })).body.items.length,
    2,
  );
});

test('201 for each of two principals with the same key', async () => {
  const [one, other] = [await server.register(), await server.register()];
  const key = freshKey();
  const [first, second] = [
    await create(one, key),
    await create(other, key, { body: { ...text, title: 'other' } }),
  ];
  assert.equal(second.status, 201);
  assert.equal(second.headers.get('idempotency-replayed'), null);
  assert.notEqual(second.body.id, first.body.id);
});

test('201 for a new write with a key that is older than a day, with any body; a replay for a younger one', async () => {
  const human = await server.register();
  const key = freshKey();
  const first = await create(human, key);
  await age(human, key, 23.9);
  assertReplay(await create(human, key), first);
  await age(human, key, 24.1);
  const other = { body: { ...text, title: 'Another day' } };
  const second = await create(human, key, other);
  assert.equal(second.status, 201);
  assert.notEqual(second.body.id, first.body.id);
  assertReplay(await create(human, key, other), second);
  assert.equal(await drafts(human), 2);
});

test('201 once for 30 at the same time with one key; the others replay it or are in progress', async () => {
  const human = await server.register();
  const key = freshKey();
  const answers = await Promise.all(Array.from({ length: 30 }, () => create(human, key)));
  const first = answers.find(
    ({ status, headers }) => status === 201 && headers.get('idempotency-replayed') === null,
  );
  assert.ok(first);
  for (const answer of answers) {
    if (answer === first) continue;
    if (answer.status === 201) {
      assertReplay(answer, first);
      continue;
    }
    assertProblem(answer, 'idempotency-in-progress');
    assert.ok(answer.body.retry_after_seconds >= 1);
    assert.equal(answer.headers.get('retry-after'), String(answer.body.retry_after_seconds));
  }
  assert.equal(await drafts(human), 1);
  assertReplay(await create(human, key), first);
});

test('one token for 10 at the same time with one key', async () => {
  const human = await server.register();
  const asked = {
    token: human.token,
    key: freshKey(),
    body: { principal_id: human.id, name: 'n' },
  };
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('/v1/tokens', asked)));
  const shown = answers.filter(({ body }) => typeof body.token === 'string');
  assert.equal(shown.length, 1);
  assert.equal(
    (await server.ask('GET', '/v1/tokens', { token: human.token })).body.items.length,
    2,
  );
});

test('200 for one and 422 for the other of two different bodies at the same time with one key', async () => {
  const human = await server.register();
  for (let round = 0; round < 5; round += 1) {
    const key = freshKey();
    const answers = await Promise.all(
      ['a', 'b'].map((content) => create(human, key, { body: { ...text, content } })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    const lost = answers.find(({ status }) => status !== 201);
    assert.ok(lost?.status === 409 || lost?.status === 422, String(lost?.status));
  }
  assert.equal(await drafts(human), 5);
});

test('201 after a failure with the same key: 422, 404, 412 and 429 are not remembered', async () => {
  const human = await server.register();
  const key = freshKey();
  assertFault(await create(human, key, { body: { ...text, title: '' } }), '/title');
  await setTrustLevel(server, human.id, 1);
  for (let n = 0; n < scarce; n += 1) await create(human, freshKey());
  assertQuotaExceeded(await create(human, key), 'articles.create', scarce);
  await setTrustLevel(server, human.id, 0);
  const made = await create(human, key);
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('idempotency-replayed'), null);
  const path = `/v1/articles/${made.body.id}/revisions`;
  const other = freshKey();
  const asked = (expected_revision_id: string) => ({
    token: human.token,
    key: other,
    body: { content: 'x', expected_revision_id },
  });
  assertProblem(await post(path, asked(made.body.id)), 'precondition-failed');
  assertProblem(
    await post(`/v1/articles/${made.body.revision_id}/revisions`, asked(made.body.revision_id)),
    'not-found',
  );
  assert.equal((await post(path, asked(made.body.revision_id))).status, 201);
});

test('409 idempotency-in-progress at once while the first runs; its answer when it is done', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const asked = { token: human.token, key: freshKey(), body: {} };
  const publish = () => post(`/v1/articles/${id}/publish`, asked);
  const lock = sql`select id from articles where bucket = ${bucketOf(id)} and id = ${id} for update`;
  const [first] = await blockedByLock(server, lock, [publish], async () => {
    for (let n = 0; n < 3; n += 1) {
      const refused = await publish();
      assertProblem(refused, 'idempotency-in-progress');
      assert.equal(refused.headers.get('retry-after'), '1');
    }
  });
  assert.ok(first);
  assert.equal(first.status, 200);
  assertReplay(await publish(), first);
});
