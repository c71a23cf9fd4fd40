// What a backup file contains: its first and last member, and the names between them.
import { readStored } from '#lib/stored-json';
import type { TableCopy } from '#database';

/** The first member: everything that a restore must know before it reads rows. */
export interface BackupHeader {
  readonly format: 'colophon-backup';
  readonly version: 1;
  readonly id: string;
  /** The moment of the snapshot. Everything that was acknowledged before is in the backup. */
  readonly taken_at: string;
  readonly engine: string;
  readonly base_url: string;
  readonly deployment: string;
  readonly migrations: readonly string[];
  readonly tables: readonly TableCopy[];
  /** Estimates, for the display of progress. */
  readonly expected: { readonly rows: number; readonly files: number };
}

/** What a backup contains, counted while it is written and again whenever it is read. */
export interface Contents {
  /** Rows of each table that has any. */
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  readonly file_bytes: number;
  readonly erasures: number;
  readonly members: number;
  /** SHA-256 of all lists of checksums, one after the other. */
  readonly checksums_sha256: string;
}

/** The last member. Without it, the backup is not complete. */
export interface Manifest {
  readonly id: string;
  readonly finished_at: string;
  readonly contents: Contents;
  /** Files that were removed from the service while the backup ran. */
  readonly removed_files: number;
  /** Names of files whose bytes were not those of the database, a thousand at most. */
  readonly damaged_files: readonly string[];
}

export const headerName = 'backup.json';
export const manifestName = 'manifest.json';
export const filesFolder = 'files/';

/** Returns the name of a numbered member, such as `database/articles/000001.copy.zst`. */
export function memberName(folder: string, number: number, suffix: string): string {
  return `${folder}/${String(number).padStart(6, '0')}${suffix}`;
}

/** Returns the table whose rows the member contains; undefined if it contains something else. */
export function tableOf(member: string): string | undefined {
  return /^database\/([a-z_0-9]+)\/\d{6,}\.copy\.zst$/.exec(member)?.[1];
}

function damageError(what: string): Error {
  return new Error(`The file is not a backup of Colophon, or is damaged: ${what}.`);
}

function parseJson(bytes: Buffer, what: string): Partial<Record<string, unknown>> {
  try {
    const value = readStored(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The error below says it.
  }
  throw damageError(`${what} is not JSON`);
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function isTable(value: unknown): boolean {
  const { name, columns } = (value ?? {}) as Partial<TableCopy>;
  return typeof name === 'string' && isTexts(columns);
}

/** @throws Error in a sentence for the operator */
export function parseHeader(bytes: Buffer): BackupHeader {
  const header = parseJson(bytes, headerName);
  if (header['format'] !== 'colophon-backup') throw damageError(`${headerName} has another format`);
  if (header['version'] !== 1)
    throw new Error('The backup was made by a newer version of Colophon: use that version.');
  const { tables, migrations } = header;
  if (!isTexts(migrations) || !Array.isArray(tables) || !tables.every(isTable))
    throw damageError(`${headerName} has no tables`);
  return header as unknown as BackupHeader;
}

/** @throws Error in a sentence for the operator */
export function parseManifest(bytes: Buffer): Manifest {
  const manifest = parseJson(bytes, manifestName);
  if (typeof manifest['contents'] !== 'object' || manifest['contents'] === null)
    throw damageError(`${manifestName} has no contents`);
  return manifest as unknown as Manifest;
}
