// A log in a folder, as an operator with every key writes it, and a small server for its files.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  cosignatureMessage,
  leafHash,
  verifierKeyOf,
  writeCheckpoint,
  writeCosignature,
  writeNote,
  writeVerifierKey,
} from '../src/index.ts';
import type { NoteAlgorithm, NoteSignature, VerifierKey } from '../src/index.ts';
import { sha256 } from './sha256.ts';
import { append, emptyLog, rootByFrontier } from './tiled-log.ts';
import type { TiledLog } from './tiled-log.ts';

export interface NoteKey {
  readonly key: VerifierKey;
  /** `name+id+key`. */
  readonly text: string;
  readonly privateKey: KeyObject;
}

/** A key of a log (1) or a witness (4). */
export function makeNoteKey(name: string, algorithm: NoteAlgorithm): NoteKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const key = verifierKeyOf(sha256, name, algorithm, raw);
  return { key, text: writeVerifierKey(key), privateKey };
}

/** The signature of a key on a text. A witness signs the time too: `second` since 1970. */
export function signatureOf({ key, privateKey }: NoteKey, text: string, second = 0): NoteSignature {
  if (key.algorithm === 1) return { ...key, signature: sign(null, Buffer.from(text), privateKey) };
  const signature = sign(null, cosignatureMessage(second, text), privateKey);
  return { ...key, signature: writeCosignature(second, signature) };
}

/** A checkpoint of a log with its signatures. */
export function noteOf(
  log: TiledLog,
  keys: readonly NoteKey[],
  { size = log.entries.length, origin = keys[0]?.key.name ?? '', second = 1_780_000_000 } = {},
): string {
  const leaves = log.entries.slice(0, size).map((entry) => leafHash(sha256, entry));
  const root = rootByFrontier(leaves);
  const text = writeCheckpoint({ origin, size, root, extensions: [] });
  return writeNote(
    text,
    keys.map((key) => signatureOf(key, text, second)),
  );
}

export interface LogFolder extends AsyncDisposable {
  readonly folder: string;
  readonly log: TiledLog;
  /** Adds entries, writes all files, and a checkpoint with the signatures of the keys. */
  publish(entries: readonly Uint8Array[], keys: readonly NoteKey[]): Promise<string>;
  /** Replaces the history with another one. */
  replace(entries: readonly Uint8Array[], keys: readonly NoteKey[]): Promise<string>;
  /** Changes one file. */
  change(path: string, change: (bytes: Buffer) => Uint8Array): Promise<void>;
  write(path: string, bytes: Uint8Array | string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Opens an empty log in a temporary folder. */
export async function openLogFolder(): Promise<LogFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-log-'));
  const log = emptyLog();
  const written = new Set<string>();
  const write = async (path: string, bytes: Uint8Array | string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  };
  const publish: LogFolder['publish'] = async (entries, keys) => {
    append(log, entries);
    for (const [path, bytes] of log.files) if (!written.has(path)) await write(path, bytes);
    for (const path of log.files.keys()) written.add(path);
    const note = noteOf(log, keys);
    await write('checkpoint', note);
    return note;
  };
  return {
    folder,
    log,
    write,
    publish,
    replace: async (entries, keys) => {
      await rm(folder, { recursive: true, force: true });
      log.entries.length = 0;
      log.files.clear();
      written.clear();
      return publish(entries, keys);
    },
    change: async (path, change) => write(path, change(await readFile(join(folder, path)))),
    remove: (path) => rm(join(folder, path)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface ServedFolder extends AsyncDisposable {
  readonly url: string;
  /** The paths that were requested. */
  readonly requests: string[];
}

/** Serves the files of a folder below `/log/`, and nothing else. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/log\//, '');
    requests.push(path);
    const isFile = /^(?:checkpoint|tile\/[\w/.]+)$/.test(path) && !path.includes('..');
    readFile(isFile ? join(folder, path) : '')
      .then((bytes) => response.writeHead(200).end(bytes))
      .catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/log`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** The SHA-256 of some bytes in hexadecimal digits. */
export function hexHash(...parts: readonly Uint8Array[]): string {
  return createHash('sha256').update(Buffer.concat(parts)).digest('hex');
}
