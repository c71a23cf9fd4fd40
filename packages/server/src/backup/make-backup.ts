// Makes a backup while the service runs: a snapshot of the database, then the files, then the ledger.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { openSnapshot } from '#database';
import type { Connection, Snapshot } from '#database';
import { ledgerLine } from '#ledger';
import type { Ledger } from '#ledger';
import type { MediaStore } from '#storage';
import { openArchive } from './archive-writer.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { fileCount, files, leftOut, outboxTable, undelivered } from './contents.ts';
import { encrypt } from './encryption.ts';
import { filesFolder, headerName, memberName } from './format.ts';
import type { BackupHeader, Manifest } from './format.ts';
import { countLines, inPieces } from './pieces.ts';
import { openSpool } from './spool.ts';
import type { Spool } from './spool.ts';

export interface BackupSource {
  readonly connection: Connection;
  readonly store: MediaStore;
  readonly ledger: Ledger;
  readonly baseUrl: string;
  readonly deployment: string;
}

/** Shows how far a backup or a restore is. */
export interface Steps {
  /** Begins a part; `total` undefined: the number is unknown. */
  begin(name: string, total: number | undefined, done: number): void;
  /** Counts so many more as done. */
  add(count?: number): void;
}

export interface BackupOptions {
  /** Public keys of age; none: the backup is not encrypted. */
  readonly recipients: readonly string[];
  readonly steps: Steps;
}

const compress = promisify(zstdCompress);
const damagedMax = 1_000;

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

async function headerOf(
  { baseUrl, deployment }: BackupSource,
  snapshot: Snapshot,
): Promise<BackupHeader> {
  const found = await snapshot.first(fileCount);
  return {
    format: 'colophon-backup',
    version: 1,
    id: randomUUID(),
    taken_at: snapshot.takenAt,
    engine: snapshot.engine,
    base_url: baseUrl,
    deployment,
    migrations: snapshot.migrations,
    tables: snapshot.tables.map((table) => (table.name === outboxTable.name ? outboxTable : table)),
    expected: { rows: snapshot.rowsExpected, files: found?.count ?? 0 },
  };
}

/** Adds the rows of every table and returns their numbers. */
async function addTables(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  steps: Steps,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of snapshot.tables) {
    const { name } = table;
    const chunks =
      name === outboxTable.name ? snapshot.copyQuery(undelivered) : snapshot.copyTable(table);
    let number = 0;
    for await (const piece of inPieces(chunks)) {
      number += 1;
      const count = countLines(piece);
      rows[name] = (rows[name] ?? 0) + count;
      const member = memberName(`database/${name}`, number, '.copy.zst');
      await archive.add(member, await compress(piece));
      steps.add(count);
    }
  }
  return rows;
}

interface Files {
  files: number;
  file_bytes: number;
  removed: number;
  readonly damaged: string[];
}

async function addFile(archive: ArchiveWriter, store: MediaStore, line: string, seen: Files) {
  const [name = '', size = '', checksum = ''] = line.split('\t');
  const chunks = await store.open(name);
  if (chunks === undefined) {
    seen.removed += 1;
    return;
  }
  const member = { name: filesFolder + name, size: Number(size), chunks };
  const { sha256, whole } = await archive.addStream(member);
  seen.files += 1;
  seen.file_bytes += member.size;
  const fits = whole && (checksum === '' || checksum === sha256);
  if (!fits && seen.damaged.length < damagedMax) seen.damaged.push(name);
}

/** Adds the files that a list names. A missing one was removed after the snapshot. */
async function addFiles(
  archive: ArchiveWriter,
  { store }: BackupSource,
  list: Spool,
  steps: Steps,
): Promise<Files> {
  const seen: Files = { files: 0, file_bytes: 0, removed: 0, damaged: [] };
  for await (const line of list.lines()) {
    await addFile(archive, store, line, seen);
    steps.add();
  }
  return seen;
}

async function* linesOf(ledger: Ledger): AsyncGenerator<Buffer> {
  for await (const entry of ledger.read(() => undefined)) yield Buffer.from(ledgerLine(entry));
}

/** Adds the ledger as it is now, which is later than the snapshot. */
async function addErasures(archive: ArchiveWriter, { ledger }: BackupSource): Promise<number> {
  let [number, count] = [0, 0];
  for await (const piece of inPieces(linesOf(ledger))) {
    number += 1;
    count += countLines(piece);
    await archive.add(memberName('erasures', number, '.log'), piece);
  }
  return count;
}

async function write(
  archive: ArchiveWriter,
  source: BackupSource,
  { steps }: BackupOptions,
): Promise<Manifest> {
  await using list = await openSpool();
  await using snapshot = await openSnapshot(source.connection, leftOut);
  const header = await headerOf(source, snapshot);
  await archive.add(headerName, json(header));
  steps.begin('rows', header.expected.rows || undefined, 0);
  const rows = await addTables(archive, snapshot, steps);
  await pipeline(snapshot.copyQuery(files), createWriteStream(list.file));
  await snapshot.requireUnchanged();
  // From here on the snapshot would only keep the database from removing dead rows.
  await snapshot[Symbol.asyncDispose]();
  steps.begin('files', header.expected.files, 0);
  const { damaged, removed, ...added } = await addFiles(archive, source, list, steps);
  const erasures = await addErasures(archive, source);
  const manifest = {
    id: header.id,
    finished_at: new Date().toISOString(),
    contents: { rows, ...added, erasures, ...(await archive.endMembers()) },
    removed_files: removed,
    damaged_files: damaged,
  };
  await archive.finish(json(manifest));
  return manifest;
}

/** Passes the bytes on, and knows whether they ended with an error of their own. */
function watchErrors(bytes: AsyncIterable<Uint8Array>) {
  let failed = false;
  async function* watched() {
    try {
      yield* bytes;
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  return { bytes: watched(), failed: () => failed };
}

/**
 * Makes a backup and passes its bytes to `sink`. Memory does not grow with its size.
 * @throws Error of the database, the store or the sink, which must then not keep the bytes
 */
export async function makeBackup(
  source: BackupSource,
  options: BackupOptions,
  sink: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Manifest> {
  const archive = openArchive(new Date());
  const watched = watchErrors(await encrypt(archive.stream, options.recipients));
  const failing = (error: unknown): never => {
    archive.fail(error);
    throw error;
  };
  const [written, made] = await Promise.allSettled([
    sink(watched.bytes).catch(failing),
    write(archive, source, options).catch(failing),
  ]);
  // A sink that fails ends the archive too, which knows only that nobody reads it any more.
  if (written.status === 'rejected' && !watched.failed()) throw written.reason as Error;
  // If the archive fails, the sink reports the same error.
  if (made.status === 'rejected') throw made.reason as Error;
  if (written.status === 'rejected') throw written.reason as Error;
  return made.value;
}
