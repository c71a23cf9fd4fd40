// A line of work that waits for a connection. It is refused early, so that what is taken stays fast.

export interface LineOptions {
  /** What waits, for the error. */
  readonly what: string;
  /** With this many, no more are taken. */
  readonly longest: number;
  /** Up to this many are always taken: a single slow one is not an overload. */
  readonly shortest: number;
  /** No more are taken while one would wait for longer, in ms. */
  readonly longestMs: number;
}

const tooMany = 'timeout exceeded: too many';

/** Returns the error with which work is refused because too much of it waits. */
export function overload(what: string): Error {
  return new Error(`${tooMany} ${what} are waiting`);
}

/** Whether work was refused because too much of it waits already. */
export function isOverload(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(tooMany);
}

export interface WaitingLine {
  /** @throws Error which `isOverload` recognises, if no more is taken now */
  requireRoom(): void;
  /** Enters the line for several at once, and returns what leaves it again. @throws as `requireRoom` */
  enter(count?: number): () => void;
}

/** The share of the newest pause in the average of the pauses between two that leave. */
const newest = 0.1;

/** Returns a function that is called when one leaves, and one that returns the average pause between two, in ms. */
function openPace() {
  let average = 0;
  let last: number | undefined;
  return {
    /** @param full whether all that can be done at once is done: only then is the next pause that of the work */
    left: (now: number, count: number, full: boolean) => {
      if (last !== undefined) average += newest * ((now - last) / count - average);
      last = full ? now : undefined;
    },
    averageMs: () => average,
  };
}

/**
 * Opens a line. Its length alone says little: 500 transactions are half a second on one machine and ten on
 * another. How long the last will wait is the length at the pace of those that left, and at least the age of the
 * first, which is known before any has left.
 */
export function openLine({ what, longest, shortest, longestMs }: LineOptions): WaitingLine {
  const entered = new Set<{ readonly at: number }>();
  const pace = openPace();
  let length = 0;

  function isSlow(): boolean {
    const [first] = entered;
    if (first === undefined || length <= shortest) return false;
    const ageMs = performance.now() - first.at;
    return Math.max(ageMs, length * pace.averageMs()) > longestMs;
  }

  function requireRoom(): void {
    if (length >= longest || isSlow()) throw overload(what);
  }

  return {
    requireRoom,
    enter: (count = 1) => {
      requireRoom();
      const one = { at: performance.now() };
      entered.add(one);
      length += count;
      return () => {
        if (!entered.delete(one)) return;
        length -= count;
        pace.left(performance.now(), count, length >= shortest);
      };
    },
  };
}
