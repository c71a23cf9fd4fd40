// What a backup contains, in words, and the file that a command reads.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Manifest } from '#backup';
import type { Config } from '#config';
import { openBackupFiles } from '#storage';

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns a size such as `12.3 MB`. */
export function sizeOf(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 1_000 && unit < units.length - 1; unit += 1) value /= 1_000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

const many = (count: number, what: string) =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** Returns a line such as `1,234 rows in 40 tables, 5 files (1.2 MB), 3 ledger lines`. */
export function contentsOf({ contents }: Manifest): string {
  const rows = Object.values(contents.rows);
  return [
    `${many(
      rows.reduce((sum, count) => sum + count, 0),
      'row',
    )} in ${many(rows.length, 'table')}`,
    `${many(contents.files, 'file')} (${sizeOf(contents.file_bytes)})`,
    many(contents.erasures, 'ledger line'),
  ].join(', ');
}

/** Returns lines about files that are missing or damaged. */
export function warnings({ removed_files: removed, damaged_files: damaged }: Manifest): string {
  const lines: string[] = [];
  if (removed > 0) lines.push(`${many(removed, 'file')} not included: removed while it was made.`);
  if (damaged.length > 0) {
    const names = damaged.slice(0, 5).join(', ');
    lines.push(`${many(damaged.length, 'file')} damaged in the media store: ${names}.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Opens a backup: a file, or a name in BACKUP_TO.
 * @throws Error in a sentence for the operator: neither exists
 */
export async function openBackup(
  file: string | undefined,
  { backupTo }: Config,
): Promise<{ readonly bytes: Readable } & AsyncDisposable> {
  if (file === undefined) throw new Error('Name the backup: a file, or a name in BACKUP_TO.');
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() === true) {
    const bytes = createReadStream(file, { highWaterMark: 1024 * 1024 });
    return { bytes, [Symbol.asyncDispose]: async () => void bytes.destroy() };
  }
  if (found !== undefined) throw new Error(`${file} is not a file: name the file of the backup.`);
  if (backupTo === undefined) throw new Error(`There is no file ${file}.`);
  const files = await openBackupFiles(backupTo);
  const bytes = await files.open(file);
  if (bytes === undefined) {
    await files[Symbol.asyncDispose]();
    throw new Error(`There is no backup ${file}, neither as a file nor in BACKUP_TO.`);
  }
  const close = async () => {
    bytes.destroy();
    await files[Symbol.asyncDispose]();
  };
  return { bytes, [Symbol.asyncDispose]: close };
}
