// What to do when the service did not save a text.
import { isRefusal } from '../exchange.ts';
import type { Refusal } from '../exchange.ts';
import { signInAgain } from '../sign-in-again.ts';
import { isSignedInAs } from './server.ts';
import { isSaved } from './session.ts';
import type { Saving } from './session.ts';

/** Problems that a later attempt may not have. Without a type there was no answer. */
const passing = new Set([
  '',
  'conflict',
  'idempotency-in-progress',
  'rate-limited',
  'quota-exceeded',
]);

/** Problems with the article: another text has them too. */
const final = new Set([403, 404, 410, 451]);
const over = new WeakSet<Saving>();

/** With the article, its editor is gone: what was typed would never be brought back. */
const goneWords: Readonly<Record<number, string>> = {
  404: 'this article is not here any more',
  410: 'this article was removed',
  451: 'this article was removed for legal reasons',
};

/** Whether no later text can be saved. */
export function isOver(saving: Saving): boolean {
  return over.has(saving);
}

function isPassing({ status, type }: Refusal): boolean {
  return status >= 500 || passing.has(type);
}

function waitFor(saving: Saving, { type, retryAfterSeconds }: Refusal, again: () => void): void {
  const ms = retryAfterSeconds === undefined ? saving.pace.retry() : retryAfterSeconds * 1000;
  saving.notBefore = Date.now() + ms;
  clearTimeout(saving.timer);
  saving.timer = setTimeout(again, ms);
  const isUsedUp = type === 'quota-exceeded';
  saving.status.show(isUsedUp ? { kind: 'used-up', until: Date.now() + ms } : { kind: 'waiting' });
}

/** Resolves with whether the account of the page is signed in; shows why not, or tries later. */
async function isSignedInAgain(saving: Saving, again: () => void): Promise<boolean> {
  try {
    if (await isSignedInAs(saving.account)) return true;
    saving.status.show({ kind: 'refused', why: 'You signed in with another account.' });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    waitFor(saving, error, again);
  }
  return false;
}

/** Asks to sign in. Resolves with whether that was done, with the same account. */
async function signIn(saving: Saving, again: () => void): Promise<boolean> {
  saving.isPaused = true;
  const isSignedIn = await signInAgain();
  saving.isPaused = false;
  if (isSignedIn) return isSignedInAgain(saving, again);
  saving.status.show({ kind: 'ended', again });
  return false;
}

/** A fault of the title begins with a verb, and stands in a line of its own. */
function wordsOf({ field, message, status }: Refusal): string {
  const gone = goneWords[status];
  if (gone !== undefined) return `${gone}. Copy your text into a new article to keep it.`;
  return field === 'title' && /^[a-z]/.test(message) ? `The title ${message}.` : message;
}

/** No later text can be saved. */
function end(saving: Saving, { status }: Refusal): void {
  if (isOver(saving)) return;
  over.add(saving);
  if (goneWords[status] === undefined) return;
  addEventListener('beforeunload', (event) => {
    if (!isSaved(saving)) event.preventDefault();
  });
}

/** Shows why a text was not saved, and arranges the next attempt. Resolves with whether to go on now. */
export async function showFailure(
  saving: Saving,
  refusal: Refusal,
  again: () => void,
): Promise<boolean> {
  if (refusal.status === 401) return signIn(saving, again);
  if (isPassing(refusal)) {
    waitFor(saving, refusal, again);
    return false;
  }
  saving.pending = null;
  if (final.has(refusal.status)) end(saving, refusal);
  saving.status.show({ kind: 'refused', why: wordsOf(refusal) });
  return false;
}
