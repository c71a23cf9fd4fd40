// Sends requests to the API with a token that stays in the memory of the page, and shows the answers as text.
import { all, base, one } from './elements.ts';

/** Never stored and never in an address. */
let token = '';

export function hasToken(): boolean {
  return token !== '';
}

export function forgetToken(): void {
  token = '';
  for (const field of all<HTMLInputElement>('#token')) field.value = '';
}

const shownHeaders = [
  'content-type',
  'x-request-id',
  'etag',
  'location',
  'link',
  'idempotency-replayed',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
];
const shownMax = 200_000;

/** Not randomUUID, which plain http does not offer on other hosts than this one. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bodyOf(form: HTMLFormElement, headers: Headers): BodyInit | undefined {
  const file = form.querySelector<HTMLInputElement>('[type="file"]')?.files?.[0];
  const text = form.querySelector<HTMLTextAreaElement>('textarea')?.value;
  if (file !== undefined) headers.set('content-type', 'application/octet-stream');
  else if (text !== undefined) headers.set('content-type', 'application/json');
  return file ?? text;
}

/** Puts what the fields contain into the path, the query and the headers. */
function addressOf(form: HTMLFormElement, headers: Headers): string {
  const query = new URLSearchParams();
  let path = form.dataset['path'] ?? '';
  for (const { dataset, value } of all<HTMLInputElement | HTMLSelectElement>('[data-in]', form)) {
    const { in: kind, name = '' } = dataset;
    if (value === '') continue;
    if (kind === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (kind === 'query') query.set(name, value);
    else headers.set(name, value);
  }
  return `${base}${path}${query.size === 0 ? '' : `?${query}`}`;
}

/** @throws TypeError when a header contains a character that no header can have */
function requestOf(form: HTMLFormElement): Request {
  const headers = new Headers(token === '' ? {} : { authorization: `Bearer ${token}` });
  const address = addressOf(form, headers);
  const body = bodyOf(form, headers);
  return new Request(address, {
    method: form.dataset['method'] ?? 'GET',
    headers,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    ...(body === undefined ? {} : { body }),
  });
}

interface Shown {
  readonly text: string;
  /** A token that the answer contains; undefined without one. */
  readonly token: string | undefined;
}

async function read(response: Response): Promise<Shown> {
  const type = response.headers.get('content-type') ?? '';
  const bytes = await response.blob();
  if (!/json|^text\//.test(type))
    return { text: type === '' ? '' : `${bytes.size} bytes of ${type}`, token: undefined };
  const text = await bytes.text();
  if (!/json/.test(type)) return { text, token: undefined };
  const answer = JSON.parse(text) as { readonly token?: unknown };
  return {
    text: JSON.stringify(answer, null, 2),
    token: typeof answer.token === 'string' ? answer.token : undefined,
  };
}

function showHeads(list: HTMLElement, headers: Headers): void {
  const rows = shownHeaders.flatMap((name) => {
    const value = headers.get(name);
    if (value === null) return [];
    const [row, term, detail] = ['div', 'dt', 'dd'].map((tag) => document.createElement(tag));
    if (row === undefined || term === undefined || detail === undefined) return [];
    term.textContent = name;
    detail.textContent = value;
    row.append(term, detail);
    return [row];
  });
  list.replaceChildren(...rows);
}

/** Shows an answer, everything in it as text. */
function show(outcome: string, headers: Headers, { text, token: given }: Shown): void {
  const place = one('.answer');
  place.hidden = false;
  one('.outcome', place).textContent = outcome;
  showHeads(one('.heads', place), headers);
  const body = one('pre', place);
  body.hidden = text === '';
  one('code', body).textContent =
    text.length > shownMax ? `${text.slice(0, shownMax)}\n… ${text.length - shownMax} more` : text;
  const keep = one<HTMLButtonElement>('.keep', place);
  keep.hidden = given === undefined;
  keep.onclick = () => {
    token = given ?? '';
    one<HTMLInputElement>('#token').value = token;
    keep.hidden = true;
  };
  place.scrollIntoView({ block: 'nearest' });
}

async function send(form: HTMLFormElement): Promise<void> {
  const begun = performance.now();
  try {
    const response = await fetch(requestOf(form));
    const took = Math.round(performance.now() - begun);
    const outcome = `${response.status} ${response.statusText}`.trim();
    show(`${outcome}, ${took} ms`, response.headers, await read(response));
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    show(`No answer: ${reason}`, new Headers(), { text: '', token: undefined });
  }
}

export function setUpTrying(form: HTMLFormElement): void {
  const field = one<HTMLInputElement>('#token', form);
  const key = form.querySelector<HTMLInputElement>('[data-name="Idempotency-Key"]');
  let isSent = false;
  field.value = token;
  if (key !== null) key.value = newKey();
  form.addEventListener('input', ({ target }) => {
    token = field.value.trim();
    // The same key is for the same request: another request gets another one.
    if (key === null || !isSent || target === key || target === field) return;
    key.value = newKey();
    isSent = false;
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    isSent = true;
    void send(form).finally(() => {
      form.ariaBusy = 'false';
    });
  });
  one<HTMLButtonElement>('[type="submit"]', form).disabled = false;
}
