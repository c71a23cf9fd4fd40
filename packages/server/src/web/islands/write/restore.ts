// Brings back what was typed in an editor that is gone: its tab was closed, or its browser ended.
import { adopt } from './saving.ts';
import { isSaved } from './session.ts';
import type { Saving } from './session.ts';
import type { Left } from './store.ts';
import { isSame } from './text.ts';

const lockOf = (editor: string) => `write-${editor}`;

/** Returns the id of this editor, and holds a lock with its name as long as the page is open. */
export function lockEditor(): string {
  const editor = crypto.randomUUID();
  void navigator.locks.request(lockOf(editor), () => new Promise(() => undefined));
  return editor;
}

/** A page that is being reloaded holds its lock for a moment longer. */
const goneMs = 500;

/** Runs `work` if the editor is gone, and in one page only. Resolves with undefined where it is open. */
async function ifGone<T>(editor: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    const signal = AbortSignal.timeout(goneMs);
    return await navigator.locks.request(lockOf(editor), { signal }, work);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Whether the service has everything of it, as far as is known. */
function isSettled({ typed, sent }: Left, { base }: Saving): boolean {
  const isEmpty = typed.title === '' && typed.content === '';
  if (isEmpty && sent.base === null) return sent.pending === null;
  const known = [base, sent.pending === null ? sent.base : null];
  return known.some((one) => one !== null && isSame(one, typed));
}

const time = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
});

/** Brings back one text. The first one takes the place of the editor; others are merged into it. */
async function bringBack(saving: Saving, left: Left): Promise<void> {
  const { typed, sent } = left;
  if (isSaved(saving)) {
    saving.write(typed);
    await adopt(saving, left);
    saving.status.say(`Restored what you typed on ${time.format(typed.at)}.`);
    return;
  }
  const { next } = await saving.reconcile(sent.base, typed, saving.read());
  saving.write(next);
  await saving.store?.drop(sent.editor);
}

/** Brings back what is left of this article. */
export async function restore(saving: Saving): Promise<void> {
  const { store, account, article } = saving;
  if (store === undefined) return;
  for (const left of await store.left(account, article)) {
    await ifGone(left.sent.editor, async () => {
      if (isSettled(left, saving)) return store.drop(left.sent.editor);
      await bringBack(saving, left);
      // Of a new article, the others are articles of their own: each is brought back when its turn comes.
      return undefined;
    });
    if (article === null && !isSaved(saving)) break;
  }
}
