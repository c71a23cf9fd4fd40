// Stretches of a text that a pattern finds.

/** In UTF-16 units of the text; the end is behind the last one. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Every stretch that the global pattern finds, in order. */
export function matchesOf(text: string, pattern: RegExp): Match[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
