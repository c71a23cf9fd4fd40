// PUT /v1/media/{id}/content over HTTP: accepted and rejected bytes, and refusals before any byte is sent.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, setTrustLevel, storeAgent } from '#test/accounts';
import { assertProblem } from '#test/harness';
import type { Response } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { startLimitedServer } from '#test/limits-file';
import {
  aRecord,
  fetchBytes,
  pngOf,
  pngOfLength,
  put,
  storedNames,
  upload,
} from '#test/media-files';
import { assertFault, assertMissingScope, assertQuotaExceeded } from '#test/problem-checks';
import { until } from '#test/throw-away-database';

const allowance = 10_000;
const plenty = 1_000_000_000;
const server = await startLimitedServer({
  rates: { writes_per_minute: plenty, registrations_per_hour: plenty },
  quotas: {
    'media.bytes': [plenty, allowance, allowance, allowance],
    'media.create': [plenty, plenty, plenty, plenty],
  },
});
after(() => server[Symbol.asyncDispose]());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function usedBytes(id: string): Promise<number> {
  const row = await server.db.first(sql<{ used: number }>`
    select used
    from quota_uses
    where bucket = ${bucketOf(id)} and principal_id = ${id} and action = 'media.bytes'`);
  return row?.used ?? 0;
}

test('200 ready with size, checksum and type of what came, byte for byte', async () => {
  const human = await server.register();
  const bytes = pngOf(40, 30);
  const record = await aRecord(server, human, 'image', { alt_text: 'Grey.' });
  const { body } = await put(server, human, record.id, bytes);
  assert.deepEqual(
    { ...body, finalized_at: '' },
    {
      ...record,
      status: 'ready',
      content_type: 'image/png',
      byte_size: bytes.length,
      checksum_sha256: sha256(bytes),
      url: `${server.baseUrl}/media/${record.id}`,
      upload_url: null,
      finalized_at: '',
    },
  );
  assert.ok(body.finalized_at >= body.created_at);
  assert.deepEqual((await fetchBytes(server, `/media/${record.id}`)).bytes, bytes);
  assert.equal(await usedBytes(human.id), bytes.length);
});

test('200 whatever Content-Type says', async () => {
  const human = await server.register();
  for (const type of ['text/html', 'application/json', 'image/svg+xml', 'nonsense']) {
    const { id } = await aRecord(server, human, 'image');
    const answer = await server.ask('PUT', `/v1/media/${id}/content`, {
      token: human.token,
      raw: pngOf(1, 1),
      headers: { 'content-type': type },
    });
    assert.equal(answer.body.content_type, 'image/png', type);
  }
});

test('200 rejected: a type that is not taken, another kind, too many pixels; nothing is kept or charged', async () => {
  const human = await server.register();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  const huge = pngOf(1, 1);
  for (const [kind, bytes, reason] of [
    ['image', svg, /type of the file is not accepted\. Use PNG, JPEG/],
    ['video', pngOf(1, 1), /image\/png.*kind image/],
    ['image', pngOf(20_001, 5_000, { rows: Buffer.alloc(9) }), /20001 × 5000/],
    ['document', Buffer.alloc(3_000_000, 'a'), /Use PDF/],
  ] as const) {
    const { body } = await upload(server, human, kind, bytes);
    assert.equal(body.status, 'rejected');
    assert.match(body.rejection_reason, reason);
    for (const member of ['content_type', 'byte_size', 'checksum_sha256', 'url', 'upload_url'])
      assert.equal(body[member], null, member);
    assert.notEqual(body.finalized_at, null);
    assert.equal((await fetchBytes(server, `/media/${body.id}`)).status, 404);
    assertProblem(await put(server, human, body.id, huge), 'conflict');
  }
  assert.deepEqual(await storedNames(server, human.id), []);
  assert.equal(await usedBytes(human.id), 0);
  const most = pngOf(20_000, 5_000, { rows: Buffer.alloc(9) });
  assert.equal((await upload(server, human, 'image', most)).body.status, 'ready');
});

test('200 for 52,428,800 bytes', async () => {
  const human = await server.register();
  const bytes = pngOfLength(52_428_800);
  const { body } = await upload(server, human, 'image', bytes);
  assert.equal(body.byte_size, 52_428_800);
  assert.equal(body.checksum_sha256, sha256(bytes));
});

test('409 conflict: the second time, ready or rejected', async () => {
  const human = await server.register();
  const { id } = (await upload(server, human, 'image', pngOf(1, 1))).body;
  assertProblem(await put(server, human, id, pngOf(1, 1)), 'conflict');
});

test('409 conflict for all but one of several at once; what they brought is gone', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'video');
  const webm = (size: number) =>
    Buffer.concat([
      Buffer.from('1a45dfa3874282847765626d18538067', 'hex'),
      Buffer.alloc(200_000, size),
    ]);
  const lock = sql`
    select id
    from media
    where bucket = ${bucketOf(id)} and id = ${id}
    for update`;
  const requests = [1, 2, 3, 4].map((size) => () => put(server, human, id, webm(size)));
  const answers = await blockedByLock(server, lock, requests);
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  for (const lost of answers.filter((one) => one.status !== 200)) assertProblem(lost, 'conflict');
  const served = await fetchBytes(server, `/media/${id}`);
  assert.equal(sha256(served.bytes), won[0]?.body.checksum_sha256);
  await until('one is left', async () => (await storedNames(server, id)).length === 1);
  assert.equal(await usedBytes(human.id), served.bytes.length);
});

test('409 conflict: removed while the bytes were on their way', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  const removal = sql`
    update media
    set status = 'removed', removed_at = created_at
    where bucket = ${bucketOf(id)} and id = ${id}`;
  const [refused] = await blockedByLock(server, removal, [
    () => put(server, human, id, pngOf(1, 1)),
  ]);
  assertProblem(refused as Response, 'conflict');
  await until('nothing is kept', async () => (await storedNames(server, id)).length === 0);
});

test('403 insufficient-scope, forbidden for others, not-found for what they may not see', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { id } = await aRecord(server, agent, 'image');
  const token = await server.tokenWith(human, ['articles:write']);
  assertMissingScope(await put(server, { token }, id, pngOf(1, 1)), 'media:write');
  assertProblem(await put(server, human, id, pngOf(1, 1)), 'not-found');
  assertProblem(await put(server, human, newId(9), pngOf(1, 1)), 'not-found');
  await put(server, agent, id, pngOf(1, 1));
  assertProblem(await put(server, human, id, pngOf(1, 1)), 'forbidden');
  await setPrincipalStatus(server, agent.id, 'suspended');
  assertProblem(await put(server, agent, id, pngOf(1, 1)), 'forbidden');
});

test('413 payload-too-large: one byte more, and the answer arrives', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  assertProblem(await put(server, human, id, Buffer.alloc(52_428_801)), 'payload-too-large');
  assert.equal((await put(server, human, id, pngOf(1, 1))).status, 200);
});

test('422 validation-failed: no bytes; the record stays pending', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  assertFault(await put(server, human, id, Buffer.alloc(0)), '');
  assert.equal((await put(server, human, id, pngOf(1, 1))).status, 200);
});

test('429 quota-exceeded: before the bytes are taken, and never beyond the allowance', async () => {
  const human = await server.register();
  await setTrustLevel(server, human.id, 1);
  const bytes = pngOfLength(4_000);
  const others = [pngOfLength(4_001), pngOfLength(4_002), pngOfLength(4_003)];
  assert.equal((await upload(server, human, 'image', bytes)).body.status, 'ready');
  const ids: string[] = [];
  for (const _ of others) ids.push((await aRecord(server, human, 'image')).id);
  const answers = await Promise.all(
    others.map((one, index) => put(server, human, ids[index] ?? '', one)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 2);
  const left = allowance - (await usedBytes(human.id));
  assert.ok(left > 0);
  for (const one of refused) {
    // The look before the bytes are taken knows what is left; the constraint of the charge does not.
    const known = one.body.quota.remaining === left ? left : 0;
    assertQuotaExceeded(one, 'media.bytes', allowance, known);
  }
  const { id } = await aRecord(server, human, 'image');
  const more = await put(server, human, id, pngOfLength(left + 1));
  assertQuotaExceeded(more, 'media.bytes', allowance, left);
  assert.match(
    more.body.detail,
    new RegExp(`needs ${left + 1} .* ${left} of ${allowance} are left`),
  );
  const never = await put(server, human, id, pngOfLength(allowance + 1));
  assertQuotaExceeded(never, 'media.bytes', allowance, left);
  assert.match(never.body.detail, /send less\. Waiting does not help/);
  const read = await server.ask('GET', `/v1/media/${id}`, { token: human.token });
  assert.equal(read.body.status, 'pending');
});
