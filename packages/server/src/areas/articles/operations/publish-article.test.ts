// POST /v1/articles/{id}/publish over HTTP: the published pointer, its date, and its races.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { blockedByLock } from '#test/blocked-by-lock';
import { assertProblem } from '#test/harness';
import type { Asked, Human } from '#test/harness';
import { startScarceServer } from '#test/limits-file';
import { assertFault, assertGone } from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

type Members = Readonly<Record<string, unknown>>;
const ask = (id: string, asked: Asked, query = '') =>
  server.ask('POST', `/v1/articles/${id}/publish${query}`, { key: true, ...asked });
const publish = (human: Pick<Human, 'token'>, id: string, body: Members = {}) =>
  ask(id, { token: human.token, body });
const anonymous = (id: string) => server.ask('GET', `/v1/articles/${id}`);
const remove = (human: Human, id: string) =>
  server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

async function revise(
  human: Human,
  id: string,
  expected_revision_id: string,
  content: string,
): Promise<string> {
  const asked = { token: human.token, key: true as const, body: { content, expected_revision_id } };
  return (await server.ask('POST', `/v1/articles/${id}/revisions`, asked)).body.revision_id;
}

test('200 and anybody reads it at once', async () => {
  const human = await server.register();
  const draft = await server.draft(human, { content: 'Read me.' });
  assertProblem(await anonymous(draft.id), 'not-found');
  const before = Date.now();
  const { status, body, headers } = await publish(human, draft.id);
  assert.equal(status, 200);
  assert.equal(body.id, draft.id);
  assert.equal(body.revision_id, draft.revision_id);
  assert.equal(body.url, draft.url);
  assert.equal(body.signed, false);
  assert.ok(Date.parse(body.published_at) >= before && Date.parse(body.published_at) <= Date.now());
  assert.deepEqual(body.processing, {
    search_indexed: false,
    sitemap: 'pending',
    og_image: 'pending',
  });
  assert.equal(headers.get('cache-control'), 'private, no-store');
  const shown = (await anonymous(draft.id)).body;
  assert.equal(shown.status, 'published');
  assert.equal(shown.content, 'Read me.');
  assert.equal(shown.published_at, body.published_at);
  assert.equal(shown.signature, null);
});

test('200 without a body, with an empty one and with nulls: the newest revision, now', async () => {
  const human = await server.register();
  for (const asked of [
    {},
    { body: {} },
    { body: { signature: null, signature_key_id: null, published_at: null } },
  ]) {
    const { id, revision_id } = await server.draft(human);
    const newest = await revise(human, id, revision_id, 'newest');
    const { status, body } = await ask(id, { token: human.token, ...asked });
    assert.equal(status, 200);
    assert.equal(body.revision_id, newest);
  }
});

test('200 moves the pointer forth and back, and keeps the first date', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human, { content: 'one' });
  const first = (await publish(human, id)).body;
  const second = await revise(human, id, revision_id, 'two');
  assert.equal((await anonymous(id)).body.content, 'one');
  const moved = (await publish(human, id)).body;
  assert.equal(moved.revision_id, second);
  assert.equal(moved.published_at, first.published_at);
  assert.equal((await anonymous(id)).body.content, 'two');
  assert.equal((await publish(human, id, { revision_id })).body.revision_id, revision_id);
  const shown = (await anonymous(id)).body;
  assert.equal(shown.content, 'one');
  assert.equal(shown.published_at, first.published_at);
});

test('200 with a url after the published title', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human, { title: 'Before' });
  const body = { title: 'After', expected_revision_id: revision_id };
  await server.ask('POST', `/v1/articles/${id}/revisions`, { token: human.token, key: true, body });
  const { url } = (await publish(human, id)).body;
  assert.equal(url, `${server.baseUrl}/@${human.username}/after-${id}`);
  assert.equal((await anonymous(id)).body.url, url);
});

test('200 backdates a first publication; created_at stays true; a second date changes nothing', async () => {
  const human = await server.register();
  const { id, created_at } = await server.draft(human);
  const published_at = '1999-12-31T23:59:59.999Z';
  assert.equal((await publish(human, id, { published_at })).body.published_at, published_at);
  const shown = (await anonymous(id)).body;
  assert.equal(shown.published_at, published_at);
  assert.equal(shown.created_at, created_at);
  assert.equal(
    (await publish(human, id, { published_at: minutesFromNow(-1) })).body.published_at,
    published_at,
  );
});

test('200 for a clock that is a little ahead, 422 for more than five minutes', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  assertFault(
    await publish(human, id, { published_at: minutesFromNow(5.5) }),
    '/published_at',
    'future',
  );
  assertFault(
    await publish(human, id, { published_at: '9999-12-31T23:59:59.999Z' }),
    '/published_at',
    'future',
  );
  assert.equal((await publish(human, id, { published_at: minutesFromNow(4.5) })).status, 200);
});

test('200 for private and unlisted: published for those who may see it', async () => {
  const human = await server.register();
  const hidden = await server.draft(human, { visibility: 'private' });
  assert.equal((await publish(human, hidden.id)).status, 200);
  assertProblem(await anonymous(hidden.id), 'not-found');
  const unlisted = await server.draft(human, { visibility: 'unlisted' });
  await publish(human, unlisted.id);
  assert.equal((await anonymous(unlisted.id)).status, 200);
});

test('200 with dry_run: the whole check, and no effect', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const { status, body } = await ask(id, { token: human.token, body: {} }, '?dry_run=true');
  assert.equal(status, 200);
  assert.equal(body.dry_run, true);
  assert.equal(body.id, id);
  assertProblem(await anonymous(id), 'not-found');
  assertFault(
    await ask(id, { token: human.token, body: { revision_id: newId(1) } }, '?dry_run=true'),
    '/revision_id',
  );
});

test('200 for both of two publications at once: one date, one revision', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const answers = await Promise.all([publish(human, id), publish(human, id), publish(human, id)]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(new Set(answers.map(({ body }) => body.published_at)).size, 1);
  assert.equal((await anonymous(id)).body.published_at, answers[0]?.body.published_at);
});

test('200 or 410 beside a removal, and gone afterwards in either order', async () => {
  const human = await server.register();
  for (let round = 0; round < 6; round += 1) {
    const { id } = await server.draft(human);
    const pair =
      round % 2 ? [publish(human, id), remove(human, id)] : [remove(human, id), publish(human, id)];
    const statuses = (await Promise.all(pair)).map(({ status }) => status);
    assert.ok(statuses.includes(204), statuses.join());
    assert.ok(statuses.includes(200) || statuses.includes(410), statuses.join());
    assertGone(await server.ask('GET', `/v1/articles/${id}`, { token: human.token }));
  }
});

test('200 for a revision that is made while the publication waits: it is not published before', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const token = await server.tokenWith(human, ['articles:publish']);
  const { id: tokenId } = (await server.ask('GET', '/v1/me', { token })).body.token;
  // It has its time, and looks for the newest revision after this.
  const atTheToken = sql`
    select id from tokens where bucket = ${bucketOf(human.id)} and id = ${tokenId} for update`;
  let newest = '';
  await blockedByLock(server, atTheToken, [() => publish({ token }, id)], async () => {
    newest = await revise(human, id, revision_id, 'Another text.');
  });
  const { body } = await anonymous(id);
  assert.equal(body.revision_id, newest);
  const path = `/v1/articles/${id}/revisions/${newest}`;
  const revision = (await server.ask('GET', path, { token: human.token })).body;
  assert.ok(body.published_at >= revision.created_at, `${body.published_at}`);
});
