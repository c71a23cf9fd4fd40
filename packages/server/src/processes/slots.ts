// The slots of the processes: each has one current process, which is started again when it ends.
import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from './child.ts';
import type { Child, Ending, Slot } from './child.ts';
import type { ToSupervisor } from './messages.ts';

export interface SlotsOptions {
  readonly environmentOf: (slot: Slot) => Readonly<Record<string, string>>;
  readonly heard: (child: Child, message: ToSupervisor) => void;
  /** Called for every process that has ended. */
  readonly ended: (child: Child) => void;
  /** The current process of a slot ended without being told to; another one is started. */
  readonly lost: (child: Child, ending: Ending) => void;
}

export interface Slots {
  readonly alive: ReadonlySet<Child>;
  /**
   * Starts a new process for the slot. When it is ready, the current one is told to stop. Returns the
   * addresses on which it listens; undefined if it ended before it was ready.
   */
  fill(slot: Slot): Promise<readonly string[] | undefined>;
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
  return <T>({ name }: Slot, work: () => Promise<T>): Promise<T> => {
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

/** Opens the slots. No process is started yet. */
export function openSlots({ environmentOf, heard, ended, lost }: SlotsOptions): Slots {
  const alive = new Set<Child>();
  const current = new Map<string, Child>();
  const stopping = new AbortController();
  const inTurn = openTurns();
  const pause = openPauses(stopping.signal);
  const isCurrent = (child: Child) => current.get(child.slot.name) === child;

  function start(slot: Slot): Child {
    const child = startChild({ slot, environment: environmentOf(slot), heard });
    alive.add(child);
    void child.ended.then((ending) => {
      alive.delete(child);
      ended(child);
      if (child.isStopping() || stopping.signal.aborted || !isCurrent(child)) return;
      lost(child, ending);
      void inTurn(slot, () => startAgain(child));
    });
    return child;
  }

  async function fill(slot: Slot): Promise<readonly string[] | undefined> {
    if (stopping.signal.aborted) return undefined;
    const child = start(slot);
    const listening = await child.ready;
    const isUsable = listening !== undefined && alive.has(child);
    if (!isUsable || stopping.signal.aborted) return undefined;
    const old = current.get(slot.name);
    current.set(slot.name, child);
    if (old !== undefined && alive.has(old)) void old.stop();
    return listening;
  }

  /** Starts processes until one is ready, unless `last` has been replaced already. */
  async function startAgain(last: Child): Promise<void> {
    let livedLong = performance.now() - last.startedAt > livedMs;
    while (isCurrent(last) && !stopping.signal.aborted) {
      await pause(last.slot, livedLong);
      livedLong = false;
      await fill(last.slot);
    }
  }

  return {
    alive,
    fill: (slot) => inTurn(slot, () => fill(slot)),
    isStopping: () => stopping.signal.aborted,
    stop: async () => {
      stopping.abort();
      await Promise.all([...alive].map((child) => child.stop()));
    },
  };
}
