// Turns for costly work: so many at once, one for each requester, and nobody waits behind another's queue.

/** Who asked: an account, or a network address. undefined: the service itself, bounded by `waiting` alone. */
export type Requester = string | undefined;

export interface TurnBounds {
  /** How many have a turn at once. */
  readonly atOnce: number;
  /** How many wait in all. */
  readonly waiting: number;
  /** How many of one requester wait. */
  readonly waitingEach: number;
}

/** `crowded`: too many wait in all. `repeated`: too many of this requester wait. */
export type Refused = 'crowded' | 'repeated';

export interface Turn extends Disposable {
  readonly granted: true;
}

type Wake = () => void;

/** Waiters by requester. Requesters are served in turn, whatever the number of waiters that each has. */
function openLanes() {
  const lanes = new Map<unknown, Wake[]>();
  let size = 0;
  return {
    size: () => size,
    sizeOf: (requester: unknown) => lanes.get(requester)?.length ?? 0,
    add(requester: unknown, wake: Wake): void {
      const lane = lanes.get(requester);
      if (lane === undefined) lanes.set(requester, [wake]);
      else lane.push(wake);
      size += 1;
    },
    /** Removes the next waiter whose requester is not in `busy`; its requester goes to the end. */
    next(busy: ReadonlySet<unknown>): readonly [requester: unknown, wake: Wake] | undefined {
      for (const [requester, lane] of lanes) {
        if (busy.has(requester)) continue;
        const wake = lane.shift();
        lanes.delete(requester);
        if (lane.length > 0) lanes.set(requester, lane);
        if (wake === undefined) continue;
        size -= 1;
        return [requester, wake];
      }
      return undefined;
    },
  };
}

/** Grants turns. The caller disposes of a turn when its work is done. */
export function openTurns({ atOnce, waiting, waitingEach }: TurnBounds) {
  const lanes = openLanes();
  const busy = new Set<unknown>();

  function grant(key: unknown): Turn {
    return {
      granted: true,
      [Symbol.dispose]: () => {
        busy.delete(key);
        const next = lanes.next(busy);
        if (next === undefined) return;
        busy.add(next[0]);
        next[1]();
      },
    };
  }

  return async (requester: Requester): Promise<Turn | Refused> => {
    // The service's own work has no lane to share.
    const key = requester ?? Symbol('own');
    if (busy.size < atOnce && !busy.has(key)) {
      busy.add(key);
      return grant(key);
    }
    if (lanes.sizeOf(key) >= waitingEach) return 'repeated';
    if (lanes.size() >= waiting) return 'crowded';
    await new Promise<void>((resolve) => lanes.add(key, resolve));
    return grant(key);
  };
}
