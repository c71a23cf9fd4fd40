// Detects the language of a text whose author does not name it.

import { canonicalLanguageTag } from './lib/language-tag.ts';
import { plainText } from './lib/plain-text.ts';

const undetermined = 'und';
/** Characters of plain text that are examined: after a few sentences the guess does not change any more. */
const lookedAt = 600;
/** UTF-8 bytes of letters: about 20 Latin, 10 Cyrillic or 7 Chinese ones. Fewer are not enough evidence. */
const lettersMin = 20;

const noLetters = /[^\p{L}\p{M}]+/gu;

/** Scores the languages of a plain text from 0 to 1, the best first. */
export type Score = (text: string) => readonly (readonly [language: string, score: number])[];

/** Returns the lead that the best language needs over the second: a short text is weaker evidence. */
function leadNeeded(letters: number): number {
  return letters < 60 ? 0.06 : 0;
}

/**
 * Returns the language of a Markdown text as a BCP 47 primary tag, or `und` when the text is too short or the
 * guess too uncertain. Examines the beginning of the text, without code.
 */
export function guessLanguage(markdown: string, score: Score): string {
  const text = plainText(markdown, { limit: lookedAt * 3, inlineCode: false }).slice(0, lookedAt);
  const letters = Buffer.byteLength(text.replaceAll(noLetters, ''));
  if (letters < lettersMin) return undetermined;
  const [best, second] = score(text);
  if (best === undefined || best[1] - (second?.[1] ?? 0) < leadNeeded(letters)) return undetermined;
  return canonicalLanguageTag(best[0]) ?? undetermined;
}
