// Rules for parsed blocks: ids of headings, task list checkboxes, alignment without inline styles.
import type { StateCore, Token } from 'markdown-it';
import { idPrefix, slugOf } from './addresses.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** A table of contents is for people: headings after this many have ids, but are not listed. */
const listedMax = 500;
const textMax = 200;

/** Returns the visible text of inline tokens. */
export function wordsOf(tokens: readonly Token[]): string {
  const words = tokens.map((token) => {
    if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
    if (token.type === 'image') return wordsOf(token.children ?? []);
    return token.nesting === 0 ? token.content : '';
  });
  return words.join('');
}

/** Makes ids unique: `name`, `name-1`, `name-2`. */
function idMaker(): (slug: string) => string {
  const next = new Map<string, number>();
  return (slug) => {
    let id = slug;
    let count = next.get(slug) ?? 0;
    while (next.has(id)) {
      count += 1;
      id = `${slug}-${count}`;
    }
    next.set(id, 0);
    next.set(slug, count);
    return idPrefix + id;
  };
}

/** Gives every heading an id. Headings outside of quotes and lists are added to `headings`. */
export function identifyHeadings(state: StateCore, headings: Heading[]): void {
  const makeId = idMaker();
  for (const [index, token] of state.tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = wordsOf(state.tokens[index + 1]?.children ?? []).trim();
    const id = makeId(slugOf(text));
    token.attrSet('id', id);
    if (token.level > 0 || headings.length >= listedMax) continue;
    headings.push({
      level: Number(token.tag.slice(1)),
      id,
      text: text.slice(0, textMax).toWellFormed(),
    });
  }
}

function taskOf(tokens: readonly Token[], index: number): Token | undefined {
  const opensItem =
    tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
  const first = tokens[index]?.children?.[0];
  if (!opensItem || first?.type !== 'text') return undefined;
  return /^\[[ xX]\][ \t]/.test(first.content) ? first : undefined;
}

/** `- [x] done` gets a disabled checkbox. */
export function placeTaskBoxes(state: StateCore): void {
  const { tokens } = state;
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline') continue;
    const task = taskOf(tokens, index);
    if (task === undefined) continue;
    const box = new state.Token('task_box', 'input', 0);
    box.attrSet('type', 'checkbox');
    box.attrSet('disabled', '');
    if (task.content[1] !== ' ') box.attrSet('checked', '');
    task.content = task.content.slice(3);
    token.children?.unshift(box);
    tokens[index - 2]?.attrJoin('class', 'task');
  }
}

/** Replaces the parser's inline styles, which no page may have. */
export function alignCells(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue;
    const align = String(token.attrGet('style') ?? '').replace('text-align:', '');
    token.attrs = align === '' ? null : [['align', align]];
  }
}

/** Returns the picture that is alone in its paragraph, and its title; undefined where there is none. */
function titledPicture({ type, children }: Token) {
  const [picture, ...others] = children ?? [];
  if (type !== 'inline' || picture?.type !== 'image' || others.length > 0) return undefined;
  const title = String(picture.attrGet('title') ?? '').trim();
  return title === '' ? undefined : { picture, title };
}

/** A picture with a title that is alone in its paragraph becomes a figure, and the title its caption. */
export function captionPictures(state: StateCore): void {
  const { tokens } = state;
  for (const [index, token] of tokens.entries()) {
    const [open, close] = [tokens[index - 1], tokens[index + 1]];
    const found = titledPicture(token);
    if (found === undefined || open?.type !== 'paragraph_open' || open.hidden || !close) continue;
    const { picture, title } = found;
    picture.attrs = (picture.attrs ?? []).filter(([name]) => name !== 'title');
    open.tag = 'figure';
    close.tag = 'figure';
    const words = new state.Token('text', '', 0);
    words.content = title;
    token.children = [
      picture,
      new state.Token('caption_open', 'figcaption', 1),
      words,
      new state.Token('caption_close', 'figcaption', -1),
    ];
  }
}
