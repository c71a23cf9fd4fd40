// Prepares participants' text for drawing: removes what cannot be drawn and escapes markup.

/** Segments a text into graphemes: a letter with its marks, or an emoji of several code points. */
const signs = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** More than any script puts on one letter. Without a limit, marks reach over the whole image. */
const marksMax = 4;
/** The limit for families and flags, which are joined from many code points. */
const codePointsMax = 12;

const invisible =
  /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFF9-\uFFFC]/gu;

function boundMarks(sign: string): string {
  let marks = 0;
  let text = '';
  for (const [place, letter] of [...sign].entries()) {
    if (/^\p{M}$/u.test(letter)) marks += 1;
    else marks = 0;
    if (marks <= marksMax && place < codePointsMax) text += letter;
  }
  return text;
}

/**
 * Returns the graphemes of a text on one line. Invisible characters are left out, including those that change
 * the direction, but not those that join letters of Arabic, of Indic scripts and of emoji.
 */
export function signsOf(text: string): readonly string[] {
  const line = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\s\u0085\u2028\u2029\u2800]+/gu, ' ')
    .replaceAll(invisible, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return [...signs.segment(line)].map(({ segment }) => boundMarks(segment));
}

/** Whether a grapheme contains only space, or characters that shape or separate their neighbours. */
export function showsNothing(sign: string): boolean {
  return /^[\p{Z}\p{Default_Ignorable_Code_Point}]*$/u.test(sign);
}

/** Returns a grapheme without its marks and without invisible characters. */
export function withoutMarks(sign: string): string {
  return sign.normalize('NFD').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
}

const words = new Intl.Segmenter('und', { granularity: 'word' });
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const syllabic = /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;
const breakHere = '\u200B';
const noBreak = '\u2060';

/**
 * Inserts line break opportunities: between words of scripts that write no spaces, and not inside the words
 * of scripts that may break anywhere. The drawing library has no dictionaries.
 */
export function withBreaks(text: string): string {
  return [...words.segment(text)]
    .map(({ segment }) => {
      if (unspaced.test(segment)) return `${breakHere}${segment}${breakHere}`;
      return syllabic.test(segment) ? [...segment].join(noBreak) : segment;
    })
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for the markup of the drawing library, which is a kind of XML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}
