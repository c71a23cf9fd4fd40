// The newest checkpoint that a client saw: what it sees later must continue it.
import {
  consistencyProof,
  equalBytes,
  hashesNeededForConsistency,
  parseCheckpoint,
  parseNote,
  verifyConsistency,
} from '@colophon/tlog';
import { isLogFault, logFault } from './log-fault.ts';
import type { LogEvidence } from './log-fault.ts';
import { readTogether } from './log-files.ts';
import type { ReadLogFile } from './log-files.ts';
import { sha256 } from './log-hash.ts';
import { openTree } from './log-tree.ts';
import type { KnownTree, SignedCheckpoint } from './log-types.ts';

/**
 * Stores the newest checkpoint of each log, by its origin. Exchange it with others: two clients that the same
 * log showed different trees find out.
 */
export interface CheckpointMemory {
  /** Returns the note that was written last; undefined if there is none. */
  read(origin: string): Promise<string | undefined> | string | undefined;
  write(origin: string, note: string): Promise<void> | void;
}

/** A memory that ends with the program. */
export function createCheckpointMemory(): CheckpointMemory {
  const notes = new Map<string, string>();
  return {
    read: (origin) => notes.get(origin),
    write: (origin, note) => {
      notes.set(origin, note);
    },
  };
}

interface Remembered extends KnownTree {
  readonly note: string;
}

/** The signature was verified before it was stored; the key may have been replaced since. */
function readRemembered(origin: string, note: string): Remembered {
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '');
  if (checkpoint?.origin === origin) return { size: checkpoint.size, root: checkpoint.root, note };
  throw logFault('memory', `The remembered checkpoint of ${origin} is damaged.`);
}

/** Returns the proof that a tree continues an older one. @throws LogFault `forked` if it does not */
export async function proveConsistency(
  read: ReadLogFile,
  older: KnownTree,
  newer: KnownTree,
  evidence?: LogEvidence,
): Promise<readonly Uint8Array[]> {
  const [oldSize, newSize] = [older.size, newer.size];
  const needed = oldSize === newSize ? [] : hashesNeededForConsistency(oldSize, newSize);
  const hashes = await readTogether(read, (own) => openTree(own, newer).hashes(needed));
  const proof = consistencyProof(sha256, oldSize, newSize, hashes);
  const roots = { oldRoot: older.root, newRoot: newer.root };
  if (verifyConsistency(sha256, { oldSize, newSize, ...roots, proof })) return proof;
  throw logFault(
    'forked',
    `The tree of ${newSize} leaves does not begin with the ${oldSize} leaves of the older tree.`,
    evidence === undefined ? {} : { evidence },
  );
}

/** @throws LogFault `forked` unless the smaller of two trees is the beginning of the larger one */
async function requireOneHistory(
  read: ReadLogFile,
  remembered: Remembered,
  checkpoint: SignedCheckpoint,
): Promise<void> {
  const evidence = { remembered: remembered.note, received: checkpoint.note };
  if (checkpoint.size >= remembered.size) {
    if (checkpoint.size === remembered.size && equalBytes(checkpoint.root, remembered.root)) return;
    await proveConsistency(read, remembered, checkpoint, evidence);
    return;
  }
  // The tiles of the larger tree may be gone. That is not a reason to call this a fork, or to accept it.
  await proveConsistency(read, checkpoint, remembered, evidence).catch((error: unknown) => {
    if (isLogFault(error, 'forked')) throw error;
  });
}

/**
 * Compares a checkpoint with the remembered one, and remembers it.
 *
 * @throws LogFault `older` or `forked`, with both notes; `memory` for a memory that cannot be read
 */
export async function remember(
  memory: CheckpointMemory,
  read: ReadLogFile,
  checkpoint: SignedCheckpoint,
): Promise<void> {
  const { origin, note, size } = checkpoint;
  const first = await memory.read(origin);
  for (let before = first; before !== undefined;) {
    const remembered = readRemembered(origin, before);
    await requireOneHistory(read, remembered, checkpoint);
    if (size < remembered.size && before === first)
      throw logFault(
        'older',
        `The checkpoint has ${size} leaves; one with ${remembered.size} was seen before.`,
        { evidence: { remembered: remembered.note, received: note } },
      );
    // Another program that uses this memory may have seen a newer checkpoint meanwhile.
    if (size < remembered.size) return;
    const now = await memory.read(origin);
    if (now === before) break;
    before = now;
  }
  await memory.write(origin, note);
}
