// Brings back what was typed in an editor that is gone: its tab was closed, or its browser ended.
import { momentOf } from '../time-words.ts';
import { adopt } from './saving.ts';
import { isSaved } from './session.ts';
import type { Saving } from './session.ts';
import type { Left } from './records.ts';
import type { Store } from './store.ts';
import { isSame } from './text.ts';

const lockOf = (editor: string) => `write-${editor}`;

/** Returns the id of this editor, and holds a lock with its name as long as the page is open. */
export function lockEditor(): string {
  const editor = crypto.randomUUID();
  void navigator.locks.request(lockOf(editor), () => new Promise(() => undefined));
  return editor;
}

/** Whether the service has everything of it, as far as is known. */
function isSettled({ typed, sent }: Left, { base }: Saving): boolean {
  if ((sent.asides ?? []).length > 0) return false;
  const isEmpty = typed.title === '' && typed.content === '';
  if (isEmpty && sent.base === null) return sent.pending === null;
  const known = [base, sent.pending === null ? sent.base : null];
  return known.some((one) => one !== null && isSame(one, typed));
}

/** Brings back one text: in place of the editor's, or merged into it. */
async function bringBack(saving: Saving, left: Left): Promise<void> {
  const { typed, sent } = left;
  if (isSaved(saving)) {
    saving.write(typed);
    await adopt(saving, left);
    saving.status.say(`Restored what you typed on ${momentOf(typed.at)}.`);
    return;
  }
  const { next } = await saving.reconcile(sent.base, () => typed, saving.read);
  saving.write(next);
  saving.asides = [...saving.asides, ...(sent.asides ?? [])];
  if (saving.store.isKept()) await saving.store.drop(sent.editor);
}

const isUntouched = ({ pending, read }: Saving) =>
  pending === null && read().title === '' && read().content === '';

/** Brings back what an editor that is gone has left, if it is still there. */
async function bringBackFrom(saving: Saving, store: Store, from: Left['sent']): Promise<void> {
  while (saving.running !== undefined) await saving.running;
  const all = await store.left(from.account, from.article);
  const left = all.find(({ sent }) => sent.editor === from.editor);
  // It was brought back in another tab, or this editor has become one of another article.
  if (left === undefined || saving.article !== from.article) return;
  if (isSettled(left, saving)) await store.drop(from.editor);
  // Each new article is an article of its own: this one is brought back by the next editor.
  else if (from.article !== null || isUntouched(saving)) await bringBack(saving, left);
}

/** A page that is being reloaded, or has crashed, holds its lock for a moment longer. */
const goneMs = 500;

/**
 * Brings back what is left of this article, one text after the other. Of an editor that is still open in
 * another tab it waits for the end. Resolves when everything that can be brought back now is there.
 */
export async function restore(saving: Saving): Promise<void> {
  const { store, account, article } = saving;
  let last: Promise<void> = Promise.resolve();
  const found = await store.left(account, article);
  const granted = found.map(async ({ sent }) => {
    const mine = Promise.withResolvers<void>();
    void navigator.locks.request(lockOf(sent.editor), async () => {
      last = last.then(() => bringBackFrom(saving, store, sent));
      mine.resolve();
      await last;
    });
    await mine.promise;
  });
  const late = new Promise((resolve) => setTimeout(resolve, goneMs));
  await Promise.race([Promise.all(granted), late]);
  await last;
}
