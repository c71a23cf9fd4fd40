// The page /notifications: keys to move through the list, new notifications as they arrive, and what was seen.
import { at, send } from './exchange.ts';
import { isShortcut } from './single-keys.ts';

const selector = '.group';

function move(step: number): void {
  const groups = [...document.querySelectorAll<HTMLElement>(selector)];
  const focused = document.activeElement?.closest(selector);
  const now = groups.findIndex((group) => group === focused);
  const next = groups[Math.max(0, Math.min(groups.length - 1, now + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

const keys: Readonly<Record<string, () => void>> = {
  j: () => move(1),
  k: () => move(-1),
  Enter: () => document.activeElement?.querySelector<HTMLAnchorElement>('a')?.click(),
  e: () => document.querySelector<HTMLButtonElement>('#mark-read')?.click(),
};

document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
  if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return;
  // A link or a button does with Enter what it does everywhere.
  if (target.closest('input, textarea, select, a, button, summary') !== null && key === 'Enter')
    return;
  if (target.closest('input, textarea, select') === null && isShortcut(key)) keys[key]?.();
});

// Shown by the page itself: the first page only, so that nothing moves while an older one is read.
document.addEventListener('arrived', () => {
  const { pathname, search } = window.location;
  if (pathname !== at('/notifications') || search.includes('cursor=')) return;
  document.dispatchEvent(new CustomEvent('reload', { detail: pathname + search }));
});

/** Long enough to look at the list; a page that is only passed on the way marks nothing. */
const seenMs = 2_000;
let timer = 0;
let marked = '';

/** The newest event of the page, where it can be marked: all that is unread is shown here, and the form on no other page. */
const newestShown = () =>
  document
    .querySelector('#mark-read[data-all-shown]')
    ?.closest('form')
    ?.querySelector<HTMLInputElement>('[name="event_id"]')?.value ?? '';

/** Marks what is shown as read. The dots stay: they say what is new in this visit. */
async function markSeen(): Promise<void> {
  const id = newestShown();
  await send('POST', '/-/notifications', { event_id: id });
  marked = id;
  document.dispatchEvent(new CustomEvent('seen', { detail: id }));
}

/** Waits until the list has been in front of a person for long enough. */
function watch(): void {
  clearTimeout(timer);
  if (document.visibilityState !== 'visible' || newestShown() <= marked) return;
  // Nobody has asked for it: if it fails, they stay unread until the next visit.
  timer = setTimeout(() => void markSeen().catch(() => undefined), seenMs);
}

document.addEventListener('visibilitychange', watch);
document.addEventListener('shown', watch);
watch();
