// The allowance media.total_bytes: counted with each upload, given back with each deletion, exact in every race.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { assertProblem } from '#test/harness';
import type { Human } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { aRecord, pngOfLength, put, upload } from '#test/media-files';
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

/** As the quota call shows it. */
async function remaining(human: Human): Promise<number> {
  const { body } = await server.ask('GET', `/v1/principals/${human.id}/quota`, {
    token: human.token,
  });
  const entry = body.quotas.find((one: { action: string }) => one.action === 'media.total_bytes');
  assert.equal(entry.window, 'total');
  assert.equal(entry.limit, allowance);
  assert.equal(entry.reset_at, '9999-12-31T23:59:59.999Z');
  return entry.remaining;
}

/** What the records of the account and its agents hold. */
async function held(human: Human): Promise<number> {
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
  assert.equal(await remaining(human), allowance - (await held(human)));
});

test('a deletion gives the bytes back once, however often and at once it is asked for', async () => {
  const human = await server.register();
  const bytes = pngOfLength(3_000);
  const one = await upload(server, human, 'image', bytes);
  const same = await upload(server, human, 'image', bytes);
  assert.equal(await remaining(human), allowance - 6_000, 'each record counts with its size');
  const answers = await Promise.all([1, 2, 3, 4].map(() => remove(human, one.body.id)));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [204, 410, 410, 410],
  );
  assert.equal(await remaining(human), allowance - 3_000);
  await Promise.all([
    remove(human, same.body.id),
    upload(server, human, 'image', pngOfLength(5_000)),
    upload(server, human, 'image', pngOfLength(2_000)),
  ]);
  assert.equal(await held(human), 7_000);
  assert.equal(await remaining(human), allowance - 7_000);
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
  await until('the bytes are let go', async () => (await held(human)) === 4_500);
  assert.equal(await remaining(human), allowance - 4_500);
  assert.equal((await put(server, agent, id, pngOfLength(2_000))).status, 200);
});
