// Shows recovery codes, which are shown only once.
import { element } from './exchange.ts';
import { askBeforeLeaving } from './leaving.ts';

/** Copies a text, and says on the button whether it worked: a browser may refuse. */
async function copyText(button: HTMLElement, text: string, done: () => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    done();
  } catch {
    button.textContent = 'Select the codes and copy them';
  }
}

/** Shows recovery codes, which are shown only once. Until they are kept, leaving the page asks. */
export function showCodes(codes: readonly string[]): void {
  const section = element('#codes');
  const list = section.querySelector('ol');
  list?.replaceChildren(
    ...codes.map((code) => {
      const item = document.createElement('li');
      const text = document.createElement('code');
      text.textContent = code;
      item.append(text);
      return item;
    }),
  );
  section.hidden = false;
  // As for a new token: the browser does not keep them for the way back.
  addEventListener('pagehide', () => {
    list?.replaceChildren();
    section.hidden = true;
  });
  section.querySelector<HTMLElement>('h2')?.focus();
  const stopAsking = askBeforeLeaving();
  section.querySelector('a')?.addEventListener('click', stopAsking);
  // Another button than that of codes that were shown before: it has not copied these.
  const before = section.querySelector('button');
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'quiet';
  copy.textContent = 'Copy all';
  copy.addEventListener('click', () => {
    void copyText(copy, codes.join('\n'), stopAsking);
  });
  before?.replaceWith(copy);
}
