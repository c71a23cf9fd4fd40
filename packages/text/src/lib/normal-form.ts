// Unicode normal forms, in time that is linear in the length of the text.

/**
 * The maximum number of combining marks in a row, more than any language uses: the limit of the Stream-Safe
 * Text Format (UAX #15, section 13). Sorting a run of marks into its canonical order takes time that grows
 * with the square of its length: a minute for 200,000 marks.
 */
export const mostMarks = 30;

/** The lookbehind ensures that a run is tried once, and not once at each of its marks. */
const OVERLONG = new RegExp(String.raw`(?<!\p{M})(\p{M}{${mostMarks}})\p{M}+`, 'gu');

/** Whether any run is that long: a third of the time of looking for where. */
const HAS_OVERLONG = new RegExp(String.raw`\p{M}{${mostMarks + 1}}`, 'u');

/**
 * Characters that are the same in NFC, whatever stands beside them: Latin, Cyrillic, punctuation, currency, Han,
 * Hangul, and the halves of most emoji. Texts of no others are in NFC, which takes a twentieth of the time to
 * see.
 */
const composedClass = String.raw`\0-\u02ff\u0400-\u0482\u200b-\u2027\u2030-\u205e\u20a0-\u20c0\u4e00-\u9fff\uac00-\ud7a3\ud83c-\ud83e\udc00-\udfff`;
const UNCOMPOSED = new RegExp(`[^${composedClass}]`);
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Returns a text in one of Unicode's normal forms. Of a longer run of combining marks, the first 30 are kept.
 */
export function toNormalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string {
  // A text of ASCII is in all forms.
  const unsure = form === 'NFC' ? UNCOMPOSED : BEYOND_ASCII;
  if (!unsure.test(text)) return text;
  const bounded = HAS_OVERLONG.test(text) ? text.replaceAll(OVERLONG, '$1') : text;
  return bounded.normalize(form);
}
