// Matches of a pattern in a text.

/** A range in UTF-16 units; the end is exclusive. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Returns every match of a global pattern, in order. */
export function matchesOf(text: string, pattern: RegExp): Match[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
