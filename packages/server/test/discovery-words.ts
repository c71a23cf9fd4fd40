// Words that occur in one text and nowhere else, and finding them in answers.
import { hash } from 'node:crypto';

const letters = 'abcdefghkmnprtvw';

/** A word of thirteen letters that no language has; the same for the same place. */
export function rareWord(place: string): string {
  const digits = hash('sha256', place).slice(0, 11);
  return `zq${Array.from(digits, (digit) => letters[Number.parseInt(digit, 16)]).join('')}`;
}

/** As somebody types it who misses one letter. */
export function mistype(word: string): string {
  const other = word[6] === 'a' ? 'o' : 'a';
  return word.slice(0, 6) + other + word.slice(7);
}

/** So much of it as nothing else begins with. */
export function beginningOf(word: string): string {
  return word.slice(0, 9);
}

const marks = /<\/?mark>/g;
const references = /&#(x[\da-f]+|\d+);/gi;

function decode(text: string): string {
  return text
    .replaceAll(marks, '')
    .replaceAll(references, (_, code: string) =>
      String.fromCodePoint(
        code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number(code),
      ),
    );
}

/** The rare words of an answer, without those that the request itself said. */
export function wordsReported(answer: string, request: string): ReadonlySet<string> {
  const found =
    decode(answer)
      .toLowerCase()
      .match(/zq[a-z]{11}/g) ?? [];
  const said = decodeURIComponent(request).toLowerCase();
  return new Set(found.filter((word) => !said.includes(word)));
}
