// A line of work that waits for a connection. It is refused early, so that what is taken stays fast.

export interface LineOptions {
  /** What waits, for the error. */
  readonly what: string;
  /** With this many, no more are taken. */
  readonly longest: number;
  /** Up to this many are always taken: a single slow one is no overload. */
  readonly shortest: number;
  /** No more are taken while the first in the line is older, in ms. */
  readonly oldestMs: number;
}

const tooMany = 'timeout exceeded: too many';

/** Whether work was refused because too much of it waits already. */
export function isOverload(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(tooMany);
}

export interface WaitingLine {
  /** @throws Error which `isOverload` recognises, if no more is taken now */
  requireRoom(): void;
  /** Enters the line and returns what leaves it again. @throws as `requireRoom` */
  enter(): () => void;
}

/**
 * Opens a line. Its length alone says little: 500 transactions are half a second on one machine and ten on
 * another. The age of the first is how long the last will wait.
 */
export function openLine({ what, longest, shortest, oldestMs }: LineOptions): WaitingLine {
  const entered = new Set<{ readonly at: number }>();

  function requireRoom(): void {
    const [first] = entered;
    const isSlow =
      first !== undefined && entered.size > shortest && performance.now() - first.at > oldestMs;
    if (isSlow || entered.size >= longest) throw new Error(`${tooMany} ${what} are waiting`);
  }

  return {
    requireRoom,
    enter: () => {
      requireRoom();
      const one = { at: performance.now() };
      entered.add(one);
      return () => void entered.delete(one);
    },
  };
}
