// A backup that is older than removals for legal reasons and a closing with `erase`: what a restore repeats.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { applyLedger } from '#apply-ledger';
import { readConfig } from '#config';
import { openLog, openServices } from '#services';
import { legalRemoval } from '../src/admin/legal-removal.ts';
import { assertRan, emptyTarget, onServer } from './backups.ts';
import type { EmptyTarget } from './backups.ts';
import { closeAccount } from './closing.ts';
import { comment } from './comments.ts';
import { startProcess, unkept } from './faults/server-process.ts';
import type { ServerProcess } from './faults/server-process.ts';
import { startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { act, aModerator } from './moderators.ts';
import type { Input } from './moderators.ts';
import { operate } from './operator.ts';
import { ownPort } from './own-port.ts';

let server: TestServer;
let folder: string;
let file: string;
let leaver: Human;
const ids: Record<
  'byModerator' | 'byOperator' | 'lifted' | 'removedBefore' | 'hidden' | 'ofLeaver',
  string
> = { byModerator: '', byOperator: '', lifted: '', removedBefore: '', hidden: '', ofLeaver: '' };
let removedComment: string;
let erasedComment: string;

const legally = (target_id: string, action: Input['action'] = 'remove'): Input => ({
  target_type: 'article',
  target_id,
  action,
  source: 'legal',
  reason_code: 'court_order',
});

before(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'colophon-backups-'));
  file = join(folder, 'before.tar');
  const [author, moderator] = [await server.register(), await aModerator(server)];
  leaver = await server.register();
  for (const name of ['byModerator', 'byOperator', 'lifted', 'removedBefore', 'hidden'] as const)
    ids[name] = (await server.published(author)).id;
  ids.ofLeaver = (await server.published(leaver)).id;
  removedComment = (await comment(server, author, ids.hidden)).id;
  erasedComment = (await comment(server, leaver, ids.hidden)).id;
  await act(server, moderator, legally(ids.removedBefore));
  assertRan(await operate(server, 'backup', file));

  await act(server, moderator, legally(ids.byModerator));
  await act(server, moderator, { ...legally(removedComment), target_type: 'comment' });
  assertRan(await operate(server, 'legal-removal', ids.byOperator, 'privacy'));
  await act(server, moderator, legally(ids.lifted));
  await act(server, moderator, legally(ids.lifted, 'restore'));
  await act(server, moderator, legally(ids.removedBefore, 'restore'));
  await act(server, moderator, { target_type: 'article', target_id: ids.hidden, action: 'hide' });
  assert.equal((await closeAccount(server, leaver, 'erase')).status, 200);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Puts the ledger of the server into the media folder of the target, as the guide says. */
async function copyLedger({ dataDir }: EmptyTarget): Promise<void> {
  const from = join(server.services.config.dataDir, 'media/erasures');
  await cp(from, join(dataDir, 'media/erasures'), { recursive: true });
}

/** Starts the real server on the target while `work` asks it. */
async function whileItRuns(
  target: EmptyTarget,
  work: (baseUrl: string, process: ServerProcess) => Promise<void>,
): Promise<void> {
  const port = String(await ownPort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const settings = { ...target.settings, HOST: '127.0.0.1', PORT: port, BASE_URL: baseUrl };
  const started = startProcess(target.dataDir, settings);
  try {
    await started.ready(baseUrl);
    await work(baseUrl, started);
  } finally {
    started.kill('SIGTERM');
    await started.ended;
  }
}

async function statusOf(url: string, token?: string): Promise<number> {
  const headers = token === undefined ? unkept : { ...unkept, authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response.status;
}

/** What the repetitions write, in a fixed order. */
async function rowsOf(target: EmptyTarget) {
  const acts = await target.ask(
    `select target_id, action, source, reason_code, moderator_id from moderation_actions order by id`,
  );
  const audit = await target.ask<{ actor: string; target_id: string; details: object }>(
    `select actor, target_id, details from audit_log where action = 'legal-removal' order by number`,
  );
  const closings = await target.ask('select principal_id, treatment from closings');
  return { acts, audit, closings };
}

async function assertRepeated(target: EmptyTarget): Promise<void> {
  const first = await rowsOf(target);
  const repeated = [ids.byModerator, ids.byOperator, removedComment];
  assert.deepEqual(first.audit.map((row) => row.target_id).toSorted(), repeated.toSorted());
  const entry = first.audit.find(({ target_id }) => target_id === ids.byOperator);
  assert.equal(entry?.actor, 'operator');
  assert.equal((entry.details as Record<string, unknown>)['reason_code'], 'privacy');
  assert.deepEqual(first.closings, [{ principal_id: leaver.id, treatment: 'erase' }]);
  for (let start = 0; start < 2; start += 1) {
    await whileItRuns(target, async (baseUrl, { log }) => {
      const article = (id: string) => statusOf(`${baseUrl}/v1/articles/${id}`);
      assert.equal(await article(ids.byModerator), 451);
      assert.equal(await article(ids.byOperator), 451);
      assert.equal(await article(ids.lifted), 200);
      // Its end is a later action, and those are gone.
      assert.equal(await article(ids.removedBefore), 451);
      assert.equal(await article(ids.hidden), 200);
      assert.equal(await article(ids.ofLeaver), 410);
      assert.equal(await statusOf(`${baseUrl}/v1/comments/${removedComment}`), 451);
      assert.equal(await statusOf(`${baseUrl}/v1/comments/${erasedComment}`), 410);
      assert.equal(await statusOf(`${baseUrl}/v1/me`, leaver.token), 401);
      assert.equal(await statusOf(`${baseUrl}/v1/principals/${leaver.id}`), 410);
      assert.ok(!log.some((line) => line['legallyRemoved'] !== undefined));
    });
  }
  const [{ content } = {}] = await target.ask('select content from comments where id = $1', [
    erasedComment,
  ]);
  assert.equal(content, null);
  assert.deepEqual(await rowsOf(target), first);
  assert.match((await target.operate('verify-audit')).out, /is whole/);
}

test('restore repeats legal removals and the closing, and says so; two starts repeat nothing', async () => {
  await using target = await emptyTarget(server);
  await copyLedger(target);
  const restored = await target.operate('restore', file);
  assertRan(restored);
  assert.match(restored.out, /Repeated 1 closings of accounts with `erase` that are later than/);
  assert.match(restored.out, /Repeated 3 removals for legal reasons that are later than/);
  const closed = 'select closed_at from principals where id = $1';
  const { rows } = await onServer(server.services.connection, (client) =>
    client.query(closed, [leaver.id]),
  );
  assert.deepEqual(await target.ask(closed, [leaver.id]), rows, 'at the time of the closing');
  await assertRepeated(target);
});

test('two hosts that start at once on a restored database repeat them once', async () => {
  await using target = await emptyTarget(server);
  assertRan(await target.operate('restore', file));
  await copyLedger(target);
  const config = readConfig(target.settings);
  const log = openLog('silent');
  await using one = await openServices(config, log);
  await using other = await openServices(config, log);
  const done = await Promise.all([one, other].map((host) => applyLedger(host, host.ledger)));
  const sumOf = (kind: 'closed' | 'legallyRemoved') =>
    done.reduce((sum, repeated) => sum + repeated[kind], 0);
  assert.deepEqual([sumOf('closed'), sumOf('legallyRemoved')], [1, 3]);
  await assertRepeated(target);
});

test('a start reverses no restoration that another host has committed and not recorded yet', async () => {
  await using target = await emptyTarget(server);
  await copyLedger(target);
  assertRan(await target.operate('restore', file));
  // As a moderator does in a request that is killed before it writes the ledger.
  const config = readConfig(target.settings);
  await using services = await openServices(config, openLog('silent'));
  const unwritten = { ...services.ledger, append: () => Promise.reject(new Error('killed')) };
  const nowhere = { write: () => undefined };
  const run = await legalRemoval([ids.byOperator, '--restore'], config);
  await assert.rejects(
    run({ services: { ...services, ledger: unwritten }, stdout: nowhere, stderr: nowhere }),
    /now published\. The media store does not answer/,
  );
  assert.deepEqual(await applyLedger(services, services.ledger), {
    erased: 0,
    closed: 0,
    legallyRemoved: 0,
  });
});
