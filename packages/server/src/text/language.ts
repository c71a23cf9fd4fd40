// Which language a text is written in, when its author does not say.

import { canonicalLanguageTag } from '#lib/language-tag';
import { plainText } from '#lib/plain-text';

const undetermined = 'und';
/** Of plain text: behind some sentences the guess does not change any more. */
const lookedAt = 600;
/** UTF-8 bytes of letters: some 20 Latin, 10 Cyrillic or 7 Chinese ones. Fewer prove nothing. */
const lettersMin = 20;

const noLetters = /[^\p{L}\p{M}]+/gu;

/** Scores languages for a plain text, the best first, each from 0 to 1. */
export type Score = (text: string) => readonly (readonly [language: string, score: number])[];

/** How far the best must lead the second: a short text proves less. */
function leadNeeded(letters: number): number {
  return letters < 60 ? 0.06 : 0;
}

/**
 * The language of a Markdown text as a BCP 47 primary tag, or `und` when it is too short or the guess
 * too weak. Looks at its beginning, not at code.
 */
export function guessLanguage(markdown: string, score: Score): string {
  const text = plainText(markdown, { limit: lookedAt * 3, inlineCode: false }).slice(0, lookedAt);
  const letters = Buffer.byteLength(text.replaceAll(noLetters, ''));
  if (letters < lettersMin) return undetermined;
  const [best, second] = score(text);
  if (best === undefined || best[1] - (second?.[1] ?? 0) < leadNeeded(letters)) return undetermined;
  return canonicalLanguageTag(best[0]) ?? undetermined;
}
