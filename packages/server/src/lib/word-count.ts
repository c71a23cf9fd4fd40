// Words of a Markdown text, and the time to read it.

const perMinute = 230;

/** Addresses and the numbers of a list are not read; each character of scripts without spaces counts as a word. */
const unread = /^[ \t]{0,9}\d{1,9}[.)]\s|\]\([^()\s]*\)|https?:\/\/\S+/gm;
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu;

/** Returns how long a text is: `412 words, 2 min read`. */
export function lengthOf(markdown: string): string {
  const words = markdown.replaceAll(unread, '] ').match(word)?.length ?? 0;
  if (words === 0) return '0 words';
  const minutes = Math.max(1, Math.round(words / perMinute));
  const figure = String(words).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${figure} ${words === 1 ? 'word' : 'words'}, ${minutes} min read`;
}
