// Sends the forms of a page without a reload, and shows the page as it is afterwards.
import { watchArrivals } from './arrivals.ts';
import { attempt, withPasskeyCheck, fieldsOf, isRefusal, refusal, sendForm } from './exchange.ts';
import type { AfterForm } from './exchange.ts';
import { forgetHalfWritten, keepHalfWritten, keepSending } from './half-written.ts';
import { signInAgain } from './sign-in-again.ts';
import { showTimes, watchTimes } from './times.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const parts = ['main', 'top'] as const;

/** A form that was sent, with what its fields contained then. */
interface Sent {
  readonly form: HTMLFormElement;
  readonly values: ReadonlyMap<Control, string | boolean>;
}

function controls(): readonly Control[] {
  return [...document.querySelectorAll<Control>('form[data-live] :is(input, textarea, select)')];
}

function isTick(one: Control): one is HTMLInputElement {
  return one.type === 'checkbox' || one.type === 'radio';
}

function valueOf(one: Control): string | boolean {
  return isTick(one) ? one.checked : one.value;
}

function sentBy(form: HTMLFormElement): Sent {
  const own = controls().filter((one) => one.form === form);
  return { form, values: new Map(own.map((one) => [one, valueOf(one)])) };
}

/** Whether a person has changed a field: in the form that was sent, since then. */
function isChanged(one: Control, sent: Sent | undefined): boolean {
  if (one.type === 'hidden') return false;
  if (sent !== undefined && one.form === sent.form) return sent.values.get(one) !== valueOf(one);
  if (one instanceof HTMLSelectElement)
    return [...one.options].some((option) => option.selected !== option.defaultSelected);
  return isTick(one) ? one.checked !== one.defaultChecked : one.value !== one.defaultValue;
}

/** What a form does, and to what. The rest of its address says which part of the page is shown. */
function purposeOf(form: HTMLFormElement | null): readonly (string | null)[] {
  const { pathname, searchParams } = new URL(form?.getAttribute('action') ?? '', document.baseURI);
  return [pathname, searchParams.get('form')];
}

/** Identifies a field: its form, what the form is about where a page has several, its name and choice. */
function keyOf(one: Control): string {
  const about = one.form?.querySelector<HTMLInputElement>('[type="hidden"][name="item"]')?.value;
  const choice = isTick(one) ? one.value : '';
  return JSON.stringify([purposeOf(one.form), about, one.name, choice]);
}

/** Fields of one name in one form are told apart by their order. */
function controlsByKey(): ReadonlyMap<string, Control> {
  const [found, counts] = [new Map<string, Control>(), new Map<string, number>()];
  for (const one of controls()) {
    const key = keyOf(one);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    found.set(`${key} ${count}`, one);
  }
  return found;
}

/** Puts the cursor where it was in the field that was left. */
function typeOn(old: Control, now: Control): void {
  now.focus({ preventScroll: true });
  if (old instanceof HTMLSelectElement || now instanceof HTMLSelectElement) return;
  if (old.selectionStart !== null) now.setSelectionRange(old.selectionStart, old.selectionEnd);
}

/** Keeps what a person has changed while the content is replaced. Returns whether one of the fields is typed in. */
function keepingFields(sent: Sent | undefined, replace: () => void): boolean {
  const changed = [...controlsByKey()].filter(([, one]) => isChanged(one, sent));
  const active = document.activeElement;
  replace();
  const present = controlsByKey();
  let isTyping = false;
  for (const [key, old] of changed) {
    const now = present.get(key);
    if (now === undefined) continue;
    if (isTick(now)) now.checked = isTick(old) && old.checked;
    else now.value = old.value;
    if (old !== active) continue;
    typeOn(old, now);
    isTyping = true;
  }
  return isTyping;
}

/** Opens or folds again what a person has: each part is known by its id. */
function foldAgain(parts: readonly Element[], open: boolean): void {
  for (const { id } of parts) {
    const now = id === '' ? null : document.getElementById(id);
    if (now instanceof HTMLDetailsElement) now.open = open;
  }
}

function focusOn(hash: string): void {
  const target = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  if (target === null) return;
  focusElement(target);
  target.scrollIntoView({ block: 'nearest' });
}

function focusElement(target: HTMLElement): void {
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Focuses what had the focus, or what contained it, if the new content has it too. */
function focusAgain(focused: Element | null | undefined): void {
  const target = document.getElementById(focused?.id ?? '');
  if (target !== null && document.activeElement === document.body) focusElement(target);
}

/** Returns the page at an address. @throws Refusal: an error page never takes the place of the content */
async function textAt(target: URL): Promise<string> {
  const response = await fetch(target, { headers: { accept: 'text/html' } });
  if (!response.ok)
    throw refusal(response.status, { detail: 'The page cannot be shown now. Try again.' });
  return response.text();
}

/** What was sent is done, and the page that shows it cannot be read: the browser shows what is there. */
function leaveFor(location: string): void {
  const target = new URL(location, document.baseURI);
  window.history.replaceState(null, '', target);
  window.location.reload();
}

function replaceParts(next: Document): void {
  for (const id of parts) {
    const [now, later] = [document.getElementById(id), next.getElementById(id)];
    if (now !== null && later !== null) now.replaceWith(document.adoptNode(later));
  }
}

/** The new content may be that of another account, which has signed in in another tab. */
function nameReader({ documentElement: { dataset } }: Document): void {
  const now = document.documentElement.dataset;
  if (dataset['reader'] === undefined) delete now['reader'];
  else now['reader'] = dataset['reader'];
}

/** Replaces the content of the page by the one at the address. Another page is gone to. */
async function show({ location, page }: AfterForm, sent?: Sent): Promise<void> {
  const target = new URL(location, document.baseURI);
  const isHere = target.pathname === window.location.pathname;
  if (!isHere) {
    window.location.assign(target);
    return;
  }
  const text = page ?? (await textAt(target));
  const next = new DOMParser().parseFromString(text, 'text/html');
  const focused = document.activeElement?.closest('main [id], #top [id]');
  const closes = sent?.form.closest('details[data-closes]');
  const folded = [...document.querySelectorAll('.replies:not([open])')];
  const open = [...document.querySelectorAll('details[open]')].filter((one) => one !== closes);
  const isTyping = keepingFields(sent, () => replaceParts(next));
  document.title = next.title;
  nameReader(next);
  foldAgain(open, true);
  foldAgain(folded, false);
  focusAgain(focused);
  showTimes();
  window.history.replaceState(null, '', target);
  // Otherwise the next letters would be lost.
  if (!isTyping) focusOn(target.hash);
  document.dispatchEvent(new Event('shown'));
}

/**
 * What a form does, and to what. The value of one field takes the place of its name in braces; braces in texts of
 * participants stay. A form that does not say has the button that was pressed.
 */
function confirmedBy(form: HTMLFormElement, data: FormData, pressed: HTMLElement | null): string {
  const { confirms, confirmsField: name } = form.dataset;
  const button = pressed ?? form.querySelector('button:not(noscript *)');
  const words = confirms ?? button?.textContent ?? '';
  const value = name === undefined ? null : data.get(name);
  return typeof value === 'string' ? words.replace(`{${name}}`, () => value) : words;
}

/** The form is sent with another key next time, also after a reload. */
function useKeyOf(key: string, form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('[name="key"]');
  if (field === null) return;
  field.value = key;
  keepSending(form);
}

async function sendOnce(
  form: HTMLFormElement,
  data: FormData,
  pressed: HTMLElement | null,
): Promise<AfterForm> {
  try {
    const words = confirmedBy(form, data, pressed);
    return await withPasskeyCheck(words, () => sendForm(form.action, data));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.key !== undefined) useKeyOf(error.key, form);
    if (error.status !== 401 || !(await signInAgain())) throw error;
    return sendForm(form.action, data);
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-live]')) return;
  event.preventDefault();
  // What an earlier form did is not said beside the fault of this one.
  for (const said of document.querySelectorAll('main .note[role="status"]')) said.remove();
  const [data, sent] = [new FormData(form, event.submitter), sentBy(form)];
  if (form.method === 'get') {
    const target = new URL(form.action);
    target.search = new URLSearchParams(fieldsOf(data)).toString();
    void attempt(form, () => show({ location: target.href }, sent));
    return;
  }
  keepSending(form);
  void attempt(form, async () => {
    const after = await sendOnce(form, data, event.submitter);
    forgetHalfWritten(form);
    await show(after, sent).catch(() => leaveFor(after.location));
  });
});

// What a search leaves empty is not sent, so that its address needs no redirect to a shorter one. A live form may
// mean something by an empty field.
document.addEventListener('formdata', ({ target: form, formData }) => {
  if (!(form instanceof HTMLFormElement) || form.method !== 'get' || form.matches('[data-live]'))
    return;
  const sent = [...formData].filter(([, value]) => value !== '');
  for (const name of new Set(formData.keys())) formData.delete(name);
  for (const [name, value] of sent) formData.append(name, value);
});

document.addEventListener('reload', (event) => {
  if (event instanceof CustomEvent) show({ location: String(event.detail) }).catch(() => undefined);
});

// Ctrl+Enter or Cmd+Enter in a text sends its form: Enter alone begins a new line.
document.addEventListener('keydown', (event) => {
  const isSending = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat;
  if (!isSending || event.isComposing || !(event.target instanceof HTMLTextAreaElement)) return;
  const { form } = event.target;
  if (form?.matches('[data-live]') !== true) return;
  event.preventDefault();
  form.requestSubmit();
});

// A link that opens or closes a form on the same page; the one in a form cancels it.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-live]') : null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!(link instanceof HTMLAnchorElement) || !isPlain) return;
  event.preventDefault();
  const cancelled = link.closest('form');
  if (cancelled !== null) forgetHalfWritten(cancelled);
  show({ location: link.href }).catch(() => window.location.assign(link.href));
});

/** That an article was published is not said again by a reload, nor by an address that is passed on. */
function shortenAddress(): void {
  const target = new URL(window.location.href);
  if (target.searchParams.get('done') !== 'published') return;
  // The note has the focus from here on: the browser looks for its fragment later, and finds none.
  if (target.hash === '#done') focusOn(target.hash);
  target.searchParams.delete('done');
  target.hash = '';
  window.history.replaceState(null, '', target);
}

shortenAddress();
keepHalfWritten();
watchTimes();
watchArrivals();
