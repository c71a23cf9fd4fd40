// Words of a Markdown text, and the time to read it.

/** UTF-16 units that are read in a minute: 230 words of six characters, or 500 characters of these scripts. */
const paces = { letters: 1_380, dense: 500 } as const;
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const letter = /\p{L}/gu;
/** The beginning of a text shows in which script it is. */
const looked = 2_000;

/** Returns the whole minutes that reading a text takes, by its length: counting words would read all of it. */
export function minutesToRead(markdown: string): number {
  const beginning = markdown.slice(0, looked);
  const letters = beginning.match(letter)?.length ?? 0;
  const share = letters === 0 ? 0 : (beginning.match(dense)?.length ?? 0) / letters;
  return Math.round(markdown.length * (share / paces.dense + (1 - share) / paces.letters));
}

/** Addresses and the numbers of a list are not read; each Chinese or Japanese character counts as a word. */
const unread = /^[ \t]{0,9}\d{1,9}[.)]\s|\]\([^()\s]*\)|https?:\/\/\S+/gm;
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu;

/** Scripts with words of several letters and without spaces between them. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** UTF-16 units in which such words are looked up: a long text is estimated from its beginning. */
const lookedUp = 4_000;
/** Built when it is first needed: it loads dictionaries. */
let segmenter: Intl.Segmenter | undefined;

function countUnspaced(text: string): number {
  const runs = text.match(unspaced)?.join(' ');
  if (runs === undefined) return 0;
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  const sample = runs.slice(0, lookedUp);
  const words = Array.from(segmenter.segment(sample)).filter(({ isWordLike }) => isWordLike);
  return Math.round((words.length * runs.length) / sample.length);
}

/** Returns how long reading takes, of whole minutes: `1 minute to read`, `2 hours to read`. */
export function readingWords(minutes: number): string {
  if (minutes === 1) return '1 minute to read';
  return minutes < 90 ? `${minutes} minutes to read` : `${Math.round(minutes / 60)} hours to read`;
}

/** Returns how long a text is: `412 words, 2 minutes to read`. */
export function lengthOf(markdown: string): string {
  const text = markdown.replaceAll(unread, '] ');
  const words = (text.match(word)?.length ?? 0) + countUnspaced(text);
  if (words === 0) return '0 words';
  const minutes = Math.max(1, minutesToRead(markdown));
  const [thousands, rest] = [Math.floor(words / 1000), String(words % 1000)];
  const figure = thousands === 0 ? rest : `${thousands},${rest.padStart(3, '0')}`;
  return `${figure} ${words === 1 ? 'word' : 'words'}, ${readingWords(minutes)}`;
}
