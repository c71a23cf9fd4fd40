// POST /v1/articles/{id}/publish over HTTP: who may not, which bodies are invalid, and the order of refusals.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, setPrincipalStatus, setTrustLevel, storeAgent } from '#test/accounts';
import { assertProblem, freshKey } from '#test/harness';
import type { Asked, Human } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import { revise } from '#test/signed-articles';
import {
  assertFault,
  assertGone,
  assertLegallyRemoved,
  assertMissingScope,
  assertQuotaExceeded,
} from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

type Members = Readonly<Record<string, unknown>>;
const ask = (id: string, asked: Asked, query = '') =>
  server.ask('POST', `/v1/articles/${id}/publish${query}`, { key: true, ...asked });
const publish = (human: Pick<Human, 'token'>, id: string, body: Members = {}) =>
  ask(id, { token: human.token, body });
const anonymous = (id: string) => server.ask('GET', `/v1/articles/${id}`);
/** Adds a revision to the newest one and publishes it. */
async function publishMore(human: Human, id: string, content: string) {
  const newest = await server.ask('GET', `/v1/articles/${id}?view=latest`, { token: human.token });
  await revise(server, human, { id, revision_id: newest.body.latest_revision_id }, content);
  return publish(human, id);
}
const remove = (human: Human, id: string) =>
  server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });

test('400 invalid-request: without an Idempotency-Key', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  assertProblem(
    await server.ask('POST', `/v1/articles/${id}/publish`, { token: human.token, body: {} }),
    'invalid-request',
  );
});

test('401 unauthenticated, 403 insufficient-scope for a drafting token, 403 forbidden for the suspended', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  assertProblem(await ask(id, { body: {} }), 'unauthenticated');
  const token = await server.tokenWith(human, ['articles:read', 'articles:write']);
  assertMissingScope(await publish({ token }, id), 'articles:publish');
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await publish(human, id), 'forbidden');
});

test('403 forbidden: what another published, and the owner of the agent that wrote it', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { id } = await server.published(agent);
  for (const stranger of [human, await server.register()])
    assertProblem(await publish(stranger, id), 'forbidden');
});

test('403 forbidden: the owner sees the draft of an agent, and cannot publish it', async () => {
  const human = await server.register();
  const { id } = await server.draft(await storeAgent(server, human));
  assertProblem(await publish(human, id), 'forbidden');
});

test('404 not-found: another’s draft, private or removed draft, or nothing at all', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const removed = await server.draft(human);
  await remove(human, removed.id);
  const hidden = await server.published(human, { visibility: 'private' });
  for (const { id } of [
    await server.draft(human),
    hidden,
    removed,
    { id: newId(2) },
    { id: 'nonsense' },
  ]) {
    assertProblem(await publish(other, id), 'not-found');
  }
});

test('410 gone and 451: what was removed is not published again', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await remove(human, id);
  assertGone(await publish(human, id));
  await removeLegally(server, id);
  assertLegallyRemoved(await publish(human, id));
});

test('422 validation-failed: a revision of another article, and the answer names the newest', async () => {
  const human = await server.register();
  const [one, other] = [await server.draft(human), await server.draft(human)];
  const fault = assertFault(
    await publish(human, one.id, { revision_id: other.revision_id }),
    '/revision_id',
  );
  assert.ok(fault.detail.includes(one.revision_id));
});

test('422 validation-failed: a signature without a key, a key without a signature, a key that is not there', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const signature = 'A'.repeat(86);
  assertFault(await publish(human, id, { signature }), '/signature_key_id', 'required');
  assertFault(await publish(human, id, { signature_key_id: newId(1) }), '/signature', 'required');
  assertFault(
    await publish(human, id, { signature, signature_key_id: newId(1) }),
    '/signature_key_id',
    'unknown',
  );
  for (const length of [79, 101])
    assertFault(await publish(human, id, { signature: 'A'.repeat(length) }), '/signature');
  assertProblem(await anonymous(id), 'not-found');
});

for (const published_at of [
  'yesterday',
  '2026-01-31',
  '2026-01-31T09:30:00Z',
  '2026-01-31T09:30:00.000+01:00',
  '2026-02-30T09:30:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '2026-01-31T23:59:60.000Z',
  '',
]) {
  test(`422 validation-failed: published_at ${JSON.stringify(published_at)}`, async () => {
    const human = await server.register();
    const { id } = await server.draft(human);
    assertFault(await publish(human, id, { published_at }), '/published_at', 'format');
  });
}

test('429 quota-exceeded: at the end of the day’s allowance; refusals and trials cost nothing', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  await setTrustLevel(server, human.id, 1);
  for (let n = 0; n < scarce; n += 1) {
    assertFault(await publish(human, id, { revision_id: newId(1) }), '/revision_id');
    await ask(id, { token: human.token, body: {} }, '?dry_run=true');
    const done = n === 0 ? publish(human, id) : publishMore(human, id, `Text ${n}.`);
    assert.equal((await done).status, 200);
  }
  const refused = await publishMore(human, id, 'One too many.');
  assertQuotaExceeded(refused, 'articles.publish', scarce);
  assert.equal(refused.body.quota.window, 'day');
});

test('200 for what readers see already: nothing changes, and it costs nothing', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  await setTrustLevel(server, human.id, 1);
  const first = await publish(human, id);
  const before = (await anonymous(id)).body;
  const again = await Promise.all(Array.from({ length: 2 * scarce }, () => publish(human, id)));
  for (const { status, body } of again) {
    assert.equal(status, 200);
    assert.deepEqual({ ...body, processing: null }, { ...first.body, processing: null });
  }
  assert.equal((await anonymous(id)).body.updated_at, before.updated_at);
});

test('the order of refusals: 401, 403, 400, 422, replay, 404, 403, 410, 429', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id } = await server.draft(human);
  const bare = await server.tokenWith(human, ['articles:read', 'articles:write']);
  const wrong = { revision_id: 5 };
  assertProblem(
    await server.ask('POST', '/v1/articles/x/publish', { body: wrong }),
    'unauthenticated',
  );
  assertMissingScope(
    await server.ask('POST', '/v1/articles/x/publish', { token: bare, body: wrong }),
    'articles:publish',
  );
  assertProblem(
    await server.ask('POST', '/v1/articles/x/publish', { token: human.token, body: wrong }),
    'invalid-request',
  );
  assertFault(await publish(human, 'x', wrong), '/revision_id');
  const first = { token: human.token, key: freshKey(), body: {} };
  assert.equal((await ask(id, first)).status, 200);
  await setTrustLevel(server, human.id, 1);
  for (let n = 1; n < scarce; n += 1) await publishMore(human, id, `Text ${n}.`);
  const more = await publishMore(human, id, 'One too many.');
  assertQuotaExceeded(more, 'articles.publish', scarce);
  await remove(human, id);
  assertProblem(await publish(other, id), 'forbidden');
  assertGone(await publish(human, id));
  assert.equal((await ask(id, first)).headers.get('idempotency-replayed'), 'true');
});
