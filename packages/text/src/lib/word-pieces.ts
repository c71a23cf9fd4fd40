// The pieces of a text that comparisons of two texts keep whole.

/**
 * Numbers with the signs between their digits (dates, times, prices), words, each character of scripts without
 * spaces, runs of blanks, and any other character. A date in parts would be shown in another order where a text
 * runs from right to left.
 */
const pieces =
  /(?<![\p{L}\p{M}\p{N}])\p{N}+(?:[.,:/–-]\p{N}+)+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{M}\p{N}])+|\s+|[^]/gu;

/** Returns the pieces, which together are the text. */
export function wordPieces(text: string): readonly string[] {
  return text.match(pieces) ?? [];
}
