// The allowance media.total_bytes: charged by uploads, released by deletions, exact under concurrency.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { assertProblem } from '#test/harness';
import type { Human } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { aRecord, pngOfLength, put, storedNames, upload } from '#test/media-files';
import { until } from '#test/throw-away-database';

const allowance = 10_000;
const plenty = 1_000_000_000;
const server = await startLimitedServer({
  rates: { writes_per_minute: plenty, registrations_per_hour: plenty },
  quotas: {
    'media.bytes': [plenty, plenty, plenty, plenty],
    'media.create': [plenty, plenty, plenty, plenty],
    'media.total_bytes': [allowance, allowance, allowance, allowance],
  },
});
after(() => server[Symbol.asyncDispose]());

const remove = (human: Human, id: string) =>
  server.ask('DELETE', `/v1/media/${id}`, { token: human.token });

/** Returns the remainder that the quota call reports. */
async function remainderOf(human: Human): Promise<number> {
  const { body } = await server.ask('GET', `/v1/principals/${human.id}/quota`, {
    token: human.token,
  });
  const entry = body.quotas.find((one: { action: string }) => one.action === 'media.total_bytes');
  assert.equal(entry.window, 'total');
  assert.equal(entry.limit, allowance);
  assert.equal(entry.reset_at, '9999-12-31T23:59:59.999Z');
  return entry.remaining;
}

/** Returns the sum over the records of the account and its agents. */
async function bytesOf(human: Human): Promise<number> {
  const row = await server.db.first(sql<{ bytes: number }>`
    select coalesce(sum(m.byte_size), 0)::bigint as bytes
    from media m
    join principals p on p.bucket = m.bucket and p.id = m.owner_principal_id
    where m.bucket = ${bucketOf(human.id)}
      and ${human.id} in (p.id, p.owner_principal_id)
      and m.held_checksum is not null`);
  return row?.bytes ?? 0;
}

test('uploads at once: as many as fit are kept, the others get 429 quota-exceeded', async () => {
  const human = await server.register();
  const sizes = [4_000, 4_001, 4_002, 4_003, 4_004];
  const records = await Promise.all(sizes.map(() => aRecord(server, human, 'image')));
  const answers = await Promise.all(
    sizes.map((size, at) => put(server, human, records[at]?.id ?? '', pngOfLength(size))),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 3);
  for (const one of refused) {
    assertProblem(one, 'quota-exceeded');
    assert.equal(one.body.quota.action, 'media.total_bytes');
    assert.equal(one.body.quota.window, 'total');
    assert.equal(one.headers.get('retry-after'), '86400');
  }
  assert.equal(await remainderOf(human), allowance - (await bytesOf(human)));
});

/** Starts an upload and sends everything but the last byte. */
function beginUpload(human: Human, id: string, bytes: Buffer): ClientRequest {
  const sent = request(`${server.baseUrl}/v1/media/${id}/content`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${human.token}`,
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
    },
  });
  sent.write(bytes.subarray(0, -1));
  return sent;
}

function statusOf(sent: ClientRequest, rest: Buffer): Promise<number | undefined> {
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sent.once('response', (response) => resolve((response.resume(), response.statusCode)));
    sent.once('error', reject);
  });
  sent.end(rest);
  return answered;
}

test('uploads that are refused at the end leave no bytes in the store', async () => {
  const human = await server.register();
  const sizes = [6_000, 6_001, 6_002, 6_003];
  const records = await Promise.all(sizes.map(() => aRecord(server, human, 'image')));
  const bytes = sizes.map(pngOfLength);
  const sent = records.map(({ id }, at) => beginUpload(human, id, bytes[at] as Buffer));
  const aside = join(server.services.config.dataDir, 'media/uploading');
  await until('all are under way: each was let in', async () => {
    const drafts = await readdir(aside).catch(() => []);
    return drafts.length === sizes.length;
  });
  const statuses = await Promise.all(
    sent.map((one, at) => statusOf(one, (bytes[at] as Buffer).subarray(-1))),
  );
  assert.deepEqual(
    statuses.toSorted((a = 0, b = 0) => a - b),
    [200, 429, 429, 429],
  );
  const names = async () => {
    const rows = await server.db.rows(sql<{ name: string }>`
      select name from blobs where bucket = ${bucketOf(human.id)}
      union all
      select name from media_variants where bucket = ${bucketOf(human.id)}`);
    return rows.map(({ name }) => name);
  };
  await until('the store has only what a record refers to', async () => {
    const known = await names();
    return (await storedNames(server, human.id)).every((name) => known.includes(name));
  });
  assert.equal(await bytesOf(human), await remainderOf(human).then((left) => allowance - left));
});

test('a deletion gives the bytes back once, however often and at once it is asked for', async () => {
  const human = await server.register();
  const bytes = pngOfLength(3_000);
  const one = await upload(server, human, 'image', bytes);
  const same = await upload(server, human, 'image', bytes);
  assert.equal(await remainderOf(human), allowance - 6_000, 'each record counts with its size');
  const answers = await Promise.all([1, 2, 3, 4].map(() => remove(human, one.body.id)));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [204, 410, 410, 410],
  );
  assert.equal(await remainderOf(human), allowance - 3_000);
  await Promise.all([
    remove(human, same.body.id),
    upload(server, human, 'image', pngOfLength(5_000)),
    upload(server, human, 'image', pngOfLength(2_000)),
  ]);
  assert.equal(await bytesOf(human), 7_000);
  assert.equal(await remainderOf(human), allowance - 7_000);
});

test('an agent draws on the allowance of its owner, and an erasure gives back what the article had', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { body: own } = await upload(server, human, 'image', pngOfLength(4_000));
  assert.equal((await upload(server, agent, 'image', pngOfLength(4_500))).status, 200);
  const { id } = await aRecord(server, agent, 'image');
  assertProblem(await put(server, agent, id, pngOfLength(2_000)), 'quota-exceeded');
  const article = await server.published(human, {
    content: `![](${server.baseUrl}/media/${own.id})`,
  });
  const erased = await server.ask('POST', `/v1/articles/${article.id}/erase`, {
    token: human.token,
    body: { confirm: 'erase' },
  });
  assert.equal(erased.status, 200);
  await until('the bytes are released', async () => (await bytesOf(human)) === 4_500);
  assert.equal(await remainderOf(human), allowance - 4_500);
  assert.equal((await put(server, agent, id, pngOfLength(2_000))).status, 200);
});
