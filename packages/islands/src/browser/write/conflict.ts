// The choice between two texts: both are shown, and none is lost.
import { directionOfText } from '@colophon/text/lib/writing-direction';
import { element } from '../exchange.ts';
import type { Merged, Part } from './merge.ts';
import type { Outcome } from './session.ts';
import type { Texts } from './text.ts';

type Comparer = typeof import('./merge.ts');

function part<K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

const lineEnds = /(?<=\n)/;

/** Divides the parts at the ends of lines. */
function linesOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const lines: Part[][] = [[]];
  for (const { text, of } of parts) {
    for (const piece of text.split(lineEnds)) {
      lines.at(-1)?.push({ text: piece, of });
      if (piece.endsWith('\n')) lines.push([]);
    }
  }
  return lines.filter((line) => line.length > 0);
}

/** Each line has a direction of its own: one text may be in English and Hebrew. */
function lineOf(parts: readonly Part[]): HTMLElement {
  const line = part('div');
  line.dir = directionOfText(parts.map(({ text }) => text).join(''));
  for (const { text, of } of parts) {
    if (of === null) line.append(text);
    else line.append(part(of === 'mine' ? 'ins' : 'del', text));
  }
  return line;
}

function textOf(parts: readonly Part[], label: string): HTMLElement {
  const shown = part('div');
  shown.className = 'compared typed';
  shown.tabIndex = 0;
  shown.role = 'region';
  shown.ariaLabel = label;
  shown.append(...linesOf(parts).map(lineOf));
  return shown;
}

/** Shows both texts in full, where comparing them takes too long. */
function whole(mine: string, theirs: string): Node {
  const shown = part('div');
  for (const [heading, text] of [
    ['Yours', mine],
    ['The other one', theirs],
  ] as const) {
    shown.append(part('h3', heading), textOf([{ text, of: null }], heading));
  }
  return shown;
}

function explanation(): HTMLParagraphElement {
  const made = part('p', 'Only in yours: ');
  made.append(part('ins', 'underlined'), '. Only in the other one: ', part('del', 'struck out'));
  made.append('. What you do not choose stays in the history of the article.');
  return made;
}

function titles(mine: Texts, theirs: Texts): Node {
  if (mine.title === theirs.title) return document.createDocumentFragment();
  const made = part('p', 'Title: ');
  const [own, other] = [part('ins', mine.title || 'none'), part('del', theirs.title || 'none')];
  for (const one of [own, other]) one.dir = directionOfText(one.textContent);
  made.append(own, ' ', other);
  return made;
}

/** Shows the choice above the text, which cannot be typed into meanwhile. */
function choose(view: HTMLElement, choices: ReadonlyMap<string, Outcome>): Promise<Outcome> {
  const panes = element('.editor-panes');
  const bars = [panes, element('#tools'), element('#title')];
  const actions = part('p');
  actions.className = 'actions';
  view.children[1]?.after(actions);
  panes.before(view);
  for (const one of bars) one.inert = true;
  panes.hidden = true;
  view.querySelector('h2')?.focus();
  view.querySelector('ins, del')?.scrollIntoView({ block: 'nearest' });
  return new Promise((resolve) => {
    for (const [label, outcome] of choices) {
      const button = part('button', label);
      button.type = 'button';
      if (label !== 'Keep mine') button.className = 'quiet';
      button.addEventListener('click', () => {
        view.remove();
        panes.hidden = false;
        for (const one of bars) one.inert = false;
        resolve(outcome);
        panes.querySelector<HTMLElement>('.cm-content')?.focus();
      });
      actions.append(button, ' ');
    }
  });
}

/** Shows two texts that differ, and lets their author choose. */
export function chooseText(
  { compare }: Comparer,
  { mine, theirs }: { readonly mine: Texts; readonly theirs: Texts },
  { texts: both }: Merged,
): Promise<Outcome> {
  const view = part('section');
  view.className = 'editor-other';
  view.setAttribute('aria-labelledby', 'other');
  const heading = part('h2', 'This article was changed elsewhere');
  heading.id = 'other';
  heading.tabIndex = -1;
  const parts = compare(theirs.content, mine.content);
  view.append(heading, explanation(), titles(mine, theirs));
  view.append(
    parts === undefined
      ? whole(mine.content, theirs.content)
      : textOf(parts, 'Both texts compared'),
  );
  return choose(
    view,
    new Map([
      ['Keep mine', { aside: null, next: mine }],
      // Mine is saved too, so that it is in the history.
      ['Take the other one', { aside: mine, next: theirs }],
      ['Put both in the text', { aside: null, next: both }],
    ]),
  );
}
