// What the searches for signals share: matches of a pattern, and which labels name a note.

/** The name of a note, such as `^1` in `[^1]: text`. Any other label in its place names a link. */
export const noteName = /^\^[^\s\]]+$/u;

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
