// Footnotes beside the text, where the window has room for them. Those below the text stay.
import { all } from '../elements.ts';

/** The text, a margin on both sides, and a note that can be read. */
const room = window.matchMedia('(min-width: 78rem)');
const gap = 12;

function noteOf(reference: HTMLAnchorElement): HTMLElement | null {
  const id = decodeURIComponent(reference.hash.slice(1));
  return id === '' ? null : document.getElementById(id);
}

/** Returns a copy for the margin. Screen readers and the keyboard have the note below the text. */
function beside(note: HTMLElement, reference: HTMLAnchorElement): HTMLElement {
  const copy = document.createElement('div');
  copy.className = 'beside';
  copy.setAttribute('aria-hidden', 'true');
  const number = document.createElement('b');
  number.textContent = `${reference.textContent} `;
  copy.append(number, ...[...note.childNodes].map((child) => child.cloneNode(true)));
  for (const back of all('.footnote-back', copy)) back.remove();
  for (const named of all('[id]', copy)) named.removeAttribute('id');
  for (const link of all('a, button, input, pre', copy)) link.tabIndex = -1;
  return copy;
}

function placeIn(prose: HTMLElement): void {
  const top = prose.getBoundingClientRect().top;
  const seen = new Set<HTMLElement>();
  let free = 0;
  for (const reference of all<HTMLAnchorElement>('.footnote-ref a', prose)) {
    const note = noteOf(reference);
    if (note === null || seen.has(note) || reference.closest('.beside, .footnotes')) continue;
    seen.add(note);
    const copy = beside(note, reference);
    prose.append(copy);
    const at = Math.max(free, reference.getBoundingClientRect().top - top);
    copy.style.top = `${at}px`;
    free = at + copy.offsetHeight + gap;
  }
}

/** Places the notes again, or takes them away where there is no room. */
export function layOutNotes(): void {
  for (const old of all('.beside')) old.remove();
  if (!room.matches) return;
  for (const prose of all('.whole > .prose')) placeIn(prose);
}

export function watchNotes(): void {
  let timer = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(layOutNotes, 200);
  };
  window.addEventListener('resize', later);
  // Pictures and fonts move the lines that notes belong to.
  window.addEventListener('load', later);
}
