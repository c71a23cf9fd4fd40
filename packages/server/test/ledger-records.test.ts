// Removals for legal reasons and closings with `erase` in the ledger: at the answer, after failures, and copied.
import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { openLedgerOf } from '#services';
import { recurringOf } from '#subscribers';
import { closeAccount } from './closing.ts';
import { assertProblem, freshKey, startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { ledgerCount, ledgerLines } from './ledgers.ts';
import { act, anArticle, askAct, aModerator } from './moderators.ts';
import type { Input } from './moderators.ts';
import { operate } from './operator.ts';

let server: TestServer;
let moderator: Human;
let media: string;
let copies: string;

before(async () => {
  copies = await mkdtemp(join(tmpdir(), 'colophon-copies-'));
  server = await startServer({ ROLE: 'web', BACKUP_TO: copies });
  media = join(server.services.config.dataDir, 'media');
  moderator = await aModerator(server);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(copies, { recursive: true });
});

/** Runs the recurring jobs of the ledger two minutes from now, as another host with a ledger of its own. */
async function runJobs(): Promise<void> {
  const { services } = server;
  await using ledger = await openLedgerOf(services.config);
  const now = () => new Date(Date.now() + 2 * 60_000);
  for (const job of recurringOf({ ...services, ledger }, new AbortController().signal)) {
    if (['recordClosings', 'recordLegalActs'].includes(job.name))
      await job.run({ db: services.db, log: services.log, now });
  }
}

async function legalRemoval(action: Input['action'] = 'remove'): Promise<Input> {
  const { input } = await anArticle(server);
  return { ...input, action, source: 'legal', reason_code: 'court_order' };
}

/** Makes the ledger fail while `work` runs. */
async function withoutLedger(work: () => Promise<void>): Promise<void> {
  const [ledger, aside] = [join(media, 'erasures'), join(media, 'aside')];
  await rename(ledger, aside);
  await writeFile(ledger, 'a file where the folder should be');
  await work();
  await rm(ledger);
  await rename(aside, ledger);
}

test('a removal and its end are in the ledger when they are answered, and then in BACKUP_TO; others are not', async () => {
  const input = await legalRemoval();
  await act(server, moderator, input);
  await act(server, moderator, { ...input, action: 'restore' });
  const hiding = await legalRemoval('hide');
  await act(server, moderator, hiding);
  const removal = { ...(await legalRemoval()), source: 'proactive' as const };
  await act(server, moderator, removal);
  assert.deepEqual(
    (await ledgerLines(media)).map((line) => {
      const {
        check: _check,
        acted_at: _at,
        ...entry
      } = JSON.parse(line) as Input & {
        readonly check: string;
        readonly acted_at: string;
      };
      return entry;
    }),
    (['remove', 'restore'] as const).map((action) => ({
      target_type: 'article',
      target_id: input.target_id,
      action,
      reason_code: 'court_order',
    })),
  );
  await runJobs();
  assert.equal(
    await ledgerCount(copies, input.target_id),
    4,
    'of the request and of the other host',
  );
  await runJobs();
  assert.equal(await ledgerCount(copies, input.target_id), 4);
  for (const { target_id } of [hiding, removal])
    assert.equal(await ledgerCount(copies, target_id), 0);
});

test('503 unavailable while the ledger cannot be written; the action is in force, and the job records it', async () => {
  const input = await legalRemoval();
  const author = await server.register();
  const { id: erased } = await server.published(author);
  const key = freshKey();
  await withoutLedger(async () => {
    // Also for an erasure with a key: the answer under its key does not hide the failure.
    const body = { confirm: 'erase' };
    const asked = { token: author.token, key: true, body } as const;
    assertProblem(await server.ask('POST', `/v1/articles/${erased}/erase`, asked), 'unavailable');
    const refused = await askAct(server, moderator, input, { key });
    assertProblem(refused, 'unavailable');
    assert.match(refused.body.detail, /^The action is carried out, but the media store/);
  });
  const read = await server.ask('GET', `/v1/articles/${input.target_id}`);
  assertProblem(read, 'unavailable-for-legal-reasons');
  const again = await askAct(server, moderator, input, { key });
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true']);
  assert.equal(await ledgerCount(media, input.target_id), 0);
  await runJobs();
  assert.equal(await ledgerCount(media, input.target_id), 1);
  assert.equal(await ledgerCount(copies, input.target_id), 1);
});

test('a closing with erase is in the ledger when it is answered; without the ledger, the job records it', async () => {
  const [one, other, third] = [
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  assert.equal((await closeAccount(server, one, 'erase')).status, 200);
  assert.equal((await closeAccount(server, third, 'unpublish')).status, 200);
  assert.equal(await ledgerCount(media, one.id), 1);
  await withoutLedger(async () => {
    assert.equal((await closeAccount(server, other, 'erase')).status, 200);
  });
  assert.equal(await ledgerCount(media, other.id), 0);
  await runJobs();
  for (const { id } of [one, other]) assert.ok((await ledgerCount(copies, id)) > 0);
  assert.equal(await ledgerCount(copies, third.id), 0);
});

test('doctor reports what is not in every copy of the ledger after ten minutes', async () => {
  const person = await server.register();
  await closeAccount(server, person, 'erase');
  await act(server, moderator, await legalRemoval());
  await server.db.transaction(async (tx) => {
    void tx.run(sql`
      update closings set closed_at = now() - interval '11 minutes'
      where principal_id = ${person.id}`);
    await tx.run(sql`
      update moderation_actions set created_at = now() - interval '11 minutes'
      where recorded_at is null and source = 'legal'`);
  });
  assert.match((await operate(server, 'doctor')).out, /WRONG erasures\s+2 are not in every copy/);
  await runJobs();
  assert.match((await operate(server, 'doctor')).out, /ok\s+erasures\s+every copy/);
});
