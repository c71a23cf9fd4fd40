// Text in a picture, where nothing wraps by itself: a few short lines, and about how wide they are.
import { visibleText } from '@colophon/text/lib/visible-text';

/** Characters that take the width of two. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\p{Extended_Pictographic}]/gu;
/** Text whose characters all take the width of one. */
const narrow = /^[\u0020-\u02ff]*$/;
/** Built once: it loads tables. */
const segmenter = new Intl.Segmenter();
/** UTF-16 units that are looked at for each column: an emoji has up to eight. */
const unitsPerColumn = 8;

function widthOf(text: string): number {
  if (narrow.test(text)) return text.length;
  return [...text].length + (text.match(wide)?.length ?? 0);
}

/** Splits words that are longer than a line, such as addresses and scripts without spaces, into a few pieces. */
function piecesOf(word: string, columns: number, count: number): readonly string[] {
  if (widthOf(word) <= columns) return [word];
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const { segment } of segmenter.segment(word)) {
    const more = widthOf(segment);
    if (width + more > columns && piece !== '') {
      pieces.push(piece);
      if (pieces.length > count) return pieces;
      piece = '';
      width = 0;
    }
    piece += segment;
    width += more;
  }
  return [...pieces, piece];
}

/** Returns at most `count` lines of at most `columns` columns each; the last one ends with `…` if there is more. */
export function linesOf(text: string, columns: number, count: number): readonly string[] {
  const looked = text.slice(0, columns * count * unitsPerColumn);
  const lines: string[] = [];
  let line = '';
  for (const word of visibleText(looked).split(/\s+/u)) {
    for (const piece of piecesOf(word, columns - 1, count)) {
      const longer = line === '' ? piece : `${line} ${piece}`;
      if (widthOf(longer) < columns) {
        line = longer;
        continue;
      }
      if (lines.length + 1 === count) return [...lines, `${line}…`];
      lines.push(line);
      line = piece;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Returns the number of columns of the longest line. */
export function columnsOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map(widthOf));
}
