// A backup under load loses nothing acknowledged before it; kill -9 of backup, server and restore leave no half.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { operateWith } from '../backups.ts';
import { compileCache } from '../compile-cache.ts';
import { effort } from '../effort.ts';
import { adminProgram } from '../programs.ts';
import { until } from '../throw-away-database.ts';
import { startHistory } from './history.ts';
import type { Entry } from './history.ts';
import { checkInvariants, checkUnknown } from './invariants.ts';
import { countUnindexed } from './messages-and-leaves.ts';
import { wideLimits } from './limits.ts';
import { makePlace, runMark } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';
import { startWriter } from './writer.ts';
import type { Person, Writer } from './writer.ts';

const clients = 8;
/** Answered calls before the backup, and while it is made, at least. */
const calls = effort(60, 5_000);

const history = startHistory();
let place: Place;
let target: Place;
let server: ServerProcess;
let writer: Writer;
let limits: string;
/** The temporary folder of commands that are processes. */
let temporary: string;
let file: string;
/** What was acknowledged before the backup began. */
let acknowledged: readonly Entry[];

/** Runs a command of the operator in this process: starting one takes a second. */
const operate = (at: Place, ...args: readonly string[]) =>
  operateWith({ DATA_DIR: at.dataDir, BASE_URL: place.baseUrl }, ...args);

/** Starts a command of the operator as a process. */
function admin(at: Place, ...args: readonly string[]) {
  const child = spawn(process.execPath, [adminProgram, ...args], {
    cwd: at.folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...runMark,
      ...compileCache,
      DATA_DIR: at.dataDir,
      BASE_URL: place.baseUrl,
      TMPDIR: temporary,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const reap = () => void child.kill('SIGKILL');
  process.once('exit', reap);
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', reap);
    return code as number | null;
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    kill: () => void child.kill('SIGKILL'),
    done: async () => {
      const [out, complaint] = await output;
      return { out, complaint, code: await ended };
    },
  };
}

async function start(): Promise<void> {
  server = place.start({ LIMITS: limits });
  await server.ready(place.baseUrl);
}

async function register(index: number): Promise<Person> {
  const response = await fetch(`${place.baseUrl}/v1/humans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: `writer-${'abcdefgh'.charAt(index)}-person` }),
  });
  assert.equal(response.status, 201);
  return (await response.json()) as Person;
}

async function untilAnswered(more: number): Promise<void> {
  const wanted = history.of('ok').length + more;
  await until('calls are answered', () => history.of('ok').length >= wanted);
}

const isBegun = (name: string) =>
  until('the backup is being written', async () =>
    (await readdir(place.folder)).some((one) => one.startsWith(name)),
  );

async function withDatabase<T>(at: Place, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await at.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const isMarked = (client: pg.Client) =>
  client
    .query("select from public.migrations where name = 'unfinished restore'")
    .then(({ rowCount }) => rowCount === 1)
    .catch(() => false);

before(async () => {
  place = await makePlace();
  target = await makePlace('none');
  file = join(place.folder, 'backup.tar');
  limits = await wideLimits(place.folder);
  temporary = join(place.folder, 'temporary');
  await mkdir(temporary);
  await start();
  const people = await Promise.all(Array.from({ length: clients }, (_, index) => register(index)));
  writer = startWriter(place.baseUrl, history, people);
  writer.resume();
});

after(async () => {
  await target[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

test('a backup is made while clients write, and one that is killed leaves no file', async (t) => {
  await untilAnswered(calls);
  acknowledged = [...history.of('ok')];
  const began = performance.now();
  const made = await operate(place, 'backup', file);
  assert.equal(made.code, 0, made.complaint);
  const seconds = (performance.now() - began) / 1_000;
  const during = history.of('ok').length - acknowledged.length;
  t.diagnostic(`${Math.round(during / seconds)} writes a second during ${seconds.toFixed(1)} s`);

  // It waits for a table that nobody writes, so that it is not done before it is killed.
  await withDatabase(place, async (client) => {
    await client.query('begin; lock table closings in access exclusive mode');
    const killed = admin(place, 'backup', join(place.folder, 'killed.tar'));
    await isBegun('killed.tar');
    await until('its temporary folder', async () => (await readdir(temporary)).length > 0);
    killed.kill();
    assert.notEqual((await killed.done()).code, 0);
  });
  assert.ok(!(await readdir(place.folder)).includes('killed.tar'));
  // The next command removes its temporary folder.
  assert.match((await readdir(temporary)).join(), /^colophon-backup-/);
  await admin(place, 'verify-audit').done();
  assert.deepEqual(await readdir(temporary), []);
  await untilAnswered(clients);
});

test('a backup whose server is killed fails in a sentence and leaves no file', async () => {
  const cut = admin(place, 'backup', join(place.folder, 'cut.tar'));
  await isBegun('cut.tar');
  writer.pause();
  server.kill('SIGKILL');
  await server.ended;
  const { code, complaint } = await cut.done();
  const names = await readdir(place.folder);
  // It may have read the last row before.
  assert.equal(code === 0, names.includes('cut.tar'), complaint);
  if (code !== 0) assert.match(complaint.trim().split('\n').at(-1) ?? '', /\w/);
  await start();
  writer.resume();
  await untilAnswered(clients);
  await writer.stop();
});

test('a killed restore is refused by a server and repeated; everything acknowledged is there once', async (t) => {
  const first = admin(target, 'restore', file);
  let over = false;
  const ended = first.done().finally(() => (over = true));
  await until('the restore has begun', async () => {
    if (over || !(await target.databaseRuns())) return over;
    return withDatabase(target, isMarked).catch(() => false);
  });
  first.kill();
  await ended;
  await until('its database ended', async () => !(await target.databaseRuns()));
  // Every start migrates first, as this command does.
  const started = await operate(target, 'trust', 'nobody-at-all', '1');
  assert.equal(started.code, 1);
  const isCut = /A restore into this database was interrupted: run the same/.test(
    started.complaint,
  );
  t.diagnostic(isCut ? 'killed before its end' : 'it was faster than the kill');

  const restored = await operate(target, 'restore', file);
  assert.equal(restored.code, isCut ? 0 : 1, restored.complaint);
  if (!isCut) assert.match(restored.complaint, /The database is not empty/);
  // Backups have no key of the log: an operator keeps a copy, and brings it.
  await mkdir(join(target.dataDir, 'log'), { recursive: true });
  await copyFile(join(place.dataDir, 'log/key.pem'), join(target.dataDir, 'log/key.pem'));
  const running = target.start({ LIMITS: limits });
  await running.ready(target.baseUrl);
  await withDatabase(target, async (client) => {
    await checkInvariants(client);
    const found = await checkUnknown(client, { ...history, of: () => acknowledged });
    assert.deepEqual(found, { whole: acknowledged.length, absent: 0 });
    await until(
      'everything published is indexed',
      async () => (await countUnindexed(client)) === 0,
    );
  });
  await until('the log grows again', async () => {
    const { out } = await operate(target, 'log', 'status');
    return /^waiting +0$/m.test(out) || /^REFUSED/m.test(out);
  });
  const examined = await operate(target, 'doctor');
  assert.equal(examined.code, 0, examined.out + examined.complaint);
  assert.match((await operate(target, 'verify-audit')).out, /is whole/);
});
