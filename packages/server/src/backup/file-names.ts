// The names of backups where BACKUP_TO stores them, which contain their time.

const form = /^colophon-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}(?:\.\d{3})?)Z\.tar(?:\.age)?$/;

/**
 * Returns a name such as `colophon-2026-11-23T20-30-00.250Z.tar.age`. It contains milliseconds because two backups
 * may begin within one second: one of the schedule and one of the operator.
 */
export function backupName(at: Date, isEncrypted: boolean): string {
  return `colophon-${at.toISOString().replaceAll(':', '-')}.tar${isEncrypted ? '.age' : ''}`;
}

/** Returns the time in the name; undefined if another program stored the file. Older names end with the second. */
export function timeOfBackup(name: string): Date | undefined {
  const [, day, hour, minute, second] = form.exec(name) ?? [];
  if (day === undefined) return undefined;
  const time = new Date(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
