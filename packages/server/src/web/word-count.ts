// Words of a text, and the time to read it.
import { counted } from './components/labels.ts';

const perMinute = 230;

/** Addresses are not read; each character of scripts without spaces counts as a word. */
const address = /\]\([^()\s]*\)|https?:\/\/\S+/g;
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu;

/** Returns how long a text is: `412 words, 2 minutes to read`. */
export function lengthOf(markdown: string): string {
  const words = markdown.replaceAll(address, '] ').match(word)?.length ?? 0;
  const minutes = Math.max(1, Math.round(words / perMinute));
  return `${counted(words, 'word')}, ${counted(minutes, 'minute')} to read`;
}
