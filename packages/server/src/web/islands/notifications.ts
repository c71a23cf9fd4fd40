// The page /notifications: keys to move through the list, and new notifications as they arrive.
import { at } from './exchange.ts';

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
  if (target.closest('input, textarea, select') === null) keys[key]?.();
});

// Shown by the page itself: the first page only, so that nothing moves while an older one is read.
document.addEventListener('arrived', () => {
  const { pathname, search } = window.location;
  if (pathname !== at('/notifications') || search.includes('cursor=')) return;
  document.dispatchEvent(new CustomEvent('reload', { detail: pathname + search }));
});
