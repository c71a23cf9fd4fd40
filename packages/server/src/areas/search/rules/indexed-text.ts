// What search reads of a text: its words, with spaces between them. PostgreSQL and JavaScript read it alike.

import { mostMarks, toNormalForm } from '#lib/normal-form';

/** Nobody sees them: soft hyphens, joiners, selectors of variants. Words are the same without them. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}--\u200b]+/gv;
/** Typed as a hyphen is. */
const hyphens = '[\u2010\u2011]';
/** ʻ and ʼ count as letters, and are written as apostrophes are. */
const NO_WORD = /[^[[\p{L}\p{M}\p{N}]--[\u02bb\u02bc]]\-.]+/gv;
/** A point is part of a word between two digits only, a hyphen before a letter only: PostgreSQL takes -5 for a number. */
const alone = String.raw`\.(?![0-9])|(?<![0-9])\.|-(?![^-.0-9\s])|(?<![^-.\s])-`;
/** v1.2 is found by 1.2 too. */
const joined = String.raw`([^-.0-9\s])([0-9]+\.[0-9])`;

const HYPHENS = new RegExp(hyphens, 'gu');
const ALONE = new RegExp(alone, 'gu');
const JOINED = new RegExp(joined, 'gu');

/** A text without the characters that nobody sees, in Unicode's normal form C. */
export function withoutHidden(text: string): string {
  return toNormalForm(text.replaceAll(HIDDEN, ''));
}

/** A text as it is indexed: letters, digits and spaces, points inside of numbers, hyphens inside of words. */
export function asIndexed(text: string): string {
  return withoutHidden(text)
    .replaceAll(HYPHENS, '-')
    .replaceAll(NO_WORD, ' ')
    .replaceAll(ALONE, ' ')
    .replaceAll(JOINED, '$1 $2');
}

/** The planes between have letters only, and the last two what each font takes for something else. */
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

/** What an expression finds among these characters, as ranges for a class. */
function rangesOf(texts: readonly string[], wanted: RegExp): string {
  const runs = texts.flatMap((text) => text.match(wanted) ?? []).map((run) => [...run]);
  return runs.map((run) => `${run.at(0)}-${run.at(-1)}`).join('');
}

/** What `asIndexed` does, as steps of PostgreSQL's `regexp_replace`: its own classes depend on the locale. */
export interface IndexingSteps {
  /** Taken away, first of all. */
  readonly hidden: string;
  /** Then cut, as `toNormalForm` does, before PostgreSQL's own normal form. */
  readonly overlong: readonly [pattern: string, by: string];
  /** After it, with what comes in place of each. */
  readonly replaced: readonly (readonly [pattern: string, by: string])[];
}

let steps: IndexingSteps | undefined;

/** Worked out when it is asked for first: that takes 20 ms. */
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
