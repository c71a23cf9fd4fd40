// Tests of the embedded database on real data folders: starts, stops, kills and refusals.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { prepareBinaries } from './binaries.ts';
import { inspectDataDir, startEmbedded } from './index.ts';
import type { EmbeddedDatabase, EmbeddedLog } from './index.ts';
import { launch } from './launch.ts';
import { startSleeper, writeStaleFiles } from '#test/stale-files';
import { isServerOf, listServers } from './pid-file.ts';
import { chooseRunUser } from './run-user.ts';
import { settingArguments } from './settings.ts';

const log: EmbeddedLog = { info: () => {}, warn: () => {}, error: () => {} };
const DOOR = JSON.stringify(import.meta.resolve('./index.ts'));
let base = '';
let template = '';

before(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')));
  await chmod(base, 0o755);
  template = join(base, 'template');
  await using db = await startEmbedded({ dataDir: template, log });
  await ask(db, 'create table notes (body text not null)');
  await ask(db, "insert into notes values ('kept')");
});

after(() => rm(base, { recursive: true, force: true }));

async function ask(db: Pick<EmbeddedDatabase, 'connection'>, sql: string): Promise<unknown[]> {
  const client = new Client(db.connection);
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

/**
 * Copies the stopped template; if the test runs as root, the copy belongs to root, as that of an operator.
 */
async function copyTemplate(...names: string[]): Promise<string> {
  const dataDir = join(base, ...names);
  await cp(template, dataDir, { recursive: true });
  return dataDir;
}

/** Lists a data folder without the copy of the programs, which exists only if the packages are read-only. */
async function namesIn(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => !name.startsWith('postgresql-')).toSorted();
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 300_000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `waited 300 s until ${what}`);
    await delay(5);
  }
}

/** Starts the supervisor in a separate Node.js process; resolves when its database is ready. */
async function startChild(dataDir: string) {
  const program = `
    import { startEmbedded } from ${DOOR};
    const log = { info() {}, warn() {}, error() {} };
    const db = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log });
    console.log(db.pid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { child, postmaster: Number(String(line)) };
}

/** Starts a server on the folder without a supervisor, not bound to a parent process. */
async function startUnbound(dataDir: string): Promise<number> {
  const folder = join(dataDir, 'postgres');
  await (await startEmbedded({ dataDir, log })).stop();
  const user = await chooseRunUser(dataDir, folder);
  const { postgres } = await prepareBinaries(user, dataDir);
  const args = (name: string) => [
    '-D',
    name,
    ...settingArguments(folder, { client: folder, server: '.' }, {}),
  ];
  const child = await launch({ user, setpriv: undefined }, { program: postgres, folder, args });
  child.stderr.resume();
  await until(
    'the server without supervisor runs',
    async () => (await inspectDataDir(dataDir)).state === 'running',
  );
  return Number(child.pid);
}

test('the first start makes a database with checksums, UTF-8 and the builtin locale, on a private socket only', async () => {
  const dataDir = join(base, 'first');
  assert.deepEqual(await inspectDataDir(dataDir), { state: 'absent' });
  await using db = await startEmbedded({
    dataDir,
    log,
    settings: { work_mem: '5MB', listen_addresses: '*' },
  });
  const sql = `select current_database(), datlocprovider, datlocale, pg_encoding_to_char(encoding),
    current_setting('data_checksums'), current_setting('wal_compression'), current_setting('jit'),
    current_setting('fsync'), current_setting('listen_addresses'), current_setting('work_mem')
    from pg_database where datname = current_database()`;
  assert.deepEqual(await ask(db, sql), [
    'colophon',
    'b',
    'C.UTF-8',
    'UTF8',
    'on',
    'pglz',
    'off',
    'on',
    '',
    '5MB',
  ]);
  assert.equal((await stat(db.connection.host)).mode & 0o777, 0o700);
  const { connection, pid } = db;
  assert.deepEqual(await inspectDataDir(dataDir), { state: 'running', major: 18, pid, connection });
  assert.deepEqual(await namesIn(dataDir), ['postgres', 'server.lock']);
});

test('a start on a copied folder keeps the rows, and a clean stop leaves no process, socket or lock', async () => {
  const dataDir = await copyTemplate('copied');
  const db = await startEmbedded({ dataDir, log });
  assert.deepEqual(await ask(db, 'select body from notes'), ['kept']);
  await Promise.all([db.stop(), db.stop()]);
  assert.equal(await Promise.race([db.exited.then(() => 'fired'), delay(50, 'silent')]), 'silent');
  const folder = join(dataDir, 'postgres');
  assert.deepEqual(await listServers(folder), []);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => /PGSQL|postmaster\.pid/.test(name)),
    [],
  );
  assert.deepEqual(await inspectDataDir(dataDir), { state: 'stopped', major: 18 });
});

test('a folder below one that only its owner may enter works', async () => {
  const dataDir = await copyTemplate('closed', 'inside');
  await chmod(join(base, 'closed'), 0o700);
  await using db = await startEmbedded({ dataDir, log });
  assert.deepEqual(await ask(db, 'select body from notes'), ['kept']);
});

test('a path too long for a socket gets a short private folder, which the stop removes', async () => {
  const dataDir = await copyTemplate('long'.repeat(30), 'data');
  const db = await startEmbedded({ dataDir, log });
  assert.deepEqual(await ask(db, 'select body from notes'), ['kept']);
  const { host } = db.connection;
  assert.ok(host.startsWith(tmpdir()) && !host.startsWith(base));
  assert.equal((await stat(host)).mode & 0o777, 0o700);
  assert.equal((await inspectDataDir(dataDir)).connection?.host, host);
  await db.stop();
  await assert.rejects(stat(host), { code: 'ENOENT' });
});

test('a second server on the folder is refused, in another process and in the same one', async () => {
  const dataDir = await copyTemplate('twice');
  const { child, postmaster } = await startChild(dataDir);
  const wording = (pid: number | undefined) => ({
    message: new RegExp(`process ${pid}\\) already uses ${dataDir}:`),
  });
  await assert.rejects(startEmbedded({ dataDir, log }), wording(child.pid));
  assert.equal((await inspectDataDir(dataDir)).pid, postmaster);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using db = await startEmbedded({ dataDir, log });
  assert.notEqual(db.pid, postmaster);
  await assert.rejects(startEmbedded({ dataDir, log }), wording(process.pid));
});

test(
  'kill -9 of the supervisor ends PostgreSQL by itself',
  { skip: process.platform !== 'linux' },
  async () => {
    const dataDir = await copyTemplate('killed');
    const { child, postmaster } = await startChild(dataDir);
    child.kill('SIGKILL');
    await until(
      'PostgreSQL ended',
      async () => !(await isServerOf(postmaster, join(dataDir, 'postgres'))),
    );
  },
);

test('kill -9 of the supervisor does not keep the next start waiting', async () => {
  const dataDir = await copyTemplate('killed-again');
  const before = performance.now();
  await (await startEmbedded({ dataDir: await copyTemplate('stopped-again'), log })).stop();
  const [usual, starts] = [performance.now() - before, [] as number[]];
  for (let round = 0; round < 3; round++) {
    const { child, postmaster } = await startChild(dataDir);
    child.kill('SIGKILL');
    const begun = performance.now();
    await using db = await startEmbedded({ dataDir, log });
    starts.push(performance.now() - begun);
    assert.notEqual(db.pid, postmaster);
    assert.equal((await ask(db, "insert into notes values ('more') returning body")).length, 1);
    assert.equal(Number((await ask(db, 'select count(*) from notes'))[0]), 2 + round);
  }
  // Killing a server takes up to ten seconds, each time. A busy machine is slow at a usual start too.
  assert.ok(Math.max(...starts) < 9_000 + usual, starts.join(', '));
  assert.ok(Math.min(...starts) < 2_000 + usual, starts.join(', '));
});

test('a server without a supervisor is taken over', async () => {
  const dataDir = await copyTemplate('orphan');
  const orphan = await startUnbound(dataDir);
  await using db = await startEmbedded({ dataDir, log });
  assert.notEqual(db.pid, orphan);
  assert.equal(await isServerOf(orphan, join(dataDir, 'postgres')), false);
  assert.deepEqual(await ask(db, 'select body from notes'), ['kept']);
});

test('kill -9 of PostgreSQL resolves exited, and the folder can be started again with its rows', async () => {
  const dataDir = await copyTemplate('crashed');
  const db = await startEmbedded({ dataDir, log });
  await ask(db, "insert into notes values ('acknowledged')");
  process.kill(db.pid, 'SIGKILL');
  await db.exited;
  await using again = await startEmbedded({ dataDir, log });
  assert.deepEqual(await ask(again, 'select body from notes'), ['kept', 'acknowledged']);
});

test('stale lock files that name an innocent process are recovered and the process is left alone', async (t) => {
  const dataDir = await copyTemplate('recycled');
  await (await startEmbedded({ dataDir, log })).stop();
  const sleeper = await startSleeper(dataDir);
  t.after(() => sleeper.kill());
  await writeStaleFiles(dataDir, Number(sleeper.pid));
  assert.equal((await inspectDataDir(dataDir)).state, 'stopped');
  await using db = await startEmbedded({ dataDir, log });
  assert.deepEqual(await ask(db, 'select body from notes'), ['kept']);
  assert.equal(sleeper.exitCode ?? sleeper.signalCode, null);
});

test('stale lock files that name a zombie, or nothing, are recovered', async (t) => {
  const dataDir = await copyTemplate('zombie');
  await (await startEmbedded({ dataDir, log })).stop();
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => parent.kill());
  const [line] = await once(parent.stdout, 'data');
  await writeStaleFiles(dataDir, Number(String(line)));
  const db = await startEmbedded({ dataDir, log });
  await db.stop();
  await writeStaleFiles(dataDir, 0);
  await using again = await startEmbedded({ dataDir, log });
  assert.deepEqual(await ask(again, 'select body from notes'), ['kept']);
});

test('a folder of another major version, and one with something else in it, are refused untouched', async () => {
  const dataDir = await copyTemplate('older');
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await assert.rejects(
    startEmbedded({ dataDir, log }),
    /written by PostgreSQL 17, but this version of Colophon runs PostgreSQL 18:/,
  );
  assert.equal(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8'), '17\n');
  const foreign = join(base, 'foreign');
  await mkdir(join(foreign, 'postgres', 'photos'), { recursive: true });
  await assert.rejects(
    startEmbedded({ dataDir: foreign, log }),
    /contains files but no PostgreSQL database/,
  );
});

test('what an interrupted first start left behind is removed, and a failed start says why and releases the folder', async () => {
  const dataDir = await copyTemplate('unfinished');
  await mkdir(join(dataDir, 'postgres.new-abc', 'base'), { recursive: true });
  const wrong = startEmbedded({ dataDir, log, settings: { shared_buffers: 'plenty' } });
  await assert.rejects(wrong, /did not start on .*invalid value for parameter "shared_buffers"/);
  await (await startEmbedded({ dataDir, log })).stop();
  assert.deepEqual(await namesIn(dataDir), ['postgres', 'server.lock']);
  await assert.rejects(
    startEmbedded({ dataDir: join(dataDir, 'server.lock'), log }),
    /is not a folder: set DATA_DIR/,
  );
});
