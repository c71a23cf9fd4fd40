// Keeps a comment, a reply or an appeal that is being written, in this tab: a reload or a wrong link loses nothing.
// Browsers bring back what was typed only into pages that they may store, and those of the signed-in are not stored.

const prefix = 'colophon-half-written ';
/** The tabs of a browser tell each other on it that somebody has signed out. */
const channelName = 'signed out';
/** Somebody has signed out in another tab: what this page still shows is not kept again. */
let isOver = false;
const forms: ReadonlySet<string | null> = new Set(['comment', 'reply', 'appeal']);

/** Where the text of a field is kept: by account, page and form. Undefined for fields of other forms. */
function placeOf({ form }: HTMLTextAreaElement): string | undefined {
  const { reader } = document.documentElement.dataset;
  if (form === null || reader === undefined) return undefined;
  // A field of a form may be called `action`, and hides the property of that name.
  const { pathname, searchParams } = new URL(form.getAttribute('action') ?? '', document.baseURI);
  const name = searchParams.get('form');
  return forms.has(name) ? `${prefix}${reader} ${pathname} ${name}` : undefined;
}

/** A text, and the key with which its form was sent, if it was. */
interface Kept {
  readonly text: string;
  readonly key?: string | undefined;
}

function store(place: string, { text, key }: Kept): void {
  if (isOver) return;
  try {
    // First, so that a text for which there is no room leaves no older one behind.
    sessionStorage.removeItem(place);
    if (text.trim() !== '') sessionStorage.setItem(place, JSON.stringify({ text, key }));
  } catch {
    // Storage is full or switched off: writing goes on without it.
  }
}

function readKept(place: string): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '{"text":""}') as Kept;
  } catch {
    return { text: '' };
  }
}

const keyFieldOf = ({ form }: HTMLTextAreaElement) =>
  form?.querySelector<HTMLInputElement>('[name="key"]') ?? null;

/**
 * Fills empty fields with what was typed into them. A form that was sent before the page was left has its key again:
 * if it arrived, sending it once more has no second effect.
 */
function bringBack(): void {
  for (const field of document.querySelectorAll<HTMLTextAreaElement>('form[data-live] textarea')) {
    const place = placeOf(field);
    if (place === undefined || field.value !== '') continue;
    const { text, key } = readKept(place);
    field.value = text;
    if (key !== undefined) useKey(field, key);
  }
}

function useKey(field: HTMLTextAreaElement, key: string): void {
  const keyField = keyFieldOf(field);
  if (keyField === null) return;
  keyField.dataset['fresh'] = keyField.value;
  keyField.value = key;
}

/** Another text is another answer, with the key that the page gave it. */
function useFreshKey(field: HTMLTextAreaElement): void {
  const keyField = keyFieldOf(field);
  const fresh = keyField?.dataset['fresh'];
  if (keyField === null || fresh === undefined) return;
  keyField.value = fresh;
  delete keyField.dataset['fresh'];
}

function storeFieldsOf(form: HTMLFormElement, keptOf: (field: HTMLTextAreaElement) => Kept): void {
  for (const field of form.querySelectorAll('textarea')) {
    const place = placeOf(field);
    if (place !== undefined) store(place, keptOf(field));
  }
}

/** Keeps the key of a form that is being sent with its text: the page may be left before the answer. */
export function keepSending(form: HTMLFormElement): void {
  storeFieldsOf(form, (field) => ({ text: field.value, key: keyFieldOf(field)?.value }));
}

/** What a form has sent, or what was cancelled, is not brought back. */
export function forgetHalfWritten(form: HTMLFormElement): void {
  storeFieldsOf(form, () => ({ text: '' }));
}

function forgetInThisTab(): void {
  try {
    for (const place of Object.keys(sessionStorage))
      if (place.startsWith(prefix)) sessionStorage.removeItem(place);
  } catch {
    // Storage is switched off, so nothing was kept.
  }
}

/** Undefined where the browser does not let the site store anything. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(channelName);
  } catch {
    return undefined;
  }
}

/** Signing out forgets what is half written, here and in the other tabs that are awake. */
export function forgetAllHalfWritten(): void {
  forgetInThisTab();
  const channel = openChannel();
  channel?.postMessage('');
  channel?.close();
}

function forgetWhenSignedOutElsewhere(): void {
  openChannel()?.addEventListener('message', () => {
    isOver = true;
    forgetInThisTab();
  });
  // What the service shows from now on names who is signed in.
  document.addEventListener('shown', () => {
    isOver = false;
  });
}

/** From now on what is typed is kept, and what was kept is in its field, also after the content was replaced. */
export function keepHalfWritten(): void {
  bringBack();
  forgetWhenSignedOutElsewhere();
  document.addEventListener('shown', bringBack);
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement)) return;
    useFreshKey(target);
    const place = placeOf(target);
    if (place !== undefined) store(place, { text: target.value });
  });
}
