// A look at a file whose bytes pass by once: it asks for stretches from front to back.

/** Bytes of a file. */
export interface Stretch {
  readonly at: number;
  /** At least 1. */
  readonly length: number;
}

/** Asks for stretches, none beginning before the one before it. Gets fewer bytes where the file ends. */
export type Look<T> = Generator<Stretch, T, Uint8Array>;

/** What is there already: the front of a file of `length` bytes. */
export interface Front {
  readonly head: Uint8Array;
  readonly length: number;
}

/** Bytes of the front, or of what is still to come. */
export function* bytesAt({ head, length }: Front, at: number, count: number): Look<Uint8Array> {
  const isHere = at + count <= head.length || head.length >= length;
  if (isHere) return head.subarray(at, at + count);
  if (at >= head.length) return yield { at, length: count };
  const rest = yield { at: head.length, length: at + count - head.length };
  return Buffer.concat([head.subarray(at), rest]);
}

/** What a look finds in the front alone; undefined where it needs more. */
export function within<T>(look: Look<T>): T | undefined {
  const step = look.next();
  return step.done ? step.value : undefined;
}

export interface Following<T> {
  /** The next bytes of the file; answers once the look has found what it looked for. */
  pass(chunk: Uint8Array): { readonly found: T } | undefined;
  /** There are no more. */
  end(): T;
}

/**
 * Feeds a look with a file as it arrives. What passed of the stretch that reached furthest is kept, from where
 * the look stands now: the memory it takes is the longest stretch that is asked for.
 */
export function follow<T>(look: Look<T>): Following<T> {
  let step = look.next();
  let position = 0;
  let base = 0;
  let kept = new Uint8Array();
  let filled = 0;

  /** Makes room for the stretch that is asked for now, with what has passed of it. */
  function turn({ at, length }: Stretch): void {
    const again = kept.subarray(Math.min(at - base, filled), filled);
    base = at;
    filled = again.length;
    kept = new Uint8Array(Math.max(length, filled));
    kept.set(again);
  }

  if (!step.done) turn(step.value);

  function give(bytes: Uint8Array): void {
    step = look.next(bytes);
    if (!step.done) turn(step.value);
  }

  function pass(chunk: Uint8Array) {
    while (!step.done) {
      const { length } = step.value;
      const start = base + filled - position;
      if (filled < length && start < chunk.length) {
        const more = chunk.subarray(start, start + length - filled);
        kept.set(more, filled);
        filled += more.length;
      }
      if (filled < length) break;
      give(kept.subarray(0, length));
    }
    position += chunk.length;
    return step.done ? { found: step.value } : undefined;
  }

  function end(): T {
    for (;;) {
      if (step.done) return step.value;
      give(kept.subarray(0, Math.min(filled, step.value.length)));
    }
  }

  return { pass, end };
}
