// The contents list of a long text, and how long reading it takes.
import { minutesToRead, readingWords } from '@colophon/text/lib/word-count';
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import type { TextHeading } from '../page-services.ts';
import type { Direction } from '@colophon/text/lib/writing-direction';
import { formatCount } from './labels.ts';

/** A text with fewer headings, or shorter HTML, is seen as a whole. */
const headingsLeast = 3;
const htmlLeast = 6_000;
const itemsMax = 100;
const levelsMax = 3;

interface Listed extends TextHeading {
  /** 0 for the headings of the highest level. */
  readonly depth: number;
}

/** Returns the headings to list: fewer levels where there are many. */
function headingsToList(headings: readonly TextHeading[]): readonly Listed[] {
  const levels = [...new Set(headings.map(({ level }) => level))].toSorted(
    (one, other) => one - other,
  );
  const all = headings
    .filter(({ text }) => text.trim() !== '')
    .map((one) => ({ ...one, depth: levels.indexOf(one.level) }));
  for (let depths = levelsMax; depths > 1; depths -= 1) {
    const some = all.filter(({ depth }) => depth < depths);
    if (some.length <= itemsMax) return some;
  }
  return all.filter(({ depth }) => depth === 0).slice(0, itemsMax);
}

/** The contents list; nothing for a text that needs none. */
export function contentsList(
  { html: text, headings }: { readonly html: string; readonly headings: readonly TextHeading[] },
  dir: Direction,
): Content {
  if (headings.length < headingsLeast || text.length < htmlLeast) return null;
  const shown = headingsToList(headings);
  if (shown.length < headingsLeast) return null;
  const items = shown.map(
    ({ id, text: words, depth }) =>
      html`<li class="d${depth}"><a href="#${id}" dir="auto">${words}</a></li>
`,
  );
  return html`<details class="contents" dir="${dir}"><summary>Contents <span class="small" dir="ltr">${formatCount(shown.length, 'section')}</span></summary>
<nav aria-label="Contents"><ol class="parts" role="list">
${items}</ol></nav>
</details>`;
}

/** Returns how long reading takes; undefined for less than two minutes. */
export function readingTime({ content }: { readonly content: string }): string | undefined {
  const minutes = minutesToRead(content);
  return minutes < 2 ? undefined : readingWords(minutes);
}
