// Keeps a comment, a reply or an appeal that is being written, in this tab: a reload or a wrong link loses nothing.
// Browsers bring back what was typed only into pages that they may store, and those of the signed-in are not stored.

const prefix = 'colophon-half-written ';
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

function store(place: string, text: string): void {
  try {
    // First, so that a text for which there is no room leaves no older one behind.
    sessionStorage.removeItem(place);
    if (text.trim() !== '') sessionStorage.setItem(place, text);
  } catch {
    // Storage is full or switched off: writing goes on without it.
  }
}

function readText(place: string): string {
  try {
    return sessionStorage.getItem(place) ?? '';
  } catch {
    return '';
  }
}

function keep(field: HTMLTextAreaElement): void {
  const place = placeOf(field);
  if (place !== undefined) store(place, field.value);
}

/** Fills empty fields with what was typed into them. What a field contains already is newer. */
function bringBack(): void {
  for (const field of document.querySelectorAll<HTMLTextAreaElement>('form[data-live] textarea')) {
    const place = placeOf(field);
    if (place === undefined) continue;
    if (field.value === '') field.value = readText(place);
    else store(place, field.value);
  }
}

/** What a form has sent is not brought back. */
export function forgetHalfWritten(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll('textarea')) {
    const place = placeOf(field);
    if (place !== undefined) store(place, '');
  }
}

/** Signing out leaves nothing half written in the tab. */
export function forgetAllHalfWritten(): void {
  try {
    for (const place of Object.keys(sessionStorage))
      if (place.startsWith(prefix)) sessionStorage.removeItem(place);
  } catch {
    // Storage is switched off, so nothing was kept.
  }
}

/** From now on what is typed is kept, and what was kept is in its field, also after the content was replaced. */
export function keepHalfWritten(): void {
  bringBack();
  document.addEventListener('shown', bringBack);
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLTextAreaElement) keep(target);
  });
}
