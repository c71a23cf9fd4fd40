// What was typed last on a page that is left. IndexedDB ends what it has not begun when its page goes (a slow disk, a
// write before), and Web storage has written when the call returns.
import type { Left } from './records.ts';

const prefix = 'colophon-editor ';

/** Keeps both records of an editor. Where there is no room, what IndexedDB has remains. */
export function keepLeaving(left: Left): void {
  try {
    localStorage.setItem(prefix + left.typed.editor, JSON.stringify(left));
  } catch {
    // Storage is full or switched off.
  }
}

/** Returns what editors have kept while they were left. */
export function keptLeaving(): readonly Left[] {
  try {
    return Object.entries({ ...localStorage }).flatMap(([place, kept]) =>
      place.startsWith(prefix) ? [JSON.parse(String(kept)) as Left] : [],
    );
  } catch {
    return [];
  }
}

export function dropLeaving(editor: string): void {
  try {
    localStorage.removeItem(prefix + editor);
  } catch {
    // Storage is switched off: it has nothing.
  }
}
