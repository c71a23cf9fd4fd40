// The displayed form of texts.
import { toNormalForm } from '#lib/normal-form';
import { pieceLength } from '#lib/text-pieces';

/**
 * Returns a text in its displayed form: with composed characters and without soft hyphens, which would
 * split words.
 */
export function shownText(text: string): string {
  return toNormalForm(text.replaceAll('\u00ad', ''));
}

/**
 * A character that is never composed with one before it, so that a text may be cut there. The letters of
 * Hangul's and Kirat Rai's alphabets are.
 */
const START = /[\0-\x7f]|[\p{L}--[\u1100-\u11ff\u{16d00}-\u{16dff}]]/gv;

function cutAt(text: string, place: number): number {
  if (place >= text.length) return text.length;
  START.lastIndex = place;
  return START.exec(text)?.index ?? text.length;
}

/** Yields the displayed form of a text in pieces, to be made in separate turns of the event loop. */
export function* shownPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const to = cutAt(text, from + pieceLength);
    yield shownText(text.slice(from, to));
    from = to;
  }
}
