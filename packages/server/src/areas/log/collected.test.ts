// What reaches the log and what it costs: publishing itself, earlier publications, the same cause twice, restores.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bucketOf, keyOf } from '#lib/id';
import { openDatabase, sql } from '#database';
import { openLogFiles } from '#storage';
import type { LogFiles } from '#storage';
import { assertRan, emptyTarget } from '#test/backups';
import { backsUp } from '#test/citus/one-server';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { operate } from '#test/operator';
import type { Delivered } from '#outbox';
import { aSigner, publish, revise, signatureOf, signedArticle } from '#test/signed-articles';
import { quiet } from '#test/throw-away-database';
import { logSubscribers } from './subscribers.ts';
import { collectArticles } from './service/collect-articles.ts';
import { collectKeys } from './service/collect.ts';
import { startLog } from './service/key.ts';
import { integrate } from './service/integrate.ts';
import { verifyLog } from './service/verify.ts';
import { listLogKeys } from './queries/index.ts';

let server: TestServer;
let files: LogFiles;
before(async () => {
  // No pipeline runs: the tests collect what they want.
  server = await startServer({ ROLE: 'web' });
  files = await openLogFiles(server.services.config.mediaStore);
});
after(() => server[Symbol.asyncDispose]());

interface Leaf {
  readonly number: number | null;
  readonly entry: string;
}

const leavesOf = (id: string) =>
  server.db.rows(sql<Leaf>`
    select number, entry from log_leaves where bucket = 0 and entry like ${`%${id}%`} order by ticket`);

async function work(services = { ...server.services, log: quiet, files }): Promise<void> {
  const state = { published: undefined, pauses: new Map<string, number>() };
  while (await integrate(services, state, async () => true));
}

test('processes that start the log at once make one key', async () => {
  await Promise.all(Array.from({ length: 8 }, () => startLog(server.services)));
  assert.equal((await listLogKeys(server.db)).length, 1);
  await work();
  const { out, code } = await operate(server, 'log', 'status');
  assert.equal(code, 0, out);
});

test('a log without leaves takes the name of the present address, and keeps its key', async () => {
  const { db, config, now } = server.services;
  const named = async (baseUrl: string) => {
    await startLog({ db, config: { ...config, baseUrl }, now });
    await work();
    const [key, ...more] = await listLogKeys(db);
    assert.deepEqual(more, []);
    return key?.verifier_key.split('+') ?? [];
  };
  const [name, , bytes] = await named('https://elsewhere.example');
  assert.equal(name, 'elsewhere.example/log');
  assert.match(String(await files.read('checkpoint')), /^elsewhere\.example\/log\n0\n/);
  const again = await named(config.baseUrl);
  assert.deepEqual([again[0], again[2]], [`${new URL(config.baseUrl).host}/log`, bytes]);
});

test('publishing sends one message, as it did before there was a log, and writes no row of the log', async () => {
  const human = await server.register();
  const draft = await server.draft(human);
  const count = () =>
    server.db.first(sql<{ messages: number; leaves: number }>`
      select
        (select count(*) from outbox where bucket = ${bucketOf(human.id)}) as messages,
        (select count(*) from log_leaves where bucket = 0) as leaves`);
  const earlier = await count();
  const path = `/v1/articles/${draft.id}/publish`;
  const { status } = await server.ask('POST', path, { token: human.token, key: true, body: {} });
  assert.equal(status, 200);
  const later = await count();
  assert.deepEqual(later, { ...earlier, messages: (earlier?.messages ?? 0) + 1 });
});

test('a message that arrives twice, or many at once, adds one leaf', async () => {
  const signer = await aSigner(server);
  const { id } = await signedArticle(server, signer);
  await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0
        ? collectArticles([keyOf(id)], server.services)
        : collectKeys([keyOf(signer.keyId)], server.services),
    ),
  );
  assert.equal((await leavesOf(id)).length, 1);
  await work();
  await collectArticles([keyOf(id)], server.services);
  await collectKeys([keyOf(signer.keyId)], server.services);
  await work();
  const kinds = (await leavesOf(signer.id)).map(
    ({ entry }) => (JSON.parse(entry) as { kind: string }).kind,
  );
  assert.deepEqual(kinds.toSorted(), ['key.registered', 'publication']);
});

const endings = {
  removed: (id: string, token: string) => server.ask('DELETE', `/v1/articles/${id}`, { token }),
  erased: (id: string, token: string) =>
    server.ask('POST', `/v1/articles/${id}/erase`, {
      token,
      key: true,
      body: { confirm: 'erase' },
    }),
  withdrawn: (id: string, token: string) =>
    server.ask('PATCH', `/v1/articles/${id}`, { token, body: { visibility: 'unlisted' } }),
};

/** Handles the messages about an article that are newer than `after`, the newest first, and returns the newest. */
async function handleBackwards(id: string, after = ''): Promise<string> {
  const messages = await server.db.rows(sql<Delivered & { id: string }>`
    select bucket, id, type, payload, created_at from outbox
    where bucket = ${bucketOf(id)} and id > ${after} and payload ->> 'article_id' = ${id}
    order by id desc`);
  const services = { ...server.services, log: quiet };
  const subscribers = logSubscribers(() => undefined);
  for (const message of messages)
    await subscribers.find(({ type }) => type === message.type)?.run(message, services);
  return messages[0]?.id ?? after;
}

for (const [kind, end] of Object.entries(endings)) {
  test(`an article is ${kind}: what was published before has its leaves, though its messages are handled later`, async () => {
    const signer = await aSigner(server);
    const draft = await server.draft(signer);
    const { token } = signer;
    await publish(server, signer, draft.id, { body: {} });
    const handled = await handleBackwards(draft.id);
    const second = await revise(server, signer, draft, 'The second text.');
    await publish(server, signer, draft.id, { body: { revision_id: second.revision_id } });
    await publish(server, signer, draft.id, { body: { revision_id: draft.revision_id } });
    const body = { revision_id: draft.revision_id, ...signatureOf(signer, draft.signing_input) };
    await publish(server, signer, draft.id, { body });
    assert.ok((await end(draft.id, token)).status < 300);
    await handleBackwards(draft.id, handled);
    const leaves = (await leavesOf(draft.id)).map(
      ({ entry }) => JSON.parse(entry) as { kind: string; signed?: boolean },
    );
    const said = leaves.map(({ kind: one, signed }) => (signed === true ? 'signed' : one));
    assert.deepEqual(
      said.toSorted(),
      [`article.${kind}`, 'publication', 'publication', 'publication', 'signed'].toSorted(),
    );
  });
}

test('what was published before the log is logged by a walk, with its own time and that of logging', async () => {
  const signer = await aSigner(server);
  const made = await signedArticle(server, signer);
  const bucket = bucketOf(made.id);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update revisions
      set published_at = '2026-01-02T03:04:05.678Z', signed_at = '2026-01-02T03:04:05.678Z'
      where bucket = ${bucket} and article_id = ${made.id}`),
  );
  for (let again = 0; again < 2; again += 1)
    assertRan(
      await operate(server, 'reindex', 'log-keys', 'log-articles', 'log-actions', 'log-closings'),
    );
  const leaves = await leavesOf(made.id);
  const said = leaves.map(({ entry }) => JSON.parse(entry) as Record<string, string>);
  assert.equal(said.length, 1);
  assert.equal(said[0]?.['published_at'], '2026-01-02T03:04:05.678Z');
  assert.ok(Math.abs(Date.parse(said[0]?.['at'] ?? '') - Date.now()) < 120_000);
});

test('a log with leaves keeps its name, whatever the address is', async () => {
  await work();
  const { db, config, now } = server.services;
  await startLog({ db, config: { ...config, baseUrl: 'https://elsewhere.example' }, now });
  const [key] = await listLogKeys(db);
  assert.ok(key?.verifier_key.startsWith(`${new URL(config.baseUrl).host}/log+`));
  await work();
  assert.equal((await operate(server, 'log', 'status')).code, 0);
});

test(
  'a backup restores the log; its files are written again, and its key is brought along',
  backsUp,
  async () => {
    await work();
    const folder = await mkdtemp(join(tmpdir(), 'colophon-log-backup-'));
    try {
      const file = join(folder, 'backup.colophon');
      assertRan(await operate(server, 'backup', file));
      const before = (await files.read('checkpoint'))?.toString('utf8');
      await using target = await emptyTarget(server);
      assertRan(await target.operate('restore', file));
      const { config } = server.services;
      const there = {
        ...config,
        dataDir: target.dataDir,
        mediaStore: { folder: join(target.dataDir, 'media') },
        logKeyFile: join(target.dataDir, 'log', 'key.pem'),
      };
      await using db = openDatabase({
        connection: target.connection,
        readers: 1,
        writers: 2,
        patience: 12,
        onError: () => undefined,
      });
      const restored = await openLogFiles(there.mediaStore);
      const services = { ...server.services, db, config: there, files: restored, log: quiet };
      await startLog(services);
      await work(services);
      assert.match(
        (await target.operate('log', 'status')).out,
        /REFUSED .*key of the transparency log is missing/,
      );
      await cp(config.logKeyFile, there.logKeyFile, { recursive: true });
      await work(services);
      assert.equal((await restored.read('checkpoint'))?.toString('utf8'), before);
      const { size, faults } = await verifyLog(db, restored);
      assert.deepEqual(faults, []);
      assert.ok(size > 0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
