// The pages below /settings: the preview of a profile while it is typed, and the copy of a new token.

import { askBeforeLeaving } from './leaving.ts';

/** Shows in the preview what is typed. The page has it after saving, rendered by the service. */
function preview(shown: HTMLElement): void {
  const [name, bio] = ['display_name', 'bio'].map(
    (field) => document.querySelector<HTMLInputElement>(`#${field}`)?.value.trim() ?? '',
  );
  const heading = shown.querySelector('h3');
  if (heading !== null) heading.textContent = name || (shown.dataset['username'] ?? '');
  const about = shown.querySelector('.bio') ?? document.createElement('p');
  about.className = 'bio';
  about.setAttribute('dir', 'auto');
  about.textContent = bio ?? '';
  if (bio === '') about.remove();
  else if (!about.isConnected) shown.querySelector('.meta')?.after(about);
}

document.addEventListener('input', () => {
  const shown = document.querySelector<HTMLElement>('.preview');
  if (shown !== null) preview(shown);
});

/** Shows the buttons that copy, where the browser lets a page copy. */
function offerCopying(): void {
  if (!('clipboard' in navigator)) return;
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
  if (!(button instanceof HTMLElement)) return;
  const source = document.getElementById(button.dataset['copy'] ?? '');
  const text = source instanceof HTMLTextAreaElement ? source.value : (source?.textContent ?? '');
  void navigator.clipboard.writeText(text).then(
    () => {
      button.textContent = 'Copied';
      if (source?.id === 'secret') keep();
    },
    () => (button.textContent = 'Select the text and copy it'),
  );
});

let stopAsking = () => {};
let isCopied = false;

/** The answer to another form takes the place of the page, and of the token that only it has. */
document.addEventListener(
  'submit',
  (event) => {
    const isAtRisk = document.querySelector('#secret') !== null && !isCopied;
    if (!isAtRisk || confirm('You have not copied the new token. It is shown only now. Go on?'))
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

/** A new token is in this page only: until it was copied, leaving asks. */
function guardSecret(): void {
  stopAsking();
  isCopied = false;
  if (document.querySelector('#secret') !== null) stopAsking = askBeforeLeaving();
}

function keep(): void {
  isCopied = true;
  stopAsking();
}

/** Also by the keys of the browser. */
document.addEventListener('copy', ({ target }) => {
  if (target instanceof Element && target.id === 'secret') keep();
});

for (const act of [offerCopying, guardSecret]) {
  document.addEventListener('shown', act);
  act();
}

// A secret is shown once: the browser does not keep it for the way back.
addEventListener('pagehide', () => document.querySelector('#issued')?.remove());
