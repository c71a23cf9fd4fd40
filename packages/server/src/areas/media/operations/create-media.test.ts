// POST /v1/media over HTTP: the contents of a reservation, and its charge.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { setPrincipalStatus, setTrustLevel, storeAgent } from '#test/accounts';
import { assertProblem, freshKey } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import { assertFault, assertMissingScope, assertQuotaExceeded } from '#test/problem-checks';
import type { Human } from '#test/harness';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

const reserve = (human: Pick<Human, 'token'>, body: object, key: true | string = true) =>
  server.ask('POST', '/v1/media', { token: human.token, key, body });

test('201 with a pending record and where to put its bytes', async () => {
  const human = await server.register();
  const { status, body, headers } = await reserve(human, { kind: 'image' });
  assert.equal(status, 201);
  assert.equal(headers.get('location'), `${server.baseUrl}/v1/media/${body.id}`);
  assert.deepEqual(
    { ...body, id: '', created_at: '' },
    {
      id: '',
      owner_principal_id: human.id,
      status: 'pending',
      kind: 'image',
      content_type: null,
      byte_size: null,
      checksum_sha256: null,
      alt_text: null,
      source: 'upload',
      url: null,
      upload_url: `${server.baseUrl}/v1/media/${body.id}/content`,
      created_at: '',
      finalized_at: null,
      trust: 'untrusted',
    },
  );
});

test('201 with everything that may be said, for an agent in its owner’s bucket', async () => {
  const agent = await storeAgent(server, await server.register());
  const metadata = { model: 'a model', seed: 7, nested: { a: [1, null] } };
  const { body } = await reserve(agent, {
    kind: 'audio',
    alt_text: '🦉'.repeat(1000),
    source: 'generated',
    generation_metadata: metadata,
  });
  assert.equal(body.alt_text, '🦉'.repeat(1000));
  assert.equal(body.source, 'generated');
  assert.equal(body.owner_principal_id, agent.id);
  const row = await server.db.first(sql<{ generation_metadata: unknown }>`
    select generation_metadata
    from media
    where bucket = ${bucketOf(body.id)} and id = ${body.id}`);
  assert.deepEqual(row?.generation_metadata, metadata);
});

test('201 again with the same key: one record', async () => {
  const human = await server.register();
  const key = freshKey();
  const [first, second] = [
    await reserve(human, { kind: 'video' }, key),
    await reserve(human, { kind: 'video' }, key),
  ];
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  const { items } = (await server.ask('GET', '/v1/media', { token: human.token })).body;
  assert.equal(items.length, 1);
});

test('403 insufficient-scope, and forbidden for the suspended', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:write']);
  assertMissingScope(await reserve({ token }, { kind: 'image' }), 'media:write');
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await reserve(human, { kind: 'image' }), 'forbidden');
});

test('422 validation-failed: unknown kinds, texts and metadata that are too long', async () => {
  const human = await server.register();
  for (const kind of ['picture', '', 'IMAGE'])
    assertFault(await reserve(human, { kind }), '/kind', 'enum');
  assertFault(await reserve(human, { kind: 'image', alt_text: 'a'.repeat(1001) }), '/alt_text');
  assertFault(await reserve(human, { kind: 'image', source: 'found' }), '/source', 'enum');
  assertFault(
    await reserve(human, { kind: 'image', generation_metadata: { a: 'a'.repeat(16_384) } }),
    '/generation_metadata',
  );
});

test('422 idempotency-key-reuse: the key of another reservation', async () => {
  const human = await server.register();
  const key = freshKey();
  await reserve(human, { kind: 'image' }, key);
  assertProblem(await reserve(human, { kind: 'video' }, key), 'idempotency-key-reuse');
});

test('429 quota-exceeded: at the end of the day’s reservations, which agents share', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  await setTrustLevel(server, human.id, 1);
  assert.equal((await reserve(human, { kind: 'image' })).status, 201);
  assert.equal((await reserve(agent, { kind: 'image' })).status, 201);
  for (const one of [human, agent])
    assertQuotaExceeded(await reserve(one, { kind: 'image' }), 'media.create', scarce);
});
