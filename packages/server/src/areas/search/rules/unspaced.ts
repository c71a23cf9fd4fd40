// Scripts that are written without spaces between words: their texts are searched by pairs of characters.

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
