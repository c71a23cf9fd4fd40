// The forms of a text: as it is displayed, as it is indexed, which PostgreSQL and JavaScript produce alike, and in a
// tsquery.
import { mostMarks, toNormalForm } from '@colophon/text/lib/normal-form';
import { pieceLength } from '@colophon/text/lib/text-pieces';

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

/** Invisible characters: soft hyphens, joiners, variation selectors. They do not change a word. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}--\u200b]+/gv;
/** Treated like a hyphen. */
const hyphens = '[\u2010\u2011]';
/** ʻ and ʼ are letters in Unicode, but are written as apostrophes. */
const NO_WORD = /[^[[\p{L}\p{M}\p{N}]--[\u02bb\u02bc]]\-.]+/gv;
/**
 * A period is part of a word only between two digits, a hyphen only before a letter: PostgreSQL reads -5 as
 * a number.
 */
const alone = String.raw`\.(?![0-9])|(?<![0-9])\.|-(?![^-.0-9\s])|(?<![^-.\s])-`;
/** v1.2 also matches 1.2. */
const joined = String.raw`([^-.0-9\s])([0-9]+\.[0-9])`;

const HYPHENS = new RegExp(hyphens, 'gu');
const ALONE = new RegExp(alone, 'gu');
const JOINED = new RegExp(joined, 'gu');

/** Returns a text without invisible characters, in Unicode's normal form C. */
export function withoutHidden(text: string): string {
  return toNormalForm(text.replaceAll(HIDDEN, ''));
}

/** Returns a text in its indexed form: letters, digits and spaces, periods in numbers, hyphens in words. */
export function asIndexed(text: string): string {
  return withoutHidden(text)
    .replaceAll(HYPHENS, '-')
    .replaceAll(NO_WORD, ' ')
    .replaceAll(ALONE, ' ')
    .replaceAll(JOINED, '$1 $2');
}

/** The planes in between contain only letters; the last two are for private use. */
const scanned = [
  [0x80, 0xd7_ff],
  [0xe0_00, 0x1_ff_ff],
  [0xe_00_00, 0xe_0f_ff],
] as const;

function charactersOf([first, last]: (typeof scanned)[number]): string {
  const points = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  return points.map((point) => String.fromCodePoint(point)).join('');
}

const privatePlanes = '\u{f0000}-\u{10ffff}';

/** Returns the characters that match an expression, as ranges for a character class. */
function rangesOf(texts: readonly string[], wanted: RegExp): string {
  const runs = texts.flatMap((text) => text.match(wanted) ?? []).map((run) => [...run]);
  return runs.map((run) => `${run.at(0)}-${run.at(-1)}`).join('');
}

/**
 * Characters of which every text is displayed as it is: none is invisible, and none changes in the normal form C,
 * whatever stands beside it. Latin, Cyrillic, Hebrew and Arabic letters, punctuation, currency, kana, Han, Hangul,
 * full-width forms and emoji, as a character class that JavaScript and PostgreSQL interpret alike.
 */
export const settledClass =
  '\u0001-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u064a\u0660-\u0669\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60\u{1f300}-\u{1f64f}';

/** The steps of `asIndexed` for PostgreSQL's `regexp_replace`, whose own classes depend on the locale. */
export interface IndexingSteps {
  /** Characters to remove first. */
  readonly hidden: string;
  /** The truncation of `toNormalForm`, applied next, before PostgreSQL's own normal form. */
  readonly overlong: readonly [pattern: string, by: string];
  /** Replacements after the normal form. */
  readonly replaced: readonly (readonly [pattern: string, by: string])[];
}

let steps: IndexingSteps | undefined;

/** Returns the steps. They are computed at the first call, which takes 20 ms. */
export function indexingSteps(): IndexingSteps {
  if (steps !== undefined) return steps;
  const texts = scanned.map(charactersOf);
  const ascii = String.raw`\u0001-\u0008\u000e-\u001f!-,/:-@\u005b-\u0060\u007b-\u007f`;
  const marks = rangesOf(texts, /\p{M}+/gu);
  steps = {
    hidden: `[${rangesOf(texts, HIDDEN)}]+`,
    overlong: [`([${marks}]{${mostMarks}})[${marks}]+`, String.raw`\1`],
    replaced: [
      [hyphens, '-'],
      [`[${ascii}${rangesOf(texts, NO_WORD)}${privatePlanes}]+`, ' '],
      [alone, ' '],
      [joined, String.raw`\1 \2`],
    ],
  };
  return steps;
}

/**
 * Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese, as a character class that JavaScript and
 * PostgreSQL interpret alike. Korean uses spaces, but attaches particles to words.
 */
export const unspacedClass =
  '\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}';

const RUNS = new RegExp(`[${unspacedClass}]+`, 'gu');

/** Returns every run of such characters in a text, and the text without them. */
export function splitUnspaced(text: string): { readonly runs: readonly string[]; rest: string } {
  const runs = text.match(RUNS) ?? [];
  return { runs, rest: runs.length === 0 ? text : text.replaceAll(RUNS, ' ') };
}

/** Returns the pairs of a run: 北京大学 → 北京, 京大, 大学; nothing for a single character. */
export function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Returns a lexeme, quoted for a tsquery. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
