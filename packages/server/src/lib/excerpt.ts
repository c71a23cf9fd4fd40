// Excerpts: the first paragraph of prose of an article, for lists.

import { plainBlocks, plainText } from '@colophon/text/lib/plain-text';
import type { Block } from '@colophon/text/lib/plain-text';
import { wholeCharacters } from './whole-characters.ts';

const MAX_EXCERPT = 280;
/** Code points after a cut that can belong to the character before it. */
const joinedMax = 32;
/** Usually enough; more is read only when the first paragraph of prose ends after it. */
const FIRST_LOOK = 900;
/** Bounds the cost: the cost of hostile Markdown grows with its length. */
const SECOND_LOOK = 4000;
/** Links are usually defined at the end of a text. */
const DEFINITIONS_AT_END = 4000;

/**
 * Returns at most 280 code points of plain text from a Markdown text, cut at a word boundary and then ending
 * with `…`: its first paragraph of prose, without images, footnote references and link syntax. If the text
 * has no such paragraph, returns its first list or quote, else its first heading, row of links or table;
 * empty when there is no text at all. Not escaped: the result is plain text. The cost is bounded: only the
 * first 4,000 and last 4,000 characters are read.
 */
export function excerpt(markdown: string): string {
  for (const limit of [FIRST_LOOK, SECOND_LOOK]) {
    const isWhole = markdown.length <= limit;
    const text = chooseParagraph(markdown, limit, isWhole || limit === SECOND_LOOK);
    if (text !== undefined) return shorten([...text], MAX_EXCERPT);
  }
  return '';
}

/** undefined: a longer part may give a better excerpt. */
function chooseParagraph(markdown: string, limit: number, isLast: boolean): string | undefined {
  const definitions = isLast
    ? markdown.slice(Math.max(0, markdown.length - DEFINITIONS_AT_END))
    : '';
  const blocks = plainBlocks(markdown, { limit, definitions });
  const prose = blocks.find(({ kind, isProse }) => kind === 'paragraph' && isProse);
  if (prose !== undefined) return isLast || isEnough(prose, blocks) ? prose.text : undefined;
  return isLast ? (firstGroup(blocks) ?? firstWords(markdown)) : undefined;
}

/** Whether the paragraph is complete or fills the excerpt, and none of its links is defined elsewhere. */
function isEnough(prose: Block, blocks: readonly Block[]): boolean {
  const isEnded = blocks.at(-1) !== prose;
  return (isEnded || prose.text.length > 2 * MAX_EXCERPT) && !prose.text.includes('[');
}

/** The items of a list are joined into one text, and so are the cells of a table. */
function firstGroup(blocks: readonly Block[]): string | undefined {
  const first =
    blocks.find(({ kind, isProse }) => kind === 'inner' && isProse) ??
    blocks.find(({ text }) => text !== '');
  if (first === undefined) return undefined;
  const texts = blocks.flatMap(({ group, text }) => (group === first.group ? [text] : []));
  return texts.join(' ').trim();
}

/** For a text that consists only of images, their alternative texts. */
function firstWords(markdown: string): string {
  return plainText(markdown, { limit: SECOND_LOOK, inlineCode: true });
}

/** Returns at most `max` of these code points, cut at a word boundary and then ending with `…`. */
export function shorten(points: readonly string[], max: number): string {
  if (points.length <= max) return points.join('');
  const cut = points.slice(0, max - 1);
  const border = points[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ');
  if (border > max / 2) return `${cut.slice(0, border).join('')}…`;
  // Scripts without spaces have no word boundary nearby; any whole character is equally good there.
  return `${wholeCharacters(points.slice(0, max + joinedMax).join(''), cut.join('').length)}…`;
}
