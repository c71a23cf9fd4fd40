// Exports as tests request, await and open them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import type { Human, Response, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

type Asks = Pick<Human, 'token'>;

export function requestExport(
  server: TestServer,
  who: Asks,
  principalId?: string,
): Promise<Response> {
  const body = principalId === undefined ? {} : { principal_id: principalId };
  return server.ask('POST', '/v1/exports', { token: who.token, key: true, body });
}

export async function readRecord(server: TestServer, who: Asks, id: string) {
  return (await server.ask('GET', `/v1/exports/${id}`, { token: who.token })).body;
}

/** Waits until an export is no longer built, and returns its record. */
export async function finishedExport(server: TestServer, who: Asks, id: string) {
  let record = await readRecord(server, who, id);
  await until('the export is finished', async () => {
    record = await readRecord(server, who, id);
    return record.status !== 'queued' && record.status !== 'running';
  });
  return record;
}

/** A new export that is ready: its record. */
export async function readyExport(server: TestServer, who: Asks, principalId?: string) {
  const made = await requestExport(server, who, principalId);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const record = await finishedExport(server, who, made.body.id);
  assert.equal(record.status, 'ready', JSON.stringify(record));
  return record;
}

/** The bytes of an archive. */
export async function download(server: TestServer, who: Asks, id: string): Promise<Buffer> {
  const response = await fetch(`${server.baseUrl}/v1/exports/${id}/content`, {
    headers: { authorization: `Bearer ${who.token}` },
  });
  assert.equal(response.status, 200);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  return bytes;
}

const run = promisify(execFile);

/** Runs a program of the machine; does nothing where the machine has none of this name. */
async function runIfThere(program: string, ...args: readonly string[]): Promise<void> {
  await run(program, args, { maxBuffer: 2 ** 26 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

let asked = false;

/** Asks the programs of other people whether the first archive of a test file is valid: they take a second. */
async function askOthers(bytes: Buffer): Promise<void> {
  if (asked) return;
  asked = true;
  const folder = await mkdtemp(join(tmpdir(), 'colophon-zip-'));
  try {
    const archive = join(folder, 'export.zip');
    await writeFile(archive, bytes);
    await runIfThere('unzip', '-tqq', archive);
    await runIfThere('python3', '-m', 'zipfile', '-e', archive, join(folder, 'files'));
    await runIfThere(
      'sh',
      '-c',
      'cd "$0" 2>/dev/null || exit 0; sha256sum --quiet --strict -c checksums.txt',
      join(folder, 'files'),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the files of an archive by their paths, after every CRC and every checksum was compared. */
export async function extractFiles(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const archive = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of archive.eachEntry()) {
    const content = await buffer(await archive.openReadStreamPromise(entry));
    assert.equal(crc32(content), entry.crc32, entry.fileName);
    assert.ok(!files.has(entry.fileName), `${entry.fileName} is there once`);
    files.set(entry.fileName, content);
  }
  const lines = (files.get('checksums.txt')?.toString() ?? '').split('\n').filter(Boolean);
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  for (const [path, content] of files) {
    if (path === 'checksums.txt' || path === 'manifest.json') continue;
    assert.equal(createHash('sha256').update(content).digest('hex'), sums.get(path), path);
  }
  assert.equal(sums.size, files.size - 2);
  await askOthers(bytes);
  return files;
}

/** The files of a new export of this principal. */
export async function exportedFiles(server: TestServer, who: Asks, principalId?: string) {
  const record = await readyExport(server, who, principalId);
  return { record, files: await extractFiles(await download(server, who, record.id)) };
}

const textOf = (files: ReadonlyMap<string, Buffer>, path: string) => {
  const bytes = files.get(path);
  assert.ok(bytes, `${path} is in the archive`);
  return bytes.toString();
};

export function jsonOf(files: ReadonlyMap<string, Buffer>, path: string) {
  return JSON.parse(textOf(files, path));
}

/** The records of a file with one JSON object a line. */
export function linesOf(files: ReadonlyMap<string, Buffer>, path: string) {
  return textOf(files, path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
