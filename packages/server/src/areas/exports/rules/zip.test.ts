// ZIP records where the old limits end: many files, offsets beyond 4 GiB, sizes that follow the bytes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { crc32, deflateRawSync } from 'node:zlib';
import { text } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { archiveEnd, dataDescriptor, directoryRecord, localHeader } from './zip.ts';
import type { Entry } from './zip.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-zip-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const run = promisify(execFile);
const at = new Date('2026-01-31T09:30:02Z');
const GiB = 1024 ** 3;

function storeEntry(path: string, bytes: Buffer, start: number): Entry {
  const { length } = bytes;
  const sizes = { size: length, packedSize: length };
  return { path, method: 0, streamed: false, crc: crc32(bytes), ...sizes, start, at };
}

/** Lists what readers of other people find; `others` only where the machine has them. */
async function read(file: string): Promise<readonly (readonly [string, string])[]> {
  const found: [string, string][] = [];
  const archive = await openPromise(file, { lazyEntries: true });
  for await (const entry of archive.eachEntry())
    found.push([entry.fileName, await text(await archive.openReadStreamPromise(entry))]);
  const code =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(len(z.infolist()), z.testzip())';
  const said = await run('python3', ['-c', code, file]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (said !== undefined) assert.equal(said.stdout.trim(), `${found.length} None`);
  return found;
}

async function write(file: string, pieces: readonly (readonly [number, Buffer])[]): Promise<void> {
  const handle = await open(file, 'w');
  for (const [position, bytes] of pieces) await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}

test('more files than 16 bits can count', async () => {
  const count = 70_000;
  const bodies: Buffer[] = [];
  const records: Buffer[] = [];
  let start = 0;
  for (let n = 0; n < count; n += 1) {
    const entry = storeEntry(`${n}`, Buffer.alloc(0), start);
    const header = localHeader(entry);
    bodies.push(header);
    records.push(directoryRecord(entry));
    start += header.length;
  }
  const directory = Buffer.concat(records);
  const end = archiveEnd({ entries: count, start, size: directory.length });
  const file = join(folder, 'many.zip');
  await write(file, [[0, Buffer.concat([...bodies, directory, end])]]);
  const archive = await openPromise(file, { lazyEntries: true });
  assert.equal(archive.entryCount, count);
  archive.close();
});

test('a file that begins beyond 4 GiB, and a directory behind it', async () => {
  const [one, two] = [Buffer.from('near'), Buffer.from('far')];
  const far = 5 * GiB;
  const entries = [storeEntry('near.txt', one, 0), storeEntry('far.txt', two, far)];
  const [near = entries[0] as Entry, away = near] = entries;
  const start = far + localHeader(away).length + two.length;
  const directory = Buffer.concat(entries.map(directoryRecord));
  const end = archiveEnd({ entries: 2, start, size: directory.length });
  const file = join(folder, 'far.zip');
  await write(file, [
    [0, Buffer.concat([localHeader(near), one])],
    [far, Buffer.concat([localHeader(away), two, directory, end])],
  ]);
  assert.deepEqual(await read(file), [
    ['near.txt', 'near'],
    ['far.txt', 'far'],
  ]);
});

test('a deflated file whose sizes follow it, with a name in another script', async () => {
  const bytes = Buffer.from('words '.repeat(1_000));
  const packed = deflateRawSync(bytes);
  const path = 'articles/日本語-über.md';
  const sizes = { crc: crc32(bytes), size: bytes.length, packedSize: packed.length };
  const entry: Entry = { path, method: 8, streamed: true, ...sizes, start: 0, at };
  const body = Buffer.concat([localHeader(entry), packed, dataDescriptor(entry)]);
  const directory = directoryRecord(entry);
  const end = archiveEnd({ entries: 1, start: body.length, size: directory.length });
  const file = join(folder, 'streamed.zip');
  await write(file, [[0, Buffer.concat([body, directory, end])]]);
  assert.deepEqual(await read(file), [[path, bytes.toString()]]);
});
