// Buttons that copy code and citations.
import { all } from '../elements.ts';

const saidMs = 2_000;

/** Copies a text and says on the button whether it could, or what to do `otherwise`. */
export async function copy(
  text: string,
  button: HTMLElement,
  otherwise = 'Select it to copy it',
): Promise<void> {
  const label = button.dataset['label'] ?? button.textContent;
  button.dataset['label'] = label;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = otherwise;
  }
  setTimeout(() => {
    button.textContent = label;
  }, saidMs);
}

/** Adds a button to a block; its label is read out when it changes. */
function addCopyButton(block: HTMLElement): void {
  if (block.parentElement?.matches('.copied')) return;
  const frame = document.createElement('div');
  frame.className = 'copied';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.setAttribute('aria-live', 'polite');
  button.textContent = 'Copy';
  block.replaceWith(frame);
  frame.append(block, button);
  button.addEventListener('click', () => void copy(block.textContent, button));
}

export function addCopyButtons(): void {
  for (const block of all('.prose pre, pre[data-copy]')) addCopyButton(block);
}
