// The sequencer: the one process that writes the log. It grows the tree, then publishes it, again and again.
import { setTimeout as wait } from 'node:timers/promises';
import { writeNote } from '@colophon/tlog';
import type { Checkpoint } from '@colophon/tlog';
import type { Config } from '#config';
import type { Connection, Database } from '#database';
import { openLease } from '#outbox';
import type { Lease, Log } from '#outbox';
import type { LogFiles } from '#storage';
import { findHead, leavesAtOnce, setPublishedHead, setRefusal } from '../queries/index.ts';
import type { Head } from '../queries/index.ts';
import { collectCosignatures, withEarlier } from './cosignatures.ts';
import type { Pauses } from './cosignatures.ts';
import { findLastPublished, recordCheckpoint, refusalOf } from './history.ts';
import type { LastPublished } from './history.ts';
import { listActiveKeys, openSigners } from './key.ts';
import { deletePartials, signCheckpoint, writeTiles } from './publish.ts';
import { sequence } from './sequence.ts';

export interface LogServices {
  readonly db: Database;
  readonly connection: Connection;
  readonly config: Config;
  readonly log: Log;
  readonly files: LogFiles;
  now(): Date;
}

/** What the process that has the lease knows of what was published. */
export interface PublishedState {
  /** undefined: not read since this process has the lease. */
  published: LastPublished | undefined;
  /** When, in ms of `performance.now()`. */
  readAt?: number;
  /** Witnesses that failed, and when they may be asked again. */
  readonly pauses: Pauses;
}

/** Signs nothing, and says why. */
async function refuse({ db, log }: LogServices, head: Head, refusal: string): Promise<void> {
  if (head.refusal === refusal) return;
  log.error({}, `The transparency log signs nothing. ${refusal}`);
  await db.transaction((tx) => setRefusal(tx, refusal));
}

/** Publishes the tree of this head. Each step may be repeated; the checkpoint is put in place after its tiles. */
async function publish(
  services: LogServices,
  head: Head,
  state: PublishedState,
  isHeld: () => Promise<boolean>,
): Promise<void> {
  const { db, files, config, now } = services;
  const signers = await openSigners(head.origin, config, await listActiveKeys(db));
  if ('refusal' in signers) return refuse(services, head, signers.refusal);
  const span = {
    from: state.published?.storedSize === undefined ? 0 : head.published_size,
    to: head.size,
  };
  await writeTiles(db, files, span);
  const signed = signCheckpoint(head, signers);
  await recordCheckpoint(config, signed.note);
  state.published = {
    checkpoint: {
      origin: head.origin,
      size: head.size,
      root: Buffer.from(head.root, 'hex'),
      extensions: [],
    },
    storedSize: head.size,
  };
  const cosignatures = await collectCosignatures(services, signed, state.pauses);
  const all = withEarlier(cosignatures, head.checkpoint, signed, config.witnesses);
  const note = writeNote(signed.text, [...signed.signatures, ...all]);
  // A process that was suspended may have lost the lease to one that published more.
  if (!(await isHeld())) return;
  await files.write('checkpoint', Buffer.from(note));
  const published = { size: head.size, root: head.root, checkpoint: note, now: now() };
  await db.transaction((tx) => setPublishedHead(tx, published));
  await deletePartials(files, span);
}

/** Grows the tree by what waits, up to a number of leaves. Returns whether more may wait. */
async function growTree(
  services: LogServices,
  published: Checkpoint | undefined,
): Promise<boolean> {
  const { db, now } = services;
  const check = async (_: unknown, head: Head) => {
    if (head.size < (published?.size ?? 0))
      throw new Error('The database went back to an older state.');
  };
  return (await sequence(db, check, now())) === leavesAtOnce;
}

/** One round of the process that has the lease. Returns whether more may wait. */
export async function integrate(
  services: LogServices,
  state: PublishedState,
  isHeld: () => Promise<boolean>,
): Promise<boolean> {
  const { db, files, config, now } = services;
  const before = await findHead(db);
  if (before === undefined) return false;
  if (state.published === undefined) {
    state.published = await findLastPublished(config, files);
    state.readAt = performance.now();
  }
  const { checkpoint, storedSize } = state.published;
  const refusal = await refusalOf(db, before, checkpoint);
  if (refusal !== undefined) {
    await refuse(services, before, refusal);
    // It is read again: the operator may have put another one there.
    state.published = undefined;
    return false;
  }
  const more = await growTree(services, checkpoint);
  const head = await findHead(db);
  if (head !== undefined && (isDue(head, storedSize) || isAwaited(state, now())))
    await publish(services, head, state, isHeld);
  return more;
}

/** An older checkpoint in the store is that of a process that was suspended while another one published more. */
function isDue(
  { size, published_size, published_at, refusal }: Head,
  storedSize: number | undefined,
): boolean {
  const isStored = storedSize !== undefined && storedSize >= published_size;
  return size > published_size || published_at === null || refusal !== null || !isStored;
}

/** Whether a witness that failed may be asked again. */
function isAwaited({ pauses }: PublishedState, now: Date): boolean {
  return [...pauses.values()].some((until) => until <= now.getTime());
}

/** Pause between two rounds: leaves that arrive meanwhile share one checkpoint. */
const restMs = 200;
/** After this time the store is read again: a process that lost the lease may have written to it since. */
const storedMs = 30_000;
/** Interval at which the lease is asked for, and leaves of other processes are searched. */
const pollMs = 1_000;

/** One round. Returns how long to rest. */
async function round(services: LogServices, state: PublishedState, lease: Lease): Promise<number> {
  const isOld = performance.now() - (state.readAt ?? 0) > storedMs;
  if (!(await lease.isHeld())) {
    state.published = undefined;
    return pollMs;
  }
  if (isOld) state.published = undefined;
  return (await integrate(services, state, () => lease.isHeld())) ? 0 : restMs;
}

export interface Logging extends AsyncDisposable {
  /** Call it when leaves were collected: they are in the tree within about a second in any case. */
  wake(): void;
}

/** Runs the sequencer whenever this process has the lease, until it is disposed of. */
export function startLogging(services: LogServices): Logging {
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();
  let failures = 0;

  async function next(state: PublishedState, lease: Lease): Promise<void> {
    woken = Promise.withResolvers();
    let rest = restMs;
    try {
      rest = await round(services, state, lease);
      failures = 0;
    } catch (error) {
      failures += 1;
      state.published = undefined;
      const level = failures === 1 ? 'warn' : 'debug';
      services.log[level](
        { err: error },
        'The transparency log could not be written; it is tried again.',
      );
    }
    await wait(failures > 0 ? pollMs : rest, undefined, { signal: stopping.signal });
    if (rest === 0) return;
    const until = wait(pollMs, undefined, { signal: stopping.signal });
    until.catch(() => undefined);
    await Promise.race([woken.promise, until]);
  }

  async function keepOn(): Promise<void> {
    await using lease = openLease({ ...services, name: 'log' });
    const state: PublishedState = { published: undefined, pauses: new Map() };
    while (!stopping.signal.aborted) await next(state, lease).catch(() => undefined);
  }

  const ended = keepOn();
  return {
    wake: () => woken.resolve(),
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await ended;
    },
  };
}
