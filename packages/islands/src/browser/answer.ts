// Quotes a selected passage of an article or a comment in the answer to it.

const button = document.createElement('button');
button.type = 'button';
button.className = 'quote';
button.textContent = 'Quote';

/** The text that the whole selection is in: of an article or of a comment. */
function selectedIn(selection: Selection | null): Element | null {
  if (selection === null || selection.isCollapsed || selection.toString().trim() === '')
    return null;
  const [start, end] = [selection.anchorNode, selection.focusNode].map((node) =>
    (node instanceof Element ? node : node?.parentElement)?.closest('.prose'),
  );
  return start !== undefined && start === end ? (start ?? null) : null;
}

/** The part of the text that the selection ends in: the button follows it, also for the Tab key. */
function partAtEnd(range: Range, prose: Element): Element | null {
  let node: Node | null = range.endContainer;
  while (node !== null && node.parentNode !== prose) node = node.parentNode;
  return node instanceof Element ? node : prose.lastElementChild;
}

/** Shows the button below the selection, or hides it. */
function place(): void {
  const selection = document.getSelection();
  const prose = selectedIn(selection);
  const range = prose === null ? undefined : selection?.getRangeAt(0);
  const part = range === undefined || prose === null ? null : partAtEnd(range, prose);
  if (range === undefined || part === null) {
    button.remove();
    return;
  }
  if (part.nextElementSibling !== button) part.after(button);
  const box = [...range.getClientRects()].at(-1) ?? range.getBoundingClientRect();
  // The text of an article is the frame of what stands in it, that of a comment is not.
  Object.assign(button.style, { top: '0', left: '0' });
  const origin = button.getBoundingClientRect();
  const rightmost = document.documentElement.clientWidth - origin.width - 8;
  button.style.top = `${box.bottom - origin.top + 6}px`;
  button.style.left = `${Math.max(8, Math.min(box.right, rightmost)) - origin.left}px`;
}

function quoteOf(text: string): string {
  const lines = text
    .trim()
    .replaceAll('\r', '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .split('\n');
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line.trim()}`)).join('\n');
}

/** Adds the quote to what was typed, and leaves the caret below it. */
function insert(quote: string, id: string): void {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLTextAreaElement)) return;
  const typed = field.value.trimEnd();
  field.value = `${typed === '' ? '' : `${typed}\n\n`}${quote}\n\n`;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
  field.scrollTop = field.scrollHeight;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** A passage of a comment is quoted in a reply to it, whose form is opened first. */
function answer(): void {
  const selection = document.getSelection();
  const prose = selectedIn(selection);
  if (prose === null) return;
  const quote = quoteOf(selection?.toString() ?? '');
  const comment = prose.closest('.comment');
  const reply = comment?.querySelector<HTMLElement>('.acts > a[data-live]');
  selection?.removeAllRanges();
  button.remove();
  if (!reply || comment?.querySelector('#reply')) {
    insert(quote, comment === null ? 'comment' : 'reply');
    return;
  }
  document.addEventListener('shown', () => insert(quote, 'reply'), { once: true });
  reply.click();
}

// Pressing the button must not clear the selection.
button.addEventListener('pointerdown', (event) => event.preventDefault());
button.addEventListener('mousedown', (event) => event.preventDefault());
button.addEventListener('click', answer);

let timer = 0;
document.addEventListener('selectionchange', () => {
  clearTimeout(timer);
  timer = setTimeout(place, 150);
});
// Where a selection ends is not where Tab goes on in every browser: it leads to the button first.
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') button.remove();
  const isNext = event.key === 'Tab' && !event.shiftKey && button.isConnected;
  if (!isNext || document.activeElement?.contains(button) !== true) return;
  if (document.activeElement === button) return;
  event.preventDefault();
  button.focus();
});
