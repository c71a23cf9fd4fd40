// Turns between owners of transactions: what waits for a row of one owner must not take the connections of all others.
import { inTime } from '#lib/in-time';
import { openLine, overload } from './waiting-line.ts';
import type { LineOptions, WaitingLine } from './waiting-line.ts';

export interface OwnerTurnsOptions {
  /** Transactions of one owner that run at once; more wait in order. */
  readonly atOnce: number;
  /** How many of an owner may wait. */
  readonly line: LineOptions;
  /** A transaction waits no longer than this for its turn, in ms. */
  readonly turnMs: number;
}

export interface OwnerTurns {
  /**
   * Runs `work` in a turn of the owner; without an owner at once.
   * @throws Error which `isOverload` recognises: too many wait, or this one waited for too long
   */
  take<T>(owner: string | undefined, work: () => Promise<T>): Promise<T>;
}

interface Turns {
  running: number;
  readonly line: WaitingLine;
  readonly waiting: (() => void)[];
}

export function openOwnerTurns({ atOnce, line, turnMs }: OwnerTurnsOptions): OwnerTurns {
  const owners = new Map<string, Turns>();

  function end(owner: string, turns: Turns): void {
    const next = turns.waiting.shift();
    if (next !== undefined) return next();
    turns.running -= 1;
    if (turns.running === 0) owners.delete(owner);
  }

  async function wait(owner: string, turns: Turns): Promise<void> {
    const leave = turns.line.enter();
    const turn = Promise.withResolvers<void>();
    turns.waiting.push(turn.resolve);
    try {
      await inTime(turn.promise, turnMs, overload(line.what));
    } catch (error) {
      const at = turns.waiting.indexOf(turn.resolve);
      // Its turn came in the same moment: it goes to the next one.
      if (at < 0) end(owner, turns);
      else turns.waiting.splice(at, 1);
      throw error;
    } finally {
      leave();
    }
  }

  return {
    take: async (owner, work) => {
      if (owner === undefined) return work();
      const turns = owners.get(owner) ?? { running: 0, line: openLine(line), waiting: [] };
      owners.set(owner, turns);
      if (turns.running < atOnce) turns.running += 1;
      else await wait(owner, turns);
      try {
        return await work();
      } finally {
        end(owner, turns);
      }
    },
  };
}
