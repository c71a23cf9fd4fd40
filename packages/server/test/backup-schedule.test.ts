// Scheduled backups: one a day, old ones deleted, failures seen in doctor and /metrics.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findBackupState } from '#backup';
import { recurringOf } from '#subscribers';
import { operateWith } from './backups.ts';
import { databaseUrlOf } from './derived-tables.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

const dayMs = 86_400_000;
let server: TestServer;
let folder: string;
let target: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-schedule-'));
  target = join(folder, 'backups');
  // Without a pipeline, which makes backups of its own every ten minutes by the clock.
  server = await startServer({ BACKUP_TO: target, ROLE: 'web' });
  await server.published(await server.register());
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the recurring job as the pipeline does, at this moment, and returns what it logged as an error. */
async function runAt(at: Date, stop = new AbortController().signal): Promise<readonly string[]> {
  const errors: string[] = [];
  const { db, log } = server.services;
  const job = recurringOf(server.services, stop).find(({ name }) => name === 'backUp');
  assert.ok(job);
  const noting = {
    ...log,
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (_fields: object, text: string) => void errors.push(text),
  };
  await job.run({ db, log: noting, now: () => at });
  return errors;
}

const storedFiles = async () => (await readdir(target)).toSorted();

async function operate(...args: readonly string[]) {
  return operateTo(target, ...args);
}

async function operateTo(BACKUP_TO: string, ...args: readonly string[]) {
  const { dataDir, baseUrl } = server.services.config;
  const settings = {
    DATABASE_URL: databaseUrlOf(server),
    DATA_DIR: dataDir,
    BASE_URL: baseUrl,
    BACKUP_TO,
  };
  return operateWith(settings, ...args);
}

const metric = async (name: string) => {
  const text = await (await fetch(`${server.baseUrl}/metrics`)).text();
  return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
};

/** Several requests share one look at the database. */
const failedIs = (value: string) =>
  until('the metric shows it', async () => (await metric('colophon_backup_failed')) === value);

test('one a day, whichever process runs the job and however often; doctor and metrics know it', async () => {
  const now = new Date();
  assert.match((await operate('doctor')).out, /ok\s+backups\s+none yet/);
  const errors = await Promise.all([runAt(now), runAt(now), runAt(now)]);
  assert.deepEqual(errors.flat(), []);
  assert.deepEqual(await runAt(new Date(now.getTime() + 20 * 3_600_000)), []);
  const [name = '', ...more] = await storedFiles();
  assert.deepEqual(more, []);
  assert.match(name, /^colophon-\d{4}-.*\.\d{3}Z\.tar$/);
  const verified = await operate('verify', name);
  assert.equal(verified.code, 0, verified.complaint);
  const examined = await operate('doctor');
  assert.equal(examined.code, 0, examined.out);
  assert.match(examined.out, /ok\s+backups\s+1 in BACKUP_TO, the newest of 0 hours ago/);
  assert.ok(Number(await metric('colophon_backup_age_seconds')) < 600);
  assert.ok(Number(await metric('colophon_backup_bytes')) > 1_000);
  assert.equal(await metric('colophon_backup_failed'), '0');
  // The one of the operator counts as well.
  const byHand = await operate('backup');
  assert.equal(byHand.code, 0, byHand.complaint);
});

test('doctor tries the place before the first backup does, and leaves nothing there', async () => {
  const before = await storedFiles();
  assert.equal((await operate('doctor')).code, 0);
  assert.deepEqual(await storedFiles(), before);
  const inTheWay = join(folder, 'in-the-way');
  await writeFile(inTheWay, '');
  const places = process.platform === 'linux' ? ['/proc/colophon', '/sys/colophon'] : [];
  for (const place of [...places, join(inTheWay, 'backups')]) {
    const { code, out } = await operateTo(place, 'doctor');
    assert.equal(code, 1);
    assert.match(out, /WRONG backups\s+The folder of backups \S+ cannot be created .*BACKUP_TO/);
  }
});

test('old ones are deleted, other files and the newest of past months stay', async () => {
  const now = Date.now();
  const past = Array.from({ length: 12 }, (_, index) => new Date(now - (index + 8) * dayMs));
  const names = past.map(
    (time) => `colophon-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar`,
  );
  const old = 'colophon-2019-05-05T00-00-00Z.tar.age';
  for (const name of [...names, old, 'notes.txt']) await writeFile(join(target, name), 'x');
  const leftover = join(target, 'colophon-x.tar.0123456789ab.partial');
  await writeFile(leftover, 'x');
  await utimes(leftover, new Date(0), new Date(0));
  assert.deepEqual(await runAt(new Date(now + dayMs)), []);
  const left = await storedFiles();
  assert.ok(left.includes(old) && left.includes('notes.txt'));
  assert.ok(!left.some((name) => name.endsWith('.partial')));
  assert.ok(
    names.some((name) => !left.includes(name)),
    'of one week the newest is kept',
  );
});

test('backups that are dated in the future stop no schedule, take no place of others, and doctor names them', async () => {
  // One for each month that would be kept: a clock was ahead.
  const months = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, '0'));
  const early = months.map((month) => `colophon-2099-${month}-01T00-00-00Z.tar`);
  for (const name of early) await writeFile(join(target, name), 'x');
  const before = await storedFiles();
  assert.deepEqual(await runAt(new Date(Date.now() + 2 * dayMs)), []);
  assert.equal((await storedFiles()).filter((name) => !before.includes(name)).length, 1);
  const examined = await operate('doctor');
  assert.match(
    examined.out,
    new RegExp(
      `WRONG backups\\s+dated in the future in BACKUP_TO, rename or delete them: .*${early.join(', ')}`,
    ),
  );
  for (const name of early) await rm(join(target, name));
});

test('a failure is logged, kept for doctor and metrics, and tried again after an hour', async () => {
  await rm(target, { recursive: true });
  await writeFile(target, 'a file where the folder should be');
  const later = new Date(Date.now() + 3 * dayMs);
  assert.deepEqual(await runAt(later), [
    'The scheduled backup failed; it is tried again in an hour.',
  ]);
  await failedIs('1');
  const examined = await operate('doctor');
  assert.equal(examined.code, 1);
  assert.match(examined.out, /WRONG backups\s+/);
  await rm(target);
  assert.deepEqual(await runAt(new Date(later.getTime() + 60_000)), []);
  await assert.rejects(storedFiles());
  const unavailable = await operate('doctor');
  assert.match(unavailable.out, /WRONG backups\s+none yet\. The last attempt failed: /);
  assert.deepEqual(await runAt(new Date(later.getTime() + 3_700_000)), []);
  assert.equal((await storedFiles()).length, 1);
  await failedIs('0');
});

test('a backup of the operator ends a failure, and the metrics know it', async () => {
  await rm(target, { recursive: true });
  await writeFile(target, 'a file where the folder should be');
  assert.equal((await runAt(new Date())).length, 1);
  await failedIs('1');
  await rm(target);
  const made = await operate('backup');
  assert.equal(made.code, 0, made.complaint);
  // The schedule has nothing to do for a day.
  assert.deepEqual(await runAt(new Date()), []);
  await failedIs('0');
  assert.ok(Number(await metric('colophon_backup_age_seconds')) < 600);
  const examined = await operate('doctor');
  assert.match(examined.out, /ok\s+backups\s+1 in BACKUP_TO, the newest of 0 hours ago/);
});

test('a backup of the operator that fails is kept for doctor and metrics; one to a file of its own, or with a mistake in the command, is not', async () => {
  await rm(target, { recursive: true });
  await writeFile(target, 'a file where the folder should be');
  const elsewhere = await operate('backup', join(target, 'below-a-file.tar'));
  assert.equal(elsewhere.code, 1);
  const mistaken = await operate('backup', '--recipient', 'nonsense');
  assert.match(mistaken.complaint, /^A recipient is malformed/);
  assert.equal((await findBackupState(server.db))?.failure, null);
  const failed = await operate('backup');
  assert.equal(failed.code, 1);
  await failedIs('1');
  await rm(target);
  const examined = await operate('doctor');
  assert.match(examined.out, /WRONG backups\s+none yet\. The last attempt failed: /);
  assert.equal((await operate('backup')).code, 0);
  await failedIs('0');
});

test('other things in the folder, such as a link that leads nowhere, are left alone', async () => {
  await symlink('nowhere', join(target, 'colophon-2020-01-01T00-00-00Z.tar'));
  assert.match((await operate('doctor')).out, /(?:ok|WRONG)\s+backups\s+\S+ in BACKUP_TO/);
  await rm(join(target, 'colophon-2020-01-01T00-00-00Z.tar'));
});

test('a process that stops ends its backup, keeps nothing of it, and counts it as no failure', async () => {
  const asked = new AbortController();
  asked.abort();
  const before = await storedFiles();
  assert.deepEqual(await runAt(new Date(Date.now() + 9 * dayMs), asked.signal), []);
  assert.deepEqual(await storedFiles(), before);
  await failedIs('0');
});

test('lists of files that killed backups left a week ago are swept, and no newer one', async () => {
  const left = () => mkdtemp(join(tmpdir(), 'colophon-backup-'));
  const [old, recent] = [await left(), await left()];
  const longAgo = new Date(Date.now() - 8 * dayMs);
  await utimes(old, longAgo, longAgo);
  assert.equal((await operate('backup')).code, 0);
  assert.equal(existsSync(old), false);
  assert.equal(existsSync(recent), true);
  await rm(recent, { recursive: true });
});
