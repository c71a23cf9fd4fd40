// Tests of access to the embedded database, and of the conversion of a folder of an earlier version.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { copyPreparedFolder } from '#test/prepared-folder';
import { startEmbedded } from './index.ts';
import type { EmbeddedDatabase } from './index.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };
const run = promisify(execFile);
const isRoot = process.geteuid?.() === 0;
const NOBODY = 65_534;
let base = '';
/** A database as created at its first start. */
let fresh: { readonly dataDir: string; readonly db: EmbeddedDatabase };

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'access-'));
  await chmod(base, 0o755);
  const dataDir = join(base, 'fresh');
  fresh = { dataDir, db: await startEmbedded({ dataDir, log }) };
});

after(async () => {
  await fresh.db.stop();
  await rm(base, { recursive: true, force: true });
});

async function ask(db: Pick<EmbeddedDatabase, 'connection'>, sql: string): Promise<unknown[]> {
  const client = new Client(db.connection);
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

/** Every file below a folder, and the folder itself. */
async function owners(folder: string): Promise<Set<number>> {
  const names = await readdir(folder, { recursive: true });
  const all = await Promise.all(['', ...names].map((name) => stat(join(folder, name))));
  return new Set(all.map(({ uid }) => uid));
}

/** Tries to connect as another user of the machine, after the folder of the socket was made accessible. */
async function connectAs(uid: number, host: string): Promise<string> {
  const program = `
    const { default: pg } = await import(${JSON.stringify(import.meta.resolve('pg'))});
    process.setgroups([]); process.setgid(${uid}); process.setuid(${uid});
    const client = new pg.Client({ host: ${JSON.stringify(host)}, user: 'colophon', database: 'colophon' });
    await client.connect().then(() => console.log('in'), (error) => console.log(error.message));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
  return stdout.trim();
}

test('the kernel says who connects: the user of the service gets in by peer, no rule trusts anybody', async () => {
  const { db, dataDir } = fresh;
  assert.deepEqual(await ask(db, "select type || ' ' || auth_method from pg_hba_file_rules"), [
    'local peer',
  ]);
  assert.deepEqual(
    await ask(db, 'select error from pg_ident_file_mappings where error is not null'),
    [],
  );
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
});

test(
  'as root PostgreSQL has a user of its own, and no other user gets in, nobody and its own included',
  { skip: !isRoot && 'only root can become another user' },
  async () => {
    const { db, dataDir } = fresh;
    const { uid } = await stat(join(dataDir, 'postgres'));
    assert.ok(uid >= 61_184 && uid <= 65_519, String(uid));
    assert.doesNotMatch(
      await readFile('/etc/passwd', 'utf8'),
      new RegExp(`^[^:]*:[^:]*:${uid}:`, 'm'),
    );
    assert.deepEqual(await owners(join(dataDir, 'postgres')), new Set([uid]));
    assert.equal((await stat(`/proc/${db.pid}`)).uid, uid);
    // Even if the folder is accessible to all.
    await chmod(db.connection.host, 0o755);
    await chmod(join(db.connection.host, '.s.PGSQL.5432'), 0o777);
    for (const other of [NOBODY, uid, 4321]) {
      const said = await connectAs(other, db.connection.host);
      assert.notEqual(said, 'in', String(other));
      assert.match(said, /peer|authentication|look up/i);
    }
  },
);

test('a folder of an earlier version, which trusted everybody as nobody, is taken over and restricted', async () => {
  const dataDir = join(base, 'earlier');
  const folder = join(dataDir, 'postgres');
  await copyPreparedFolder(dataDir);
  await writeFile(
    join(folder, 'pg_hba.conf'),
    'local all all trust\nlocal replication all trust\n',
  );
  await writeFile(join(folder, 'pg_ident.conf'), '# PostgreSQL User Name Maps\n');
  if (isRoot) {
    for (const name of ['', ...(await readdir(folder, { recursive: true }))])
      await chown(join(folder, name), NOBODY, NOBODY);
  }
  await using db = await startEmbedded({ dataDir, log });
  assert.deepEqual(await ask(db, 'select count(*) > 0 from migrations'), [true]);
  assert.deepEqual(await ask(db, 'select auth_method from pg_hba_file_rules'), ['peer']);
  assert.ok(!(await owners(folder)).has(NOBODY));
});
