// Tests of the ledger of erasures with the server: answered when it is durable, completed after crashes, copied.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { openLedgerOf } from '#services';
import { recurringOf } from '#subscribers';
import { assertProblem, startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { ledgerCount } from '#test/ledgers';
import { operate } from '#test/operator';
import { until } from '#test/throw-away-database';

let server: TestServer;
let human: Human;
let media: string;
let copies: string;

before(async () => {
  copies = await mkdtemp(join(tmpdir(), 'colophon-copies-'));
  server = await startServer({ BACKUP_TO: copies });
  media = join(server.services.config.dataDir, 'media');
  human = await server.register();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(copies, { recursive: true });
});

const erase = (id: string) =>
  server.ask('POST', `/v1/articles/${id}/erase`, {
    token: human.token,
    body: { confirm: 'erase' },
  });

const findPending = (id: string) =>
  server.db.first(sql<{ recorded: boolean }>`
    select recorded_at is not null as recorded
    from pending_erasures
    where article_id = ${id}`);

/** Runs the recurring job so many minutes from now, as another host with a ledger of its own. */
async function runOnOtherHost(minutes: number, { services } = server): Promise<void> {
  await using ledger = await openLedgerOf(services.config);
  const jobs = recurringOf({ ...services, ledger }, new AbortController().signal);
  const job = jobs.find(({ name }) => name === 'recordErasures');
  assert.ok(job);
  const now = () => new Date(Date.now() + minutes * 60_000);
  await job.run({ db: services.db, log: services.log, now });
}

test('an erasure is in the ledger when it is answered, and a minute later in BACKUP_TO', async () => {
  const { id } = await server.published(human);
  assert.equal((await erase(id)).status, 200);
  assert.equal(await ledgerCount(media, id), 1);
  assert.deepEqual(await findPending(id), { recorded: true });
  await runOnOtherHost(0);
  assert.equal(await ledgerCount(copies, id), 0);
  await runOnOtherHost(2);
  assert.equal(await ledgerCount(copies, id), 1);
  assert.equal(await findPending(id), undefined);
  assert.equal((await erase(id)).status, 200);
  assert.equal(await ledgerCount(media, id), 1);
});

test('503 unavailable while the ledger cannot be written; a retry or another host completes it', async () => {
  const [first, second] = [await server.published(human), await server.published(human)];
  const folder = join(media, 'erasures');
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, 'a file where the folder should be');
  for (const { id } of [first, second]) {
    const refused = await erase(id);
    assertProblem(refused, 'unavailable');
    assert.match(refused.body.detail, /The article is erased, but/);
    assert.equal((await server.ask('GET', `/v1/articles/${id}`)).status, 410);
    assert.deepEqual(await findPending(id), { recorded: false });
  }
  await assert.rejects(runOnOtherHost(2));
  await rm(folder);
  assert.equal((await erase(first.id)).status, 200);
  assert.equal(await ledgerCount(media, first.id), 1);
  // The host of the second request is killed between its commit and the ledger.
  await runOnOtherHost(2);
  assert.equal(await ledgerCount(media, second.id), 1);
  assert.equal(await ledgerCount(copies, second.id), 1);
  assert.equal(await findPending(second.id), undefined);
});

test('the works of a closed account are recorded as well', async () => {
  const other = await server.register();
  const { id } = await server.published(other);
  const body = { confirm: 'close', articles: 'erase' };
  const path = `/v1/principals/${other.id}/close`;
  const closed = await server.ask('POST', path, { token: other.token, key: true, body });
  assert.equal(closed.status, 200);
  await until('the works are erased', async () => (await findPending(id)) !== undefined);
  await runOnOtherHost(2);
  assert.equal(await ledgerCount(media, id), 1);
  assert.equal(await ledgerCount(copies, id), 1);
});

test('an erasure of a process with the earlier version, which has no ledger, is recorded too', async () => {
  const { id } = await server.published(human);
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into outbox (bucket, id, type, payload, created_at)
      values (${bucketOf(id)}, ${newId(bucketOf(id))}, 'article.erased',
        ${JSON.stringify({ article_id: id, author_id: human.id, media_ids: [] })}, now())`);
  });
  await until('it is pending', async () => (await findPending(id)) !== undefined);
  await runOnOtherHost(2);
  assert.equal(await ledgerCount(media, id), 1);
});

test('doctor reports erasures that are not in every copy of the ledger after ten minutes', async () => {
  // No process of this one runs the job meanwhile, which would complete the erasure before `doctor` looks.
  await using quiet = await startServer({ BACKUP_TO: copies, ROLE: 'web' });
  const { id } = await quiet.draft(await quiet.register());
  const ago = new Date(Date.now() - 11 * 60_000).toISOString();
  await quiet.db.transaction((tx) =>
    tx.run(sql`
      insert into pending_erasures (bucket, article_id, erased_at)
      values (${bucketOf(id)}, ${id}, ${ago})`),
  );
  assert.match((await operate(quiet, 'doctor')).out, /WRONG erasures\s+1 are not in every copy/);
  await runOnOtherHost(0, quiet);
  assert.match((await operate(quiet, 'doctor')).out, /ok\s+erasures\s+every copy/);
});
