// Escapes the long texts of a page in pieces, with other work of the event loop in between.
import { longFrom, nextTurn } from '#lib/pieces';
import { piecesOf } from '@colophon/text/lib/text-pieces';
import { html, textOf } from './html.ts';
import type { Content, Html } from './html.ts';

/**
 * Returns a text for a template. A long one is escaped already, and its bytes are reserved before the page is built.
 * @throws unavailable: too many bytes of answers are in memory
 */
export type LongText = (text: string) => Promise<Content>;

/** Opens the texts of one page. `reserve` is called with the sum of their lengths, escaped. */
export function openLongTexts(reserve: (units: number) => void): LongText {
  let typed = 0;
  let units = 0;
  return async (text) => {
    typed += text.length;
    // Many short texts are as much work as a long one.
    if (typed <= longFrom) return text;
    const escaped: Html[] = [];
    for (const piece of piecesOf(text)) {
      const one = html`${piece}`;
      // V8 joins the parts of a text when it is read first: here, and not for all pieces at once.
      textOf(one).charCodeAt(0);
      units += textOf(one).length;
      reserve(units);
      escaped.push(one);
      await nextTurn();
    }
    return escaped;
  };
}
