// Excerpts: the first paragraph of prose of an article, for lists.

import { plainBlocks, plainText } from './plain-text.ts';
import type { Block } from './plain-text.ts';

const MAX_EXCERPT = 280;
/** Mostly enough; more is looked at only where the first paragraph of prose ends behind it. */
const FIRST_LOOK = 900;
/** Bounds the cost: hostile Markdown is slow by its length. */
const SECOND_LOOK = 4000;
/** Links are mostly defined at the end of a text. */
const DEFINITIONS_AT_END = 4000;

/**
 * At most 280 code points of plain text from a Markdown text, cut at the border of a word and then ending
 * with `…`: its first paragraph of prose, without images, marks of footnotes and the syntax of links. A text
 * without such a paragraph gives its first list or quote, else its first heading, row of links or table;
 * empty when there is nothing to read. Not escaped: it is text. The cost does not grow beyond the first
 * 4,000 and last 4,000 characters.
 */
export function excerpt(markdown: string): string {
  for (const limit of [FIRST_LOOK, SECOND_LOOK]) {
    const isWhole = markdown.length <= limit;
    const text = chosen(markdown, limit, isWhole || limit === SECOND_LOOK);
    if (text !== undefined) return shortened([...text], MAX_EXCERPT);
  }
  return '';
}

/** undefined: a longer look may find something better. */
function chosen(markdown: string, limit: number, isLast: boolean): string | undefined {
  const definitions = isLast
    ? markdown.slice(Math.max(0, markdown.length - DEFINITIONS_AT_END))
    : '';
  const blocks = plainBlocks(markdown, { limit, definitions });
  const prose = blocks.find(({ kind, isProse }) => kind === 'paragraph' && isProse);
  if (prose !== undefined) return isLast || isEnough(prose, blocks) ? prose.text : undefined;
  return isLast ? (firstGroup(blocks) ?? firstWords(markdown)) : undefined;
}

/** It is shown whole, or fills the excerpt; and no link in it is defined elsewhere. */
function isEnough(prose: Block, blocks: readonly Block[]): boolean {
  const isEnded = blocks.at(-1) !== prose;
  return (isEnded || prose.text.length > 2 * MAX_EXCERPT) && !prose.text.includes('[');
}

/** The items of a list make one text, and so do the cells of a table. */
function firstGroup(blocks: readonly Block[]): string | undefined {
  const first =
    blocks.find(({ kind, isProse }) => kind === 'inner' && isProse) ??
    blocks.find(({ text }) => text !== '');
  if (first === undefined) return undefined;
  const texts = blocks.flatMap(({ group, text }) => (group === first.group ? [text] : []));
  return texts.join(' ').trim();
}

/** Of a text of images alone, what they show. */
function firstWords(markdown: string): string {
  return plainText(markdown, { limit: SECOND_LOOK, inlineCode: true });
}

/** At most `max` of these code points, cut at the border of a word and then ending with `…`. */
export function shortened(points: readonly string[], max: number): string {
  if (points.length <= max) return points.join('');
  const cut = points.slice(0, max - 1);
  const border = points[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ');
  // Scripts that write without spaces have no border near; there any place is as good.
  const end = border > max / 2 ? border : cut.length;
  return `${cut.slice(0, end).join('')}…`;
}
