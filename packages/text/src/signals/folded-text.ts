// Folds a text for matching words, and maps positions back to the original text.

import { toNormalForm } from '../lib/normal-form.ts';
import { unseenClass } from '../lib/visible-text.ts';

export interface FoldedText {
  readonly text: string;
  /** Returns the position in the text (in UTF-16 units) of a position in the folded text. */
  placeOf(folded: number): number;
}

/** White space and the marks of quotes and emphasis. A single space alone is kept. */
const space = String.raw`[\t-\r\p{Z}_>*]`;
/** Letters of another width or shape: `ｉｇｎｏｒｅ`. */
const odd = String.raw`(?![\0-\x7f])\p{Changes_When_NFKC_Casefolded}`;
const blanks = new RegExp(`^${space}`, 'u');
const unseen = new RegExp(`^[${unseenClass}]`, 'u');
const folding = new RegExp(` ${space}+|(?! )${space}+|[${unseenClass}]|${odd}`, 'gu');

/** Some characters fold to a whole sentence each. */
const foldedMax = 3;

function foldedBlanks(found: string): string {
  if (/^\*+$/.test(found)) return '';
  return (found.match(/\r\n?|\n/g)?.length ?? 0) > 1 ? '\n' : ' ';
}

function foldedLetter(found: string): string {
  if (unseen.test(found)) return '';
  const plain = toNormalForm(found, 'NFKC');
  return plain.length > foldedMax ? found : plain;
}

/** Folds each distinct character only once, however often it occurs. */
function folder(): (found: string) => string {
  const known = new Map<string, string>();
  return (found) => {
    const before = known.get(found);
    if (before !== undefined) return before;
    if (blanks.test(found)) return foldedBlanks(found);
    const folded = foldedLetter(found);
    known.set(found, folded);
    return folded;
  };
}

/**
 * Folds a text: a single line break or a run of white space becomes one space, an empty line becomes a line
 * feed; marks of emphasis and quotes and invisible characters are removed; letters of another width become
 * plain.
 */
export function fold(text: string): FoldedText {
  const behind: number[] = [];
  const shifts: number[] = [];
  let shift = 0;
  const foldedOf = folder();
  const folded = text.replaceAll(folding, (found, at: number) => {
    const plain = foldedOf(found);
    if (plain.length !== found.length) {
      const end = at - shift + plain.length;
      shift += found.length - plain.length;
      behind.push(end);
      shifts.push(shift);
    }
    return plain;
  });
  return {
    text: folded,
    placeOf: (place) => {
      let [low, high] = [0, behind.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((behind[middle] ?? 0) <= place) low = middle + 1;
        else high = middle;
      }
      return Math.min(text.length, place + (shifts[low - 1] ?? 0));
    },
  };
}
