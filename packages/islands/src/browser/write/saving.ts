// Saves what is typed: on this device at once, at the service soon, and each text there exactly once.
import { isRefusal } from '../exchange.ts';
import { showFailure, isOver } from './failures.ts';
import { dropLeaving, keepLeaving } from './leaving-store.ts';
import { readNewest, save as send, saveWhileLeaving } from './server.ts';
import { isSaved } from './session.ts';
import type { Saving } from './session.ts';
import type { Left, Pending, Sent, Typed } from './records.ts';
import { isSame } from './text.ts';

function sentNow({ editor, account, article, base, pending, asides }: Saving): Sent {
  return { editor, account, article, base, pending, asides };
}

function typedAt(at: number, { editor, read }: Saving): Typed {
  return { editor, at, ...read() };
}

function keepSent(saving: Saving): Promise<void> {
  return saving.store.send(sentNow(saving));
}

/** Keeps what is typed. By the other record it is found again, so that one is written before. */
async function keepTyped(saving: Saving): Promise<void> {
  const typed = typedAt(Date.now(), saving);
  saving.found ??= keepSent(saving);
  await saving.found;
  await saving.store.type(typed);
}

/** Returns the request that would save what is typed; null if there is nothing to save. */
function nextOf(saving: Saving): Pending | null {
  const next = saving.asides[0] ?? saving.read();
  if (isSaved(saving) || next.content === '') return null;
  const { title, content } = next;
  return { title, content, key: crypto.randomUUID(), after: saving.base?.revision ?? null };
}

function showRest(saving: Saving): void {
  if (isSaved(saving)) {
    if (saving.base !== null) saving.status.show({ kind: 'saved' });
  } else {
    saving.status.show({ kind: saving.read().content === '' ? 'empty' : 'typed' });
  }
}

async function sendOne(saving: Saving, next: Pending): Promise<void> {
  const isNew = saving.article === null;
  const { article, revision } = await send(saving.account, saving.article, next);
  saving.article = article;
  saving.base = { title: next.title, content: next.content, revision };
  saving.pending = null;
  const [aside, ...others] = saving.asides;
  if (aside !== undefined && isSame(aside, next)) saving.asides = others;
  saving.pace.saved(Date.now());
  saving.pace.succeeded();
  saving.notBefore = 0;
  await keepSent(saving);
  if (isNew) saving.created(article);
}

/** The revision that the text was made from is not the newest one any more. */
async function catchUp(saving: Saving, sent: Pending): Promise<void> {
  const { base, article, left } = saving;
  if (article === null) return;
  const theirs = await readNewest(article);
  saving.pending = null;
  const isKnown = [base, sent, left].some((own) => own !== null && isSame(own, theirs));
  if (!isKnown) {
    saving.status.show({ kind: 'conflict' });
    const { aside, next } = await saving.reconcile(base, saving.read, () => theirs);
    saving.write(next);
    // An empty text is not a revision.
    if (aside !== null && aside.content !== '') saving.asides = [...saving.asides, aside];
    await keepTyped(saving);
  }
  saving.base = theirs;
  saving.left = null;
  await keepSent(saving);
}

/** Sends one text. Resolves with whether to go on. */
async function step(saving: Saving, next: Pending): Promise<boolean> {
  saving.pending = next;
  await keepSent(saving);
  saving.status.show({ kind: 'saving' });
  try {
    await sendOne(saving, next);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.status !== 412) return showFailure(saving, error, () => saveLater(saving, 0));
  }
  saving.isPaused = true;
  try {
    await catchUp(saving, next);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return await showFailure(saving, error, () => saveLater(saving, 0));
  } finally {
    saving.isPaused = false;
  }
}

async function run(saving: Saving, all: boolean): Promise<boolean> {
  clearTimeout(saving.timer);
  for (;;) {
    const next = saving.pending ?? nextOf(saving);
    if (next === null) break;
    if (!(await step(saving, next))) return false;
    saving.firstChange = isSaved(saving) ? undefined : Date.now();
    if (!all && saving.pending === null && !isSaved(saving)) {
      schedule(saving);
      break;
    }
  }
  showRest(saving);
  return isSaved(saving);
}

/** Saves now. Resolves with whether the service has everything. */
export async function save(saving: Saving, all = true): Promise<boolean> {
  if (saving.running !== undefined) {
    await saving.running;
    if (!all) return isSaved(saving);
  }
  if (saving.isPaused) return false;
  saving.notBefore = 0;
  saving.running ??= run(saving, all).finally(() => {
    saving.running = undefined;
  });
  return saving.running;
}

function saveLater(saving: Saving, ms: number): void {
  clearTimeout(saving.timer);
  saving.timer = setTimeout(() => void save(saving, false), ms);
}

function schedule(saving: Saving): void {
  if (saving.isPaused || isOver(saving)) return;
  const now = Date.now();
  const wait = saving.pace.wait(saving.firstChange ?? now, saving.lastChange, now);
  saveLater(saving, Math.max(wait, saving.notBefore - now));
}

/** Called at every change. */
export function onChange(saving: Saving): void {
  const now = Date.now();
  if (isSaved(saving)) {
    showRest(saving);
  } else if (saving.running === undefined && now >= saving.notBefore) {
    saving.status.show({ kind: saving.read().content === '' ? 'empty' : 'typed' });
  }
  saving.firstChange ??= now;
  saving.lastChange = now;
  void keepTyped(saving);
  if (saving.running === undefined) schedule(saving);
}

/** Goes on where an editor that is gone has stopped. Its text is in the editor already. */
export async function adopt(saving: Saving, { sent }: Left): Promise<void> {
  saving.article = sent.article;
  saving.base = sent.base;
  saving.pending = sent.pending;
  saving.asides = sent.asides ?? [];
  await keepTyped(saving);
  await keepSent(saving);
  // Where nothing can be written, the record of the other editor is the only one.
  if (saving.store.isKept()) await saving.store.drop(sent.editor);
  saveLater(saving, 0);
}

function isIdle(saving: Saving): boolean {
  return saving.running === undefined && isSaved(saving);
}

/** Shows what was changed elsewhere, if nothing is unsaved here. */
export async function refresh(saving: Saving, said: string): Promise<void> {
  const { article, base } = saving;
  if (article === null || !isIdle(saving)) return;
  const newest = await readNewest(article);
  // What was saved in the meantime is newer than what was read.
  if (saving.base !== base || !isIdle(saving) || newest.revision === base?.revision) return;
  const isOther = saving.base !== null && !isSame(newest, saving.base);
  saving.base = newest;
  saving.write(newest);
  await keepTyped(saving);
  await keepSent(saving);
  if (isOther) saving.status.say(said);
}

/** The page is being left: keeps on this device what is not saved and sends it, and waits for nothing. */
export function leave(saving: Saving): void {
  const { article, base, pending, isPaused, read } = saving;
  if (isSaved(saving)) return;
  // Where nothing can be stored, nothing that is kept could ever be brought back.
  if (saving.store.isKept()) {
    const at = saving.lastChange || Date.now();
    keepLeaving({ sent: sentNow(saving), typed: typedAt(at, saving) });
  }
  if (article === null || base === null || pending !== null || isPaused) return;
  if (saving.asides.length > 0) return;
  const next = nextOf(saving);
  if (next === null) return;
  saving.left = read();
  saveWhileLeaving(article, next);
}

/** The page was left and is shown again as it was: what it kept then is older than what it has. */
export function comeBack(saving: Saving): void {
  void keepTyped(saving).then(() => dropLeaving(saving.editor));
}
