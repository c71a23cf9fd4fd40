// Fetches the files of a log, with retries and limits, from the service or from any mirror.
import { entriesPath, hashLength, maxEntryLength, tilePath, tileWidth } from '@colophon/tlog';
import { logFault } from './log-fault.ts';
import { pause } from './retry.ts';

export interface LogSource {
  /** The address of the log: `log.url` of GET /v1/meta, or of a mirror. */
  readonly url: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a file of a log; undefined if it does not exist. `signal` ends this reading alone, with its reason.
 *
 * @throws LogFault `unreachable`
 */
export type ReadLogFile = (
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
) => Promise<Uint8Array | undefined>;

/**
 * Reads files that are needed together. When the work has ended, those that are still being read are not asked for any
 * more: after one of them has failed for good, the others are of no use.
 */
export async function readTogether<T>(
  read: ReadLogFile,
  work: (read: ReadLogFile) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  try {
    return await work(endedBy(read, ending.signal));
  } finally {
    ending.abort();
  }
}

/** Returns a reader that a signal ends. */
export function endedBy(read: ReadLogFile, ending: AbortSignal): ReadLogFile {
  return (path, maxBytes, signal) => {
    const any = signal === undefined ? ending : AbortSignal.any([ending, signal]);
    return read(path, maxBytes, any);
  };
}

const attempts = 5;
const firstWaitMs = 250;
const longestWaitMs = 30_000;
const timeoutMs = 60_000;

/** The longest note that is read; twice what a hundred signatures need. */
export const maxNoteBytes = 1_000_000;

async function bodyOf(response: Response, path: string, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    length += read.value.length;
    if (length > maxBytes) {
      await reader?.cancel();
      throw logFault('tile', `${path} is longer than any such file.`, { path });
    }
    parts.push(read.value);
  }
  const whole = new Uint8Array(length);
  parts.reduce((at, part) => {
    whole.set(part, at);
    return at + part.length;
  }, 0);
  return whole;
}

/** Milliseconds until the next attempt: as long as the service asks, and a little by chance. */
function waitAfter(response: Response | undefined, made: number): number {
  const specifiedMs = Number(response?.headers.get('retry-after') ?? 0) * 1000 || 0;
  return Math.min(specifiedMs, longestWaitMs) + Math.random() * firstWaitMs * 2 ** made;
}

type Outcome =
  | { readonly bytes: Uint8Array | undefined }
  | { readonly failed: string; readonly response?: Response; readonly cause?: unknown };

async function tryOnce(
  { url, fetch = globalThis.fetch, signal }: LogSource,
  path: string,
  maxBytes: number,
): Promise<Outcome> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/${path}`, {
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    if (response.ok) return { bytes: await bodyOf(response, path, maxBytes) };
    await response.body?.cancel();
    if (response.status === 404) return { bytes: undefined };
    return { failed: `The log answered with status ${response.status}.`, response };
  } catch (cause) {
    signal?.throwIfAborted();
    if ((cause as Error).name === 'LogFault') throw cause;
    return { failed: `${path} did not arrive.`, cause };
  }
}

/** Opens the files of a log. Each is requested up to five times. */
export function openLogFiles(source: LogSource): ReadLogFile {
  return async (path, maxBytes, own) => {
    const signals = [source.signal, own].filter((signal) => signal !== undefined);
    const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
    for (let made = 1; ; made += 1) {
      const outcome = await tryOnce({ ...source, signal }, path, maxBytes);
      if ('bytes' in outcome) return outcome.bytes;
      const { failed, response, cause } = outcome;
      const isFinal = response !== undefined && response.status < 500 && response.status !== 429;
      if (isFinal || made === attempts) throw logFault('unreachable', failed, { path, cause });
      await pause(waitAfter(response, made), signals);
    }
  };
}

/**
 * Returns a partial tile, or its beginning of the full one: a log may delete a partial tile once it is full.
 */
async function readPart(
  read: ReadLogFile,
  [partial, full]: readonly [string, string],
  maxBytes: number,
): Promise<Uint8Array> {
  const bytes = (await read(partial, maxBytes)) ?? (await read(full, maxBytes));
  if (bytes !== undefined) return bytes;
  throw logFault('missing', `${partial} does not exist.`, { path: partial });
}

/** Returns the hashes of a tile, of the width that a tree needs. @throws LogFault */
export async function readTileFile(
  read: ReadLogFile,
  {
    level,
    index,
    width,
  }: { readonly level: number; readonly index: number; readonly width: number },
): Promise<Uint8Array> {
  const path = tilePath(level, index, width);
  const full = tilePath(level, index, tileWidth);
  const bytes = await readPart(read, [path, full], tileWidth * hashLength);
  if (bytes.length >= width * hashLength) return bytes.subarray(0, width * hashLength);
  throw logFault('tile', `${path} is cut: it has ${bytes.length} bytes.`, { path });
}

/** Returns a bundle of entries as it is stored. It may contain more entries than `width`. @throws LogFault */
export async function readEntriesFile(
  read: ReadLogFile,
  { index, width }: { readonly index: number; readonly width: number },
): Promise<Uint8Array> {
  const paths = [entriesPath(index, width), entriesPath(index, tileWidth)] as const;
  return readPart(read, paths, tileWidth * (maxEntryLength + 2));
}
