// What protects a backup and a restore: keys, locks, roles with few rights, and files that are there already.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { makeBackup } from '#backup';
import { openSnapshot } from '#database';
import { openBackupFiles } from '#storage';
import { assertRan, emptyTarget, onServer, operateWith } from './backups.ts';
import { urlOf } from './derived-tables.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { operate } from './operator.ts';

let server: TestServer;
let folder: string;
let plainFile: string;

before(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'colophon-safety-'));
  plainFile = join(folder, 'plain-file.tar');
  await server.published(await server.register());
  assertRan(await operate(server, 'backup', plainFile));
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('a restore needs a role that owns the database, and no superuser', async () => {
  await using target = await emptyTarget(server);
  const role = `owner_${randomBytes(4).toString('hex')}`;
  const { database } = target.connection;
  const { connection } = server.services;
  const ask = (text: string) => onServer(connection, (client) => client.query(text));
  await ask(`create role ${role} login`);
  await ask(`alter database ${database} owner to ${role}`);
  try {
    const settings = {
      ...target.settings,
      DATABASE_URL: urlOf({ ...target.connection, user: role }),
    };
    assertRan(await operateWith(settings, 'restore', plainFile));
    assertRan(await operateWith(settings, 'verify-audit'));
    const [row] = await target.ask<{ may: boolean }>(
      `select has_table_privilege('${role}', 'audit_log', 'truncate') as may`,
    );
    assert.equal(row?.may, false);
  } finally {
    await ask(`drop database ${database} with (force)`);
    await ask(`drop role ${role}`);
    // The target drops it as well.
    await ask(`create database ${database}`);
  }
});

test('of several restores into one database at once, one restores and the others are refused', async () => {
  await using target = await emptyTarget(server);
  const ran = await Promise.all(
    Array.from({ length: 3 }, () => target.operate('restore', plainFile)),
  );
  assert.equal(ran.filter(({ code }) => code === 0).length, 1);
  for (const { code, complaint } of ran)
    if (code === 1) assert.match(complaint, /^(?:Another restore|The database is not empty)/);
  assert.equal((await target.ask('select from articles')).length, 1);
});

test('a backup during which a table is rewritten is refused: the snapshot sees no rows in it', async () => {
  await using target = await emptyTarget(server);
  assertRan(await target.operate('restore', plainFile));
  await using snapshot = await openSnapshot(target.connection, []);
  await snapshot.requireUnchanged();
  await target.ask(
    'alter table articles add column rewritten text default clock_timestamp()::text',
  );
  await assert.rejects(snapshot.requireUnchanged(), /Make the backup again/);
});

/** What a newer version does to the target while it is filled: the restore cannot open it afterwards. */
const spoil = `
  create function spoil() returns event_trigger language plpgsql as $$
  begin
    if to_regclass('public.migrations') is null then return; end if;
    insert into public.migrations (name, run_on)
    select '9999_newer', now() where exists (select from public.migrations where name = 'unfinished restore')
      and not exists (select from public.migrations where name = '9999_newer');
  end $$;
  create event trigger spoil on ddl_command_end when tag in ('CREATE INDEX') execute function spoil()`;

test('a restore that fails after its commit has revoked the tokens, and the next start does the rest', async () => {
  await using target = await emptyTarget(server);
  await target.ask(spoil);
  const { code, complaint } = await target.operate('restore', plainFile, '--revoke-tokens');
  assert.equal(code, 1);
  assert.match(complaint, /^The backup is restored: do not restore it again\. .*9999_newer/m);
  assert.equal((await target.ask('select from tokens')).length, 1);
  assert.deepEqual(await target.ask('select from tokens where revoked_at is null'), []);
  await target.ask("drop event trigger spoil; delete from migrations where name = '9999_newer'");
  const again = await target.operate('restore', plainFile, '--revoke-tokens');
  assert.match(again.complaint, /^The database is not empty/);
  assertRan(await target.operate('verify-audit'));
});

test('a backup of nothing is refused, and makes no database', async () => {
  const dataDir = join(folder, 'nowhere');
  const settings = { DATA_DIR: dataDir, DISK_RESERVE: '0' };
  const { code, complaint } = await operateWith(settings, 'backup', join(folder, 'none.tar'));
  assert.equal(code, 1);
  assert.match(complaint, /^There is no database in .*nowhere\. Set DATA_DIR or DATABASE_URL/);
  await assert.rejects(stat(dataDir));
});

test('of two backups with one name at once, the second keeps its hands off the first', async () => {
  await using files = await openBackupFiles({ folder: join(folder, 'named') });
  const bytes = async function* bytesOf(text: string) {
    yield Buffer.from(text);
  };
  const put = await Promise.allSettled(
    ['one', 'two'].map((text) => files.put('a.tar', bytes(text))),
  );
  assert.deepEqual(put.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const kept = await readFile(join(folder, 'named/a.tar'), 'utf8');
  assert.equal(kept, put[0]?.status === 'fulfilled' ? 'one' : 'two');
  assert.deepEqual(await files.list(), [{ name: 'a.tar', size: 3 }]);
});

test('an encrypted backup is read with the secret key only, also by the program age', async (t) => {
  const keys = [await generateX25519Identity(), await generateX25519Identity()] as const;
  const [identity, wrong] = [join(folder, 'key.txt'), join(folder, 'wrong.txt')];
  await writeFile(identity, `# created: today\n${keys[0]}\n`);
  await writeFile(wrong, keys[1]);
  const sealed = join(folder, 'sealed.tar.age');
  const recipient = await identityToRecipient(keys[0]);
  const made = await operate(server, 'backup', sealed, '--recipient', recipient);
  assertRan(made);
  assert.match(made.out, /, encrypted\)/);
  const bytes = await readFile(sealed);
  assert.equal(bytes.indexOf('colophon-backup'), -1);

  assertRan(await operate(server, 'verify', sealed, '--identity', identity));
  const refusals = [
    [[], /The backup is encrypted: add --identity FILE/],
    [['--identity', wrong], /cannot be decrypted with .*wrong\.txt/],
    [['--identity', plainFile], /contains no line AGE-SECRET-KEY-/],
    [['--identity', join(folder, 'none')], /cannot be read/],
  ] as const;
  for (const [args, sentence] of refusals) {
    const { code, complaint } = await operate(server, 'verify', sealed, ...args);
    assert.equal(code, 1);
    assert.match(complaint, sentence);
  }
  const open = await operate(
    server,
    'backup',
    join(folder, 'open.tar'),
    '--recipient',
    'AGE-SECRET-KEY-1',
  );
  assert.match(open.complaint, /^A recipient is malformed: use the public key/);
  await assert.rejects(stat(join(folder, 'open.tar')));

  const plain = join(folder, 'plain.tar');
  const decrypt = ['-d', '-i', identity, '-o', plain, sealed];
  const ran = await promisify(execFile)('age', decrypt).catch(
    (error: NodeJS.ErrnoException) => error,
  );
  if (ran instanceof Error && ran.code === 'ENOENT')
    return t.diagnostic('The program age is not installed.');
  if (ran instanceof Error) throw ran;
  assertRan(await operate(server, 'verify', plain));
});

test('a folder of backups that is a file is named, with the setting', async () => {
  const files = await openBackupFiles({ folder: plainFile });
  const put = files.put(
    'one.tar',
    (async function* one() {
      yield Buffer.from('x');
    })(),
  );
  await assert.rejects(put, new RegExp(`${plainFile}.*BACKUP_TO`));
});

test('a backup that its target does not take fails with the words of the target', async () => {
  const { connection, store, ledger, config } = server.services;
  const steps = { begin: () => undefined, add: () => undefined };
  for (const taken of [0, 1]) {
    const failed = makeBackup(
      { connection, store, ledger, ...config },
      { recipients: [], steps },
      async (bytes) => {
        let left = taken;
        for await (const _ of bytes) if ((left -= 1) < 0) throw new Error('The target is full.');
      },
    );
    await assert.rejects(failed, /The target is full/);
  }
});

test('a full disk of backups is named, with what to do, and keeps nothing', async (t) => {
  const disk = join(folder, 'disk');
  await mkdir(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk]).status !== 0)
    return t.skip('nothing can be mounted');
  try {
    const { code, complaint } = await operate(server, 'backup', join(disk, 'one.tar'));
    assert.equal(code, 1);
    assert.match(complaint, /^There is no space left .*disk \(ENOSPC\): free space .*BACKUP_TO/m);
    assert.deepEqual(await readdir(disk), []);
  } finally {
    spawnSync('umount', [disk]);
  }
});
