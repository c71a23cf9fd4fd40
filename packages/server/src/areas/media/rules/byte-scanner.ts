// A scan of a file in one pass, which requests ranges of bytes from front to back, and numbers and text in bytes.

/** A range of bytes in a file. */
export interface Stretch {
  readonly at: number;
  /** At least 1. */
  readonly length: number;
}

/** Requests ranges in ascending order of their start. Gets fewer bytes at the end of the file. */
export type Look<T> = Generator<Stretch, T, Uint8Array>;

/** The bytes available so far: the front of a file of `length` bytes. */
export interface Front {
  readonly head: Uint8Array;
  readonly length: number;
}

/** Returns bytes from the front, or requests those that have not arrived yet. */
export function* bytesAt({ head, length }: Front, at: number, count: number): Look<Uint8Array> {
  const isHere = at + count <= head.length || head.length >= length;
  if (isHere) return head.subarray(at, at + count);
  if (at >= head.length) return yield { at, length: count };
  const rest = yield { at: head.length, length: at + count - head.length };
  return Buffer.concat([head.subarray(at), rest]);
}

/** Returns the result of a scan that needs only the front; undefined when it needs more. */
export function within<T>(look: Look<T>): T | undefined {
  const step = look.next();
  return step.done ? step.value : undefined;
}

export interface Following<T> {
  /** Takes the next bytes of the file; returns the result once the scan has finished. */
  pass(chunk: Uint8Array): { readonly found: T } | undefined;
  /** Ends the file and returns the result. */
  end(): T;
}

/**
 * Runs a scan on a file as it arrives. Bytes are buffered from the start of the current range, so the scan
 * needs as much memory as the longest range that it requests.
 */
export function follow<T>(look: Look<T>): Following<T> {
  let step = look.next();
  let position = 0;
  let base = 0;
  let kept = new Uint8Array();
  let filled = 0;

  /** Makes room for the current range and keeps the bytes of it that have already arrived. */
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

/** Returns one byte, 0 beyond the end. Numbers beyond the end read as zeros, and text as empty. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

/** Returns a big-endian unsigned number of one to six bytes. */
export function big(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index += 1) value = value * 256 + byteAt(bytes, at + index);
  return value;
}

/** Returns a little-endian unsigned number of one to six bytes. */
export function little(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index -= 1)
    value = value * 256 + byteAt(bytes, at + index);
  return value;
}

/** Returns bytes as Latin-1, fewer at the end. */
export function textAt(bytes: Uint8Array, start: number, length: number): string {
  return Buffer.from(bytes.subarray(start, start + length)).toString('latin1');
}
