// Sends the forms of a page without a reload, and shows the page as it is afterwards.
import { watchArrivals } from './arrivals.ts';
import { attempt, withPasskeyCheck, fieldsOf, isRefusal, refusal, sendForm } from './exchange.ts';
import type { AfterForm } from './exchange.ts';
import { signInAgain } from './sign-in-again.ts';
import { showTimes, watchTimes } from './times.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const parts = ['main', 'top'] as const;

/** Fields of other forms that a person has changed: they keep their values when the page is replaced. */
function changedFields(sent: HTMLFormElement | undefined): readonly Control[] {
  const all = document.querySelectorAll<Control>('form[data-live] :is(input, textarea, select)');
  return [...all].filter((one) => {
    if (one.form === sent || one.type === 'hidden') return false;
    if (one instanceof HTMLSelectElement)
      return [...one.options].some((option) => option.selected !== option.defaultSelected);
    return isTick(one) ? one.checked !== one.defaultChecked : one.value !== one.defaultValue;
  });
}

function isTick(one: Control): one is HTMLInputElement {
  return one.type === 'checkbox' || one.type === 'radio';
}

/** Identifies a field: its form, what the form is about where a page has several, its name and choice. */
function keyOf(one: Control): string {
  const about = one.form?.querySelector<HTMLInputElement>('[type="hidden"][name="item"]')?.value;
  const choice = isTick(one) ? one.value : '';
  return JSON.stringify([one.form?.getAttribute('action'), about, one.name, choice]);
}

function restore(fields: readonly Control[]): void {
  const all = document.querySelectorAll<Control>('form[data-live] :is(input, textarea, select)');
  const present = new Map([...all].map((one) => [keyOf(one), one]));
  for (const old of fields) {
    const now = present.get(keyOf(old));
    if (now === undefined) continue;
    if (isTick(now)) now.checked = isTick(old) && old.checked;
    else now.value = old.value;
  }
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

/** Replaces the content of the page by the one at the address. Another page is gone to. */
async function show({ location, page }: AfterForm, sent?: HTMLFormElement): Promise<void> {
  const target = new URL(location, document.baseURI);
  const isHere = target.pathname === window.location.pathname;
  if (!isHere) {
    window.location.assign(target);
    return;
  }
  const text = page ?? (await textAt(target));
  const next = new DOMParser().parseFromString(text, 'text/html');
  const fields = changedFields(sent);
  const focused = document.activeElement?.closest('main [id], #top [id]');
  const closes = sent?.closest('details[data-closes]');
  const folded = [...document.querySelectorAll('.replies:not([open])')];
  const open = [...document.querySelectorAll('details[open]')].filter((one) => one !== closes);
  for (const id of parts) {
    const [now, later] = [document.getElementById(id), next.getElementById(id)];
    if (now !== null && later !== null) now.replaceWith(document.adoptNode(later));
  }
  document.title = next.title;
  restore(fields);
  foldAgain(open, true);
  foldAgain(folded, false);
  focusAgain(focused);
  showTimes();
  window.history.replaceState(null, '', target);
  focusOn(target.hash);
  document.dispatchEvent(new Event('shown'));
}

async function sendOnce(form: HTMLFormElement, data: FormData): Promise<AfterForm> {
  try {
    return await withPasskeyCheck(() => sendForm(form.action, data));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const key = form.querySelector<HTMLInputElement>('[name="key"]');
    if (error.key !== undefined && key !== null) key.value = error.key;
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
  const data = new FormData(form, event.submitter);
  if (form.method === 'get') {
    const target = new URL(form.action);
    target.search = new URLSearchParams(fieldsOf(data)).toString();
    void attempt(form, () => show({ location: target.href }, form));
    return;
  }
  void attempt(form, async () => {
    const after = await sendOnce(form, data);
    await show(after, form).catch(() => leaveFor(after.location));
  });
});

document.addEventListener('reload', (event) => {
  if (event instanceof CustomEvent) show({ location: String(event.detail) }).catch(() => undefined);
});

// A link that opens or closes a form on the same page.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-live]') : null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!(link instanceof HTMLAnchorElement) || !isPlain) return;
  event.preventDefault();
  show({ location: link.href }).catch(() => window.location.assign(link.href));
});

watchTimes();
watchArrivals();
