// Cuts texts between characters as people see them: an emoji of several parts, a letter with its marks.

/** Built once: it loads tables. */
const segmenter = new Intl.Segmenter();
/** UTF-16 units before a cut in which the beginning of its character is searched. */
const lookedBehind = 128;

/**
 * Returns the beginning of a text of at most `max` UTF-16 units that ends with a whole character. Of a
 * character that is longer than people write, a part stays.
 */
export function wholeCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  const from = Math.max(0, max - lookedBehind);
  const at = segmenter.segment(text.slice(from, max + lookedBehind)).containing(max - from);
  const end = at === undefined || at.index === 0 ? max : from + at.index;
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}
