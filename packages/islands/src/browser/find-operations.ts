// The search field of the API reference.
import { all, one } from './elements.ts';

/** Shows the operations that contain every word. */
function filterBy(text: string): void {
  const words = text.toLowerCase().split(/\s+/);
  let count = 0;
  for (const section of all('.index section')) {
    const rows = all('[data-text]', section);
    for (const row of rows)
      row.hidden = !words.every((word) => row.dataset['text']?.includes(word));
    const left = rows.filter(({ hidden }) => !hidden).length;
    section.hidden = left === 0;
    count += left;
  }
  one('#count').textContent = `${count} ${count === 1 ? 'operation' : 'operations'}`;
}

const results = () => all<HTMLAnchorElement>('.index section:not([hidden]) li:not([hidden]) a');

/** Moves between the field and the results with the arrow keys. */
function move(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const stops = [one<HTMLElement>('#filter'), ...results()];
  const here = stops.findIndex((stop) => stop === document.activeElement);
  if (here < 0) return;
  event.preventDefault();
  stops[here + step]?.focus();
}

export function setUpFilter(index: HTMLElement): void {
  const field = one<HTMLInputElement>('#filter', index);
  field.addEventListener('input', () => filterBy(field.value));
  index.addEventListener('keydown', move);
  one<HTMLFormElement>('form', index).addEventListener('submit', (event) => {
    event.preventDefault();
    results()[0]?.click();
  });
}
