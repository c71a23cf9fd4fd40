// The moderation desk: keys for every step, the preview of what the author will read, and who works on what.
import { at } from './exchange.ts';
import { isShortcut } from './single-keys.ts';

const textFields = 'input:not([type="radio"]):not([type="checkbox"]), textarea, select';

function move(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.desk-row')];
  const focused = document.activeElement?.closest('.desk-row');
  const now = rows.findIndex((row) => row === focused);
  const next = rows[Math.max(0, Math.min(rows.length - 1, now + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** What a key stands for: first in the row that has the focus, then on the page. */
function targetOf(key: string): HTMLElement | null {
  const selector = `[data-key="${CSS.escape(key)}"]`;
  const row = document.activeElement?.closest('.desk-row');
  if (row) return row.querySelector<HTMLElement>(selector);
  const first = document.querySelector<HTMLElement>('.desk-row');
  return (first ?? document).querySelector<HTMLElement>(selector);
}

function use(target: HTMLElement): void {
  if (target.matches('a, button, summary')) {
    target.click();
    if (target.matches('summary')) target.parentElement?.querySelector('textarea')?.focus();
  } else target.focus();
}

function choose(digit: number): boolean {
  const choice = document.querySelectorAll<HTMLInputElement>('.acts input')[digit - 1];
  if (choice === undefined) return false;
  choice.focus();
  choice.click();
  return true;
}

function help(): void {
  const keys = document.querySelector<HTMLDetailsElement>('#keys');
  if (keys === null) return;
  keys.open = !keys.open;
  keys.querySelector('summary')?.focus();
}

const moves: Readonly<Record<string, () => void>> = {
  j: () => move(1),
  k: () => move(-1),
  '?': help,
};

/** A key inside a field: only sending the form, and leaving the field. */
function inField(event: KeyboardEvent, field: HTMLElement): void {
  if (event.key === 'Escape') field.blur();
  // The script `live` sends the form of a text.
  if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  field.closest('form')?.requestSubmit();
}

function press(event: KeyboardEvent, key: string): void {
  const move = moves[key];
  if (move !== undefined) {
    event.preventDefault();
    move();
    return;
  }
  if (/^[1-9]$/.test(key) && choose(Number(key))) return;
  const target = targetOf(key);
  if (target === null) return;
  event.preventDefault();
  use(target);
}

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (!(target instanceof HTMLElement)) return;
  const field = target.closest<HTMLElement>(textFields);
  if (field !== null) {
    inField(event, field);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !isShortcut(key)) return;
  // A link or a button does with Enter what it does everywhere.
  if (key === 'Enter' && target.closest('a, button, summary, label') !== null) return;
  press(event, key);
});

/** What the chosen action says of itself: another text where it follows from a legal demand. */
function saidOf(action: HTMLInputElement, source: string | undefined) {
  const { notice = '', readers = '', author = '', ...legally } = action.dataset;
  const { readersLegal = readers, authorLegal = author } = legally;
  return source === 'legal'
    ? { notice, readers: readersLegal, author: authorLegal }
    : { notice, readers, author };
}

const valueOf = (selector: string) =>
  document.querySelector<HTMLSelectElement | HTMLTextAreaElement>(selector)?.value.trim() ?? '';

/** What readers and the author will see, by the part of the notice that says it. */
function notice(): Readonly<Record<string, string>> {
  const action = document.querySelector<HTMLInputElement>('.acts input:checked');
  const reason = document.querySelector<HTMLSelectElement>('#reason_code');
  if (action === null) return { '.says': '' };
  const said = saidOf(action, valueOf('#source'));
  const restores = action.value === 'restore';
  return {
    '.readers': said.readers,
    '.author': said.author,
    '.says': said.notice,
    '.why': reason?.selectedOptions[0]?.dataset[restores ? 'restored' : 'sentence'] ?? '',
    '.words': valueOf('#reason_text'),
  };
}

function preview(): void {
  const shown = document.querySelector<HTMLElement>('[data-preview]');
  if (shown === null) return;
  const parts = notice();
  shown.hidden = parts['.says'] === '';
  for (const [selector, words] of Object.entries(parts)) {
    const part = shown.querySelector<HTMLElement>(selector);
    if (part === null) continue;
    part.textContent = words;
    part.hidden = words === '';
  }
}

/** A check of the audit log that has not come to its end goes on. */
function goOn(): void {
  document.querySelector<HTMLFormElement>('form[data-goes-on]')?.requestSubmit();
}

document.addEventListener('input', preview);
document.addEventListener('shown', () => {
  preview();
  goOn();
});
preview();

interface ReportStates {
  readonly open: string;
  readonly items: readonly {
    readonly id: string;
    readonly status: string;
    readonly mine: boolean;
    readonly words: string;
  }[];
}

const pollMs = 5_000;

function show({ open, items }: ReportStates): void {
  const count = document.querySelector('#open-count');
  if (count !== null && count.textContent !== open) count.textContent = open;
  for (const { id, status, mine, words } of items) {
    for (const mark of document.querySelectorAll<HTMLElement>(`[data-standing="${id}"]`)) {
      if (mark.textContent === words) continue;
      mark.textContent = words;
      mark.className = `standing ${status}`;
      mark.role = 'status';
      mark.closest('.desk-row')?.classList.toggle('taken', status !== 'open' && !mine);
    }
  }
}

/** What the service said last: it answers 304 while nothing changes. */
let last = { url: '', tag: '' };

/** Asks who works on the reports of the page; when the service cannot be reached, the next time asks again. */
async function refresh(): Promise<void> {
  const marks = [...document.querySelectorAll<HTMLElement>('[data-standing]')];
  if (document.hidden || marks.length === 0) return;
  const ids = [...new Set(marks.map(({ dataset }) => dataset['standing'] ?? ''))].slice(0, 100);
  const url = at(`/moderation/standing?ids=${ids.join(',')}`);
  const known = last.url === url ? { 'if-none-match': last.tag } : {};
  const answer = await fetch(url, { headers: { accept: 'application/json', ...known } });
  if (!answer.ok) return;
  show((await answer.json()) as ReportStates);
  last = { url, tag: answer.headers.get('etag') ?? '' };
}

setInterval(() => void refresh().catch(() => undefined), pollMs);
