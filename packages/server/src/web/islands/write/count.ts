// Words of a text, and the time to read it.

const perMinute = 230;
/** Addresses and the numbers of a list are not read; each character of scripts without spaces counts as a word. */
const address = /^[ \t]{0,9}\d{1,9}[.)]\s|\]\([^()\s]*\)|https?:\/\/\S+/gm;
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu;

function countWords(markdown: string): number {
  return markdown.replaceAll(address, '] ').match(word)?.length ?? 0;
}

/** For example `412 words, 2 minutes to read`. */
export function lengthOf(markdown: string): string {
  const words = countWords(markdown);
  if (words === 0) return '';
  const minutes = Math.max(1, Math.round(words / perMinute));
  const figure = words.toLocaleString('en');
  return `${figure} ${words === 1 ? 'word' : 'words'}, ${minutes} min read`;
}
