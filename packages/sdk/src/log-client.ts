// createLogClient: reads a transparency log, verifies everything that it returns, and remembers what it saw.
import {
  equalBytes,
  hashesNeededForInclusion,
  hashLength,
  inclusionProof,
  leafHash,
  tileWidth,
  tileWidthAt,
  unpackEntries,
} from '@colophon/tlog';
import { requireObject, requireText } from './check-input.ts';
import { createCheckpointMemory, proveConsistency, remember } from './checkpoint-memory.ts';
import type { CheckpointMemory } from './checkpoint-memory.ts';
import { inputError } from './input-error.ts';
import { logFault } from './log-fault.ts';
import { endedBy, maxNoteBytes, openLogFiles, readEntriesFile, readTogether } from './log-files.ts';
import type { LogSource, ReadLogFile } from './log-files.ts';
import { sha256 } from './log-hash.ts';
import { openTree } from './log-tree.ts';
import type { TreeReader } from './log-tree.ts';
import { openCheckpoint, readTrustedLog } from './log-trust.ts';
import type { LogKeys } from './log-trust.ts';
import type { KnownTree, SignedCheckpoint, TrustedLog } from './log-types.ts';

export interface LogClientOptions extends TrustedLog, LogSource {
  /** Where the newest checkpoint is kept. Default: in this client. */
  readonly memory?: CheckpointMemory | undefined;
}

/** An entry of the log, which belongs to the checkpoint. */
export interface LogEntry {
  readonly index: number;
  /** Canonical JSON. */
  readonly bytes: Uint8Array;
}

export interface EntryRange {
  /** The first leaf. Default 0. */
  readonly from?: number | undefined;
  /** The first leaf that is not wanted. Default: the size of the tree. */
  readonly to?: number | undefined;
}

export interface LogClient {
  /**
   * Returns the newest checkpoint: signed by the trusted log and witnesses, and a continuation of the
   * remembered one, which it replaces.
   *
   * @throws LogFault; `older` and `forked` contain both notes as evidence
   */
  readCheckpoint(): Promise<SignedCheckpoint>;
  /**
   * Returns the proof that the newer tree begins with all leaves of the older one.
   *
   * @throws LogFault `forked` if it does not
   */
  proveConsistency(older: KnownTree, newer: KnownTree): Promise<readonly Uint8Array[]>;
  /** Returns the proof that a leaf is in a tree, from the leaf to the root. @throws LogFault */
  proveInclusion(index: number, tree: KnownTree): Promise<readonly Uint8Array[]>;
  /** Returns the entries of a tree in order, each compared with the root. @throws LogFault */
  entries(tree: KnownTree, range?: EntryRange): AsyncGenerator<LogEntry, void, undefined>;
  /** Returns a file of the log as it is, not verified; undefined if it does not exist. @throws LogFault */
  readFile: ReadLogFile;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return '';
  }
}

/** @throws TypeError for keys that cannot be read */
function requireKeys(trusted: TrustedLog, where: string): LogKeys {
  const { verifierKey, witnesses, quorum } = trusted;
  requireText({ verifierKey }, 'verifierKey', where);
  const keys = readTrustedLog({
    verifierKey,
    ...(witnesses === undefined ? {} : { witnesses }),
    ...(quorum === undefined ? {} : { quorum }),
  });
  if (keys !== undefined) return keys;
  throw inputError(
    'A key of the log or of a witness is malformed, or quorum is not from 1 to the number of witnesses. ' +
      'Pass `log.verifier_key` of readMeta as verifierKey.',
  );
}

/**
 * Verifies the signatures of a checkpoint: a signed note, such as one that you got from somebody else.
 *
 * @throws LogFault if it is not signed by the log and the witnesses that you trust
 * @throws TypeError for keys that cannot be read
 */
export async function verifyCheckpoint(
  note: string,
  trusted: TrustedLog,
): Promise<SignedCheckpoint> {
  const where = 'verifyCheckpoint';
  const wanted = `${where} requires a note and the log that you trust, such as { verifierKey }.`;
  // An empty note is a fault of the log that sent it.
  if (typeof note !== 'string') throw inputError(wanted);
  requireObject(trusted, wanted);
  const opened = await openCheckpoint(note, requireKeys(trusted, where));
  if ('checkpoint' in opened) return opened.checkpoint;
  throw logFault(opened.reason, opened.detail);
}

/** Reads and verifies the checkpoint. @throws LogFault */
async function fetchCheckpoint(read: ReadLogFile, keys: LogKeys): Promise<SignedCheckpoint> {
  const path = 'checkpoint';
  const bytes = await read(path, maxNoteBytes);
  if (bytes === undefined) throw logFault('missing', 'The log has no checkpoint yet.', { path });
  const opened = await openCheckpoint(decode(bytes), keys);
  if ('checkpoint' in opened) return opened.checkpoint;
  throw logFault(opened.reason, opened.detail, { path });
}

/** Returns the entries of a bundle, each compared with its hash in the tile. @throws LogFault */
async function readBundle(
  read: ReadLogFile,
  tree: TreeReader,
  { index, width }: { readonly index: number; readonly width: number },
): Promise<readonly Uint8Array[]> {
  const hashes = await tree.tile(0, index);
  const entries = unpackEntries(await readEntriesFile(read, { index, width })) ?? [];
  for (let at = 0; at < width; at += 1) {
    const [entry, leaf] = [entries[at], index * tileWidth + at];
    const hash = hashes.subarray(at * hashLength, (at + 1) * hashLength);
    if (entry === undefined)
      throw logFault('entry', `The entry of leaf ${leaf} is missing.`, { leaf });
    if (!equalBytes(leafHash(sha256, entry), hash))
      throw logFault('entry', `The entry of leaf ${leaf} is not the one of the tree.`, { leaf });
  }
  return entries.slice(0, width);
}

/** How many bundles are requested before they are needed. */
const ahead = 8;

async function* walk(
  read: ReadLogFile,
  tree: KnownTree,
  { from = 0, to = tree.size }: EntryRange,
): AsyncGenerator<LogEntry, void, undefined> {
  const [end, reader] = [Math.min(to, tree.size), openTree(read, tree)];
  const bundles: Promise<readonly Uint8Array[]>[] = [];
  let next = Math.floor(from / tileWidth);
  for (let index = next; index * tileWidth < end; index += 1) {
    for (; next * tileWidth < end && next < index + ahead; next += 1) {
      const width = tileWidthAt(0, next, tree.size);
      const bundle = readBundle(read, reader, { index: next, width });
      // One that is requested early may fail before its turn, or after the caller has left.
      bundle.catch(() => {});
      bundles.push(bundle);
    }
    const entries = (await bundles.shift()) ?? [];
    for (const [at, bytes] of entries.entries()) {
      const leaf = index * tileWidth + at;
      if (leaf >= from && leaf < end) yield { index: leaf, bytes };
    }
  }
}

/** Yields the entries of a tree. What was requested early is not asked for any more once the caller has left. */
async function* entriesOf(
  read: ReadLogFile,
  tree: KnownTree,
  range: EntryRange,
): AsyncGenerator<LogEntry, void, undefined> {
  const ending = new AbortController();
  try {
    yield* walk(endedBy(read, ending.signal), tree, range);
  } finally {
    ending.abort();
  }
}

/**
 * Opens a log: the one of a service, or a mirror of it. Everything that it returns is verified against the
 * keys that you trust.
 *
 * @throws TypeError for keys that cannot be read
 *
 * @example
 * const { log } = await client.readMeta(); // once; keep the key
 * const reader = createLogClient({ url: log.url, verifierKey: log.verifier_key, memory });
 * const checkpoint = await reader.readCheckpoint();
 * for await (const { index, bytes } of reader.entries(checkpoint)) console.log(index, bytes);
 */
export function createLogClient(options: LogClientOptions): LogClient {
  const where = 'createLogClient';
  const wanted = `${where} requires one object: { url, verifierKey }, as \`log\` of readMeta names them.`;
  requireText(requireObject(options, wanted), 'url', where);
  const { memory = createCheckpointMemory(), url, fetch, signal } = options;
  const keys = requireKeys(options, where);
  const read = openLogFiles({ url, fetch, signal });
  return {
    readFile: read,
    readCheckpoint: async () => {
      const checkpoint = await fetchCheckpoint(read, keys);
      await remember(memory, read, checkpoint);
      return checkpoint;
    },
    proveConsistency: (older, newer) => proveConsistency(read, older, newer),
    proveInclusion: async (index, tree) => {
      const needed = hashesNeededForInclusion(index, tree.size);
      const hashes = await readTogether(read, (own) => openTree(own, tree).hashes(needed));
      return inclusionProof(sha256, index, tree.size, hashes);
    },
    entries: (tree, range = {}) => entriesOf(read, tree, range),
  };
}
