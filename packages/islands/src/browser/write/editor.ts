// Puts the parts of the editor together.
import { at, element } from '../exchange.ts';
import { chooseText } from './conflict.ts';
import { lengthOf } from '@colophon/text/lib/word-count';
import { openLastingStore } from './lasting-store.ts';
import { openPictures } from './pictures.ts';
import { openPreview } from './preview.ts';
import { lockEditor, restore } from './restore.ts';
import { comeBack, onChange, leave, refresh, save } from './saving.ts';
import { isSaved, openSaving } from './session.ts';
import type { Outcome, Saving } from './session.ts';
import { openStatus } from './status.ts';
import { openTextEditor } from './text-editor.ts';
import type { TextEditor } from './text-editor.ts';
import type { Revision, Texts } from './text.ts';
import { openToolbar } from './toolbar.ts';

const root = element('#editor');
const title = element<HTMLTextAreaElement>('#title');
const area = element<HTMLTextAreaElement>('#content');
const form = element<HTMLFormElement>('.editor-form');
const article = root.dataset['article'] || null;

/** The revision that the page was served with, whatever the browser has put into the fields since. */
function servedRevision(): Revision | null {
  const revision = element<HTMLInputElement>('[name="revision"]').value;
  if (article === null) return null;
  return { title: title.defaultValue, content: area.defaultValue, revision };
}

/** A new article gets its address, and the links to its other pages. */
function showCreated(id: string): void {
  history.replaceState(null, '', at(`/write/${id}`));
  const links = element('#links');
  for (const link of links.querySelectorAll<HTMLAnchorElement>('a')) {
    link.href = at(`/write/${id}/${link.dataset['place']}`);
  }
  for (const one of links.querySelectorAll<HTMLElement>('[hidden]')) one.hidden = false;
  element('#state').textContent = 'Draft';
}

/** Shows “Publish…” for a new article too. It leads somewhere once the text is saved. */
function showPublishing(): void {
  const link = element<HTMLAnchorElement>('#links [data-place="publish"]');
  if (article === null) link.href = '#publish';
  link.hidden = false;
}

const undoKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘Z' : 'Ctrl+Z';

async function reconcile(
  status: Saving['status'],
  base: Texts | null,
  read: { readonly mine: () => Texts; readonly theirs: () => Texts },
): Promise<Outcome> {
  const comparer = (await import(root.dataset['comparer'] ?? '')) as typeof import('./merge.ts');
  // Nothing may be typed between here and the end of the merge: the text is read when all else is there.
  const texts = { mine: read.mine(), theirs: read.theirs() };
  const merged = comparer.merge(base ?? { title: '', content: '' }, texts.mine, texts.theirs);
  if (!merged.isClean) return chooseText(comparer, texts, merged);
  status.say(`Merged with what was changed elsewhere; ${undoKeys} takes that out.`);
  return { aside: null, next: merged.texts };
}

/** Whether a change is one of the editor's own: it says something about it, which stays until the next one. */
let isOwnChange = false;

function openSavingOf(editor: TextEditor, parts: Pick<Saving, 'status' | 'store' | 'editor'>) {
  return openSaving({
    ...parts,
    account: document.documentElement.dataset['reader'] ?? '',
    article,
    base: servedRevision(),
    read: () => ({ title: title.value, content: editor.read() }),
    write: (texts) => {
      isOwnChange = true;
      title.value = texts.title;
      editor.write(texts.content);
      isOwnChange = false;
    },
    created: showCreated,
    reconcile: (base, mine, theirs) => reconcile(parts.status, base, { mine, theirs }),
  });
}

const changedElsewhere = 'Updated with what was changed elsewhere.';

/** Without a connection a press would seem to do nothing, or lead out of the editor to nowhere. */
function sayOffline({ status }: Saving, link: HTMLElement): void {
  status.say(`“${link.textContent}” needs a connection: press it again when there is one`);
  addEventListener('online', () => status.hush(), { once: true });
}

/** Goes to another page of the article as soon as it would show what is typed. */
async function leaveBy(saving: Saving, link: HTMLAnchorElement): Promise<void> {
  if (saving.read().content === '') saving.status.say('Write some text first');
  const isDone = await save(saving);
  if (isDone && saving.article !== null) location.assign(link.href);
  else if (element('#status').dataset['state'] === 'waiting') sayOffline(saving, link);
}

/** Saves when it is time to: on request, when the line is back, before another page is shown. */
function listen(saving: Saving): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void save(saving);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save(saving);
  });
  addEventListener('online', () => void save(saving, false));
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void save(saving, false);
    else refresh(saving, changedElsewhere).catch(() => undefined);
  });
  addEventListener('pagehide', () => leave(saving));
  addEventListener('pageshow', ({ persisted }) => persisted && comeBack(saving));
  element('#links').addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.ctrlKey || event.metaKey) return;
    const isThere = isSaved(saving) && saving.article !== null;
    if (isThere && navigator.onLine) return;
    event.preventDefault();
    if (isThere) sayOffline(saving, link);
    else void leaveBy(saving, link);
  });
}

/** Warns before a page is left with text that is neither at the service nor on this device. */
function guard(saving: () => Saving): (isKept: boolean) => void {
  const ask = (event: Event) => {
    if (!isSaved(saving())) event.preventDefault();
  };
  return (isKept) => {
    if (isKept) removeEventListener('beforeunload', ask);
    else addEventListener('beforeunload', ask);
  };
}

/** Shows the number of words when there is time for it. */
function counter(read: () => string): () => void {
  const place = element('#count');
  let timer = 0;
  const count = () => {
    place.textContent = lengthOf(read());
  };
  count();
  return () => {
    clearTimeout(timer);
    timer = setTimeout(count, 200);
  };
}

/** Opens the editor in place of the form, which has the same fields. */
export async function openEditor(): Promise<void> {
  const status = openStatus(root.dataset['status'] === 'published');
  const guarded = guard(() => saving);
  const store = openLastingStore((isKept) => {
    status.keep(isKept);
    guarded(isKept);
  });
  let edited = () => undefined as void;
  let add: (files: readonly File[]) => boolean = () => false;
  const editor = openTextEditor(area, { changed: () => edited(), files: (files) => add(files) });
  const saving = openSavingOf(editor, { status, store, editor: lockEditor() });
  const preview = openPreview(editor.read);
  const count = counter(editor.read);
  edited = () => {
    if (!isOwnChange) status.hush();
    preview.changed();
    count();
    onChange(saving);
  };
  title.addEventListener('input', () => {
    // A title is one line, even if several are pasted.
    if (/[\r\n]/.test(title.value)) title.value = title.value.replaceAll(/[\r\n]+/g, ' ');
    edited();
  });
  title.addEventListener('keydown', (event) => {
    // While letters are composed, Enter ends that.
    if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    editor.view.focus();
  });
  const pictures = openPictures(editor.view);
  add = pictures.add;
  openToolbar(editor.view, pictures.choose);
  element('#editor-hint').hidden = false;
  listen(saving);
  showPublishing();
  await restore(saving);
  root.dataset['ready'] = '';
}
