// Excerpts: how an article begins, for lists.

import { plainText } from './plain-text.ts';

const MAX_EXCERPT = 280;
/** Mostly enough; only where pictures, links and code leave too little of it, more is looked at. */
const FIRST_LOOK = 900;
/** Bounds the cost: hostile Markdown is slow by its length. */
const SECOND_LOOK = 4000;

/**
 * At most 280 code points of plain text from the beginning of a Markdown text, cut at the border of a
 * word and then ending with `…`; empty when it begins with nothing to read. Not escaped: it is text.
 */
export function excerpt(markdown: string): string {
  const first = [...plainText(markdown, { limit: FIRST_LOOK, inlineCode: true })];
  const enough = first.length > MAX_EXCERPT || markdown.length <= FIRST_LOOK;
  const points = enough
    ? first
    : [...plainText(markdown, { limit: SECOND_LOOK, inlineCode: true })];
  return shortened(points, MAX_EXCERPT);
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
