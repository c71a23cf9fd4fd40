// What was typed last on a page that is left. IndexedDB ends what it has not begun when its page goes (a slow disk, a
// write before), and Web storage has written when the call returns. It is moved to IndexedDB before that is read.
import type { Left } from './records.ts';

const prefix = 'colophon-editor ';
const placeOf = (editor: string) => prefix + editor;

/** Keeps both records of an editor. Where there is no room, what IndexedDB has remains. */
export function keepLeaving(left: Left): void {
  try {
    localStorage.setItem(placeOf(left.typed.editor), JSON.stringify(left));
  } catch {
    // Storage is full or switched off.
  }
}

export function dropLeaving(editor: string): void {
  try {
    localStorage.removeItem(placeOf(editor));
  } catch {
    // Storage is switched off: it has nothing.
  }
}

/** Returns undefined for what no editor has written. */
function parseLeft(kept: unknown): Left | undefined {
  try {
    const left = JSON.parse(String(kept)) as Partial<Left> | null;
    return left?.sent && left.typed ? { sent: left.sent, typed: left.typed } : undefined;
  } catch {
    return undefined;
  }
}

function keptLeaving(): readonly Left[] {
  try {
    const places = Object.entries({ ...localStorage }).filter(([place]) =>
      place.startsWith(prefix),
    );
    return places.flatMap(([, kept]) => parseLeft(kept) ?? []);
  } catch {
    return [];
  }
}

/**
 * Moves what pages have kept while they were left. `store` writes it where it is read from; what it cannot write stays
 * for the next time. The lock is for two editors that are opened at once: the later one would write again what the
 * other has brought back and dropped.
 */
export async function moveLeaving(store: (left: Left) => Promise<void>): Promise<void> {
  await navigator.locks.request('colophon-editor leaving', async () => {
    for (const left of keptLeaving()) {
      const isStored = await store(left).then(
        () => true,
        () => false,
      );
      if (isStored) dropLeaving(left.typed.editor);
    }
  });
}
