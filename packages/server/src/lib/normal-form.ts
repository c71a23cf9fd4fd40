// Unicode normal forms, in time that is linear in the length of the text.

/**
 * The maximum number of combining marks in a row, more than any language uses: the limit of the Stream-Safe
 * Text Format (UAX #15, section 13). Sorting a run of marks into its canonical order takes time that grows
 * with the square of its length: a minute for 200,000 marks.
 */
export const mostMarks = 30;

/** The lookbehind ensures that a run is tried once, and not once at each of its marks. */
const OVERLONG = new RegExp(String.raw`(?<!\p{M})(\p{M}{${mostMarks}})\p{M}+`, 'gu');

/**
 * Returns a text in one of Unicode's normal forms. Of a longer run of combining marks, the first 30 are kept.
 */
export function toNormalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return text.replaceAll(OVERLONG, '$1').normalize(form);
}
