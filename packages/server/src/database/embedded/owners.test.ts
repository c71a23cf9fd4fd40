// Tests of embedded database folders that change owners: half converted, copied, shared.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  lchown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { drawSample } from '#test/faults/sampled';
import { seed } from '#test/seed';
import { copyPreparedFolder } from '#test/prepared-folder';
import { startEmbedded } from './index.ts';
import type { EmbeddedDatabase } from './index.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };
const isRoot = process.geteuid?.() === 0;
const rootOnly = { skip: !isRoot && 'only root can give files away' };
const NOBODY = 65_534;
let base = '';
/** Created once; each test copies it. */
let made = '';

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'owners-'));
  await chmod(base, 0o755);
  made = join(base, 'made');
  await copyPreparedFolder(made);
  await using db = await startEmbedded({ dataDir: made, log });
  await ask(db, 'create table notes as select 1 as one');
});

after(() => rm(base, { recursive: true, force: true }));

async function ask(db: Pick<EmbeddedDatabase, 'connection'>, sql: string): Promise<unknown[]> {
  const client = new Client(db.connection);
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
}

async function give(folder: string, uid: number): Promise<void> {
  for (const name of [...(await namesIn(folder)), folder]) await lchown(name, uid, uid);
}

async function copyTo(dataDir: string): Promise<string> {
  await mkdir(join(dataDir, '..'), { recursive: true });
  await cp(made, dataDir, { recursive: true, verbatimSymlinks: true });
  await chmod(dataDir, isRoot ? 0o711 : 0o700);
  const folder = join(dataDir, 'postgres');
  await chmod(folder, 0o700);
  return folder;
}

/**
 * Checks that the data is intact, one user owns all of it, and only users verified by the kernel may connect.
 */
async function assertWhole(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres');
  await using db = await startEmbedded({ dataDir, log });
  assert.deepEqual(await ask(db, 'select one from notes'), [1]);
  assert.deepEqual(await ask(db, 'select distinct auth_method from pg_hba_file_rules'), ['peer']);
  assert.deepEqual(
    await ask(db, 'select error from pg_ident_file_mappings where error is not null'),
    [],
  );
  const { uid, mode } = await stat(folder);
  assert.notEqual(uid, NOBODY);
  if (isRoot) assert.notEqual(uid, 0);
  assert.equal(mode & 0o777, 0o700);
  const all = await Promise.all((await namesIn(folder)).map((name) => stat(name)));
  assert.deepEqual(new Set(all.map((one) => one.uid)), new Set([uid]));
}

test(
  'a takeover that was killed at any point is finished by the next start',
  rootOnly,
  async (t) => {
    const folder = await copyTo(join(base, 'half'));
    const own = (await stat(join(made, 'postgres'))).uid;
    const names = await namesIn(folder);
    for (const share of drawSample([0, 0.5, 1], 1)) {
      await give(folder, NOBODY);
      const converted = Math.floor(names.length * share);
      for (const name of names.slice(0, converted)) await lchown(name, own, own);
      // The drafts of the two files, incomplete and still owned by root; one rule was renamed into place
      // before its owner changed.
      await writeFile(join(folder, 'pg_hba.conf'), 'local all all trust\n');
      for (const name of ['pg_hba.conf.new', 'pg_ident.conf.new', 'pg_ident.conf']) {
        await writeFile(join(folder, name), '# Written by');
        await chown(join(folder, name), 0, 0);
      }
      t.diagnostic(`${share} of the files, SEED=${seed}`);
      await assertWhole(join(base, 'half'));
    }
  },
);

test(
  'a file that root left in a folder that was given away already is given away too',
  rootOnly,
  async () => {
    const folder = await copyTo(join(base, 'left'));
    await give(folder, (await stat(join(made, 'postgres'))).uid);
    for (const name of ['pg_hba.conf', 'pg_ident.conf', 'postgresql.conf', 'PG_VERSION'])
      await chown(join(folder, name), 0, 0);
    await assertWhole(join(base, 'left'));
  },
);

test('no link that the user of the database left leads root elsewhere', rootOnly, async () => {
  const dataDir = join(base, 'links');
  const folder = await copyTo(dataDir);
  const target = join(base, 'of-root');
  const before = '1\n/nowhere\n2\n';
  for (const name of ['pg_hba.conf.new', 'pg_ident.conf.new', 'postmaster.pid']) {
    await writeFile(target, before, { mode: 0o600 });
    await rm(join(folder, name), { force: true });
    await symlink(target, join(folder, name));
    await writeFile(join(folder, 'pg_hba.conf'), 'local all all trust\n');
    await writeFile(join(folder, 'pg_ident.conf'), '');
    await give(folder, (await stat(join(made, 'postgres'))).uid);
    await assertWhole(dataDir);
    assert.equal(await readFile(target, 'utf8'), before, name);
    assert.equal((await stat(target)).uid, 0, name);
  }
});

test('a data folder with spaces, quotes and letters of other scripts in its path', async () => {
  const dataDir = join(base, `it's a "folder", 数据 %s $HOME`);
  await copyTo(dataDir);
  await assertWhole(dataDir);
});

test('a data folder below one that only its owner may enter', async () => {
  const closed = join(base, 'closed');
  await mkdir(closed, { mode: 0o700 });
  await copyTo(join(closed, 'data'));
  await assertWhole(join(closed, 'data'));
});

test(
  'a copy from another machine, where other ids owned it, works as root',
  rootOnly,
  async (t) => {
    for (const uid of [0, ...drawSample([999, 4321, 61_999, 65_534], 1)]) {
      t.diagnostic(`user ${uid}, SEED=${seed}`);
      const dataDir = join(base, `copy-${uid}`);
      const folder = await copyTo(dataDir);
      await give(folder, uid);
      await assertWhole(dataDir);
    }
  },
);

test('of two starts at once one serves, and the other says that the folder is in use', async () => {
  const dataDir = join(base, 'two');
  await copyTo(dataDir);
  const starts = await Promise.allSettled([
    startEmbedded({ dataDir, log }),
    startEmbedded({ dataDir, log }),
  ]);
  const served = starts.filter((one) => one.status === 'fulfilled');
  const refused = starts.filter((one) => one.status === 'rejected');
  try {
    assert.deepEqual([served.length, refused.length], [1, 1]);
    assert.match(String(refused[0]?.reason), /in use|already|another/i);
  } finally {
    for (const one of served) await one.value.stop();
  }
  await assertWhole(dataDir);
});

/** Starts the database as another user and returns the output. */
function startAs(uid: number, dataDir: string): string {
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(new URL('index.ts', import.meta.url))});
    const log = { info() {}, warn() {}, error() {} };
    await startEmbedded({ dataDir: process.argv[1], log }).then(
      async (db) => { await db.stop(); console.log('served'); },
      (error) => console.log(error.message));`;
  const words = ['--input-type=module', '-e', program, '--', dataDir];
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    uid,
    gid: uid,
    cwd: '/',
  });
  return `${stdout}${stderr}`.trim();
}

test(
  'started as root, then as an ordinary user, then as root again: it works or one sentence says what to do',
  rootOnly,
  async () => {
    const dataDir = join(base, 'turns');
    const folder = await copyTo(dataDir);
    await assertWhole(dataDir);
    // The tree may be in a folder that no other user may enter: then this user cannot start anything.
    const readable = spawnSync(process.execPath, ['-e', ''], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
    });
    if (readable.status === 0) {
      const said = startAs(NOBODY, dataDir);
      assert.match(said, /^[^\n]* DATA_DIR \(chown -R USER [^\n]*$/);
      // The data folder alone is not enough.
      const { uid } = await stat(folder);
      await give(dataDir, NOBODY);
      await give(folder, uid);
      assert.match(startAs(NOBODY, dataDir), /^[^\n]* DATA_DIR \(chown -R USER [^\n]*$/);
      await give(dataDir, NOBODY);
      assert.equal(startAs(NOBODY, dataDir), 'served');
      assert.equal((await stat(folder)).uid, NOBODY);
    }
    await chown(dataDir, 0, 0);
    await chmod(dataDir, 0o711);
    await assertWhole(dataDir);
    assert.match(await readFile(join(folder, 'pg_hba.conf'), 'utf8'), /peer map=/);
  },
);
