// The scheduled backups: a recurring job that makes one a day where BACKUP_TO says, and deletes old ones.
import { openCopyLock } from '#database';
import type { Connection, Database } from '#database';
import type { Recurring, SubscriberServices } from '#outbox';
import { openBackupFiles } from '#storage';
import type { BackupFiles, BackupLocation } from '#storage';
import { backupName, timeOfBackup } from './file-names.ts';
import { makeBackup } from './make-backup.ts';
import type { BackupSource } from './make-backup.ts';
import { expiredBackups } from './retention.ts';
import type { Dated } from './retention.ts';
import { findBackupState, setMade, setTried } from './backup-state.ts';

export interface BackupSchedule extends Omit<BackupSource, 'connection'> {
  readonly connection: Connection;
  /** undefined: no backups are scheduled. */
  readonly backupTo: BackupLocation | undefined;
  readonly backupRecipients: readonly string[];
  /** Ends a running backup when the process stops. */
  readonly stop: AbortSignal;
}

const hourMs = 3_600_000;
/** A little less than a day, so that the time of day does not move on with each backup. */
const dueMs = 24 * hourMs - 10 * 60_000;
/** After a failure, whatever is wrong gets this long. */
const againMs = hourMs;
/** What a killed backup left behind is removed after this time. */
const leftoverMs = 24 * hourMs;
const nothing = { begin: () => undefined, add: () => undefined };

/** Returns the backups of this service in a place, without other files. */
export async function listBackups(
  files: BackupFiles,
): Promise<readonly (Dated & { readonly size: number })[]> {
  return (await files.list()).flatMap(({ name, size }) => {
    const time = timeOfBackup(name);
    return time === undefined ? [] : [{ name, size, time }];
  });
}

/** How far the clocks of hosts may differ. */
const skewMs = hourMs;

/** Whether a backup was made, by its name, under a clock that was ahead. Such a one is never the newest. */
export function isAhead({ time }: Dated, now: Date): boolean {
  return time.getTime() > now.getTime() + skewMs;
}

/** Returns the time of the newest backup that is not ahead of the clock, or 0. */
export function newestBefore(stored: readonly Dated[], now: Date): number {
  const times = stored.filter((one) => !isAhead(one, now)).map(({ time }) => time.getTime());
  return Math.max(0, ...times);
}

async function isDue(db: Database, files: BackupFiles, now: Date): Promise<boolean> {
  const newest = newestBefore(await listBackups(files), now);
  if (now.getTime() - newest < dueMs) return false;
  const state = await findBackupState(db);
  const failedAt = state?.failure === null ? 0 : Date.parse(state?.tried_at ?? '') || 0;
  return failedAt > now.getTime() || now.getTime() - failedAt >= againMs;
}

async function* until(stop: AbortSignal, bytes: AsyncIterable<Uint8Array>) {
  for await (const chunk of bytes) {
    stop.throwIfAborted();
    yield chunk;
  }
}

/** Makes one, and deletes old ones only after the list shows the new one with all its bytes. */
async function makeOne(schedule: BackupSchedule, files: BackupFiles, services: SubscriberServices) {
  const { db, log, now } = services;
  const { backupRecipients: recipients, stop } = schedule;
  const name = backupName(now(), recipients.length > 0);
  await files.sweep(new Date(now().getTime() - leftoverMs));
  let size = 0;
  const manifest = await makeBackup(schedule, { recipients, steps: nothing }, async (bytes) => {
    size = await files.put(name, until(stop, bytes));
  });
  const stored = await listBackups(files);
  const found = stored.find((one) => one.name === name);
  if (found?.size !== size)
    throw new Error(`BACKUP_TO has ${found?.size ?? 0} bytes of ${name} instead of ${size}.`);
  await db.transaction((tx) => setMade(tx, { name, size, at: now().toISOString() }));
  // Those of a clock that was ahead would take the places of this one and of all others.
  const dated = stored.filter((one) => !isAhead(one, now()));
  for (const one of expiredBackups(dated)) await files.delete(one.name);
  const { removed_files: removed, damaged_files: damaged } = manifest;
  if (damaged.length > 0)
    log.error(
      { files: damaged.slice(0, 20) },
      'Files in the media store are damaged; see the backup.',
    );
  log.info({ name, bytes: size, files: manifest.contents.files, removed }, 'Made a backup.');
}

async function backUp(schedule: BackupSchedule, services: SubscriberServices): Promise<void> {
  const { db, log, now } = services;
  const { backupTo } = schedule;
  if (backupTo === undefined) return;
  await using lock = await openCopyLock(schedule.connection, 'backup');
  if (!lock.isHeld) return;
  await using files = await openBackupFiles(backupTo);
  try {
    if (!(await isDue(db, files, now()))) return;
    await makeOne(schedule, files, services);
  } catch (error) {
    // A stop is not a failure: the next start continues with a new backup.
    if (schedule.stop.aborted) return;
    log.error({ err: error }, 'The scheduled backup failed; it is tried again in an hour.');
    await db.transaction((tx) => setTried(tx, now().toISOString(), (error as Error).message));
  }
}

/** Returns the recurring job. It looks every ten minutes whether a backup is due. */
export function scheduledBackup(schedule: BackupSchedule): Recurring {
  return { name: 'backUp', everyMinutes: 10, run: (services) => backUp(schedule, services) };
}
