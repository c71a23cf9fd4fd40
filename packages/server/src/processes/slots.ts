// The slots of the processes: each has one current process, which is started again when it ends.
import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from './child.ts';
import type { Child, Ending, Slot } from './child.ts';
import type { ToSupervisor } from './messages.ts';

/** Why a new process did not become ready. */
export type Failure =
  | { readonly why: 'late'; readonly child: Child }
  | { readonly why: 'ended'; readonly child: Child; readonly ending: Ending }
  | { readonly why: 'not started'; readonly error: Error };

export interface SlotsOptions {
  readonly environmentOf: (slot: Slot) => Readonly<Record<string, string>>;
  /** Milliseconds in which a new process must be ready. */
  readonly startMs: number;
  readonly heard: (child: Child, message: ToSupervisor) => void;
  /** Called for every process that was started, and for every process that has ended. */
  readonly changed: (child: Child, alive: boolean) => void;
  /** The current process of a slot ended without being told to; another one is started. */
  readonly lost: (child: Child, ending: Ending) => void;
  /** A new process did not become ready. */
  readonly failed: (slot: Slot, failure: Failure) => void;
}

type Listening = readonly string[] | undefined;

export interface Slots {
  readonly alive: ReadonlySet<Child>;
  /** Starts a process for the empty slot. Returns its addresses; undefined if it did not become ready. */
  fill(slot: Slot): Promise<Listening>;
  /**
   * Starts a new process for the slot. When it is ready, the current one is told to stop, and the promise
   * resolves when that has ended. One slot is replaced at a time, so there is at most one process more than
   * slots. If the new one does not become ready, the current one stays.
   */
  replace(slot: Slot): Promise<Listening>;
  isStopping(): boolean;
  stop(): Promise<void>;
}

/** Milliseconds before the next start of a process that ended this many times in a row. */
const pauses = [0, 100, 500, 1_000, 2_000, 5_000] as const;
/** A process that lived for longer starts without a pause. */
const livedMs = 60_000;

/** Runs the steps of one slot one after another. */
function openTurns() {
  const turns = new Map<string, Promise<unknown>>();
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(name) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => undefined);
    turns.set(name, ended);
    return turn;
  };
}

/** Counts how often the processes of a slot ended soon, and waits longer each time. */
function openPauses(signal: AbortSignal) {
  const failures = new Map<string, number>();
  return async ({ name }: Slot, livedLong: boolean): Promise<void> => {
    const count = livedLong ? 0 : (failures.get(name) ?? 0);
    failures.set(name, count + 1);
    const pause = pauses[Math.min(count, pauses.length - 1)];
    await wait(pause, undefined, { signal }).catch(() => undefined);
  };
}

/** Waits until a process is ready or has ended, and kills it if neither happens in time. */
async function inTime(child: Child, startMs: number, late: () => void): Promise<Listening> {
  for (;;) {
    const done = new AbortController();
    const left = Math.max(1, startMs - child.startingMs());
    const over = wait(left, 'late' as const, { signal: done.signal }).catch(() => undefined);
    const first = await Promise.race([child.ready, over]);
    done.abort();
    if (first !== 'late') return first;
    // A migration may have begun or ended in the meantime.
    if (child.startingMs() < startMs) continue;
    late();
    child.kill();
    await child.ended;
    return undefined;
  }
}

/** Starts processes, and knows which are alive. */
function openStarts({ environmentOf, startMs, heard, changed, failed }: SlotsOptions) {
  const alive = new Set<Child>();

  function started(slot: Slot): Child | undefined {
    try {
      return startChild({ slot, environment: environmentOf(slot), heard });
    } catch (error) {
      failed(slot, { why: 'not started', error: error as Error });
      return undefined;
    }
  }

  /** Returns the process when it is ready; undefined if it ended before. */
  async function startReady(slot: Slot, isStopping: () => boolean) {
    const child = started(slot);
    if (child === undefined) return undefined;
    alive.add(child);
    changed(child, true);
    void child.ended.then(() => {
      alive.delete(child);
      changed(child, false);
    });
    let isLate = false;
    const listening = await inTime(child, startMs, () => {
      isLate = true;
      failed(slot, { why: 'late', child });
    });
    if (listening !== undefined && alive.has(child)) return { child, listening };
    if (!isLate && !isStopping()) failed(slot, { why: 'ended', child, ending: await child.ended });
    return undefined;
  }

  return { alive, startReady };
}

/** Opens the slots. No process is started yet. */
export function openSlots(options: SlotsOptions): Slots {
  const { alive, startReady } = openStarts(options);
  const current = new Map<string, Child>();
  const stopping = new AbortController();
  const inTurn = openTurns();
  const pause = openPauses(stopping.signal);
  const isCurrent = (child: Child) => current.get(child.slot.name) === child;
  const isStopping = () => stopping.signal.aborted;

  async function onEnd(child: Child): Promise<void> {
    const ending = await child.ended;
    if (child.isStopping() || isStopping() || !isCurrent(child)) return;
    options.lost(child, ending);
    await startAgain(child);
  }

  async function fill(slot: Slot): Promise<Listening> {
    if (isStopping()) return undefined;
    const made = await startReady(slot, isStopping);
    if (made === undefined || isStopping()) return undefined;
    const old = current.get(slot.name);
    current.set(slot.name, made.child);
    void onEnd(made.child);
    if (old !== undefined && alive.has(old)) await old.stop();
    return made.listening;
  }

  /** Starts processes until one is ready, unless `last` has been replaced already. */
  async function startAgain(last: Child): Promise<void> {
    let livedLong = performance.now() - last.startedAt > livedMs;
    while (isCurrent(last) && !isStopping()) {
      await pause(last.slot, livedLong);
      livedLong = false;
      await inTurn(last.slot.name, async () => (isCurrent(last) ? fill(last.slot) : undefined));
    }
  }

  const fillInTurn = (slot: Slot) => inTurn(slot.name, () => fill(slot));
  return {
    alive,
    fill: fillInTurn,
    replace: (slot) => inTurn('', () => fillInTurn(slot)),
    isStopping,
    stop: async () => {
      stopping.abort();
      await Promise.all([...alive].map((child) => child.stop()));
    },
  };
}
