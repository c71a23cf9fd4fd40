// Texts of which the beginning is shown where they are long, with the whole below a fold.
import { wholeCharacters } from '#lib/whole-characters';
import { html } from '../html.ts';
import type { Content } from '../html.ts';

/** UTF-16 units and lines of a text that is shown whole. */
const shownMax = 400;
const linesMax = 8;

/** Returns the beginning of a text that is too long to be shown whole; undefined if it is not. */
export function beginningOf(text: string): string | undefined {
  const lines = text.split('\n', linesMax + 1);
  if (text.length <= shownMax && lines.length <= linesMax) return undefined;
  return wholeCharacters(lines.slice(0, linesMax).join('\n'), shownMax).trimEnd();
}

interface Ways {
  readonly short: (text: string) => Content;
  readonly beginning: (text: string) => Content;
  readonly whole: (text: string) => Content;
}

/** Shows a text; where it is long, its beginning, which opens the whole. */
export function foldText(text: string, { short, beginning, whole }: Ways): Content {
  const first = beginningOf(text);
  if (first === undefined) return short(text);
  return html`<details class="folded"><summary>${beginning(`${first} …`)} <span class="more">The whole text</span></summary>
${whole(text)}</details>`;
}
