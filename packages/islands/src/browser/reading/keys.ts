// Code and tables that scroll sideways: not every browser lets the keyboard into them by itself (WCAG 2.1.1).
import { all } from '../elements.ts';

/** Lets the keyboard into what scrolls now; anything else is not a stop of the Tab key. */
export function letKeysIn(): void {
  const blocks = all('.prose :is(pre, table)').filter((one) => one.closest('.beside') === null);
  const scroll = blocks.map((one) => one.scrollWidth > one.clientWidth + 1);
  for (const [index, block] of blocks.entries()) {
    if (scroll[index] === true) block.tabIndex = 0;
    else block.removeAttribute('tabindex');
  }
}

export function watchWidths(): void {
  window.addEventListener('resize', letKeysIn);
  window.addEventListener('load', letKeysIn);
  // Replies are folded, and have no width until then.
  document.addEventListener('toggle', letKeysIn, true);
}
