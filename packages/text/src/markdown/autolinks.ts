// Turns bare addresses into links by GFM's rules: `www.`, `http://`, `https://`, and mail addresses.
import type { MarkdownIt } from 'markdown-it';

/** Longer addresses are not linked. */
const lengthMax = 2_048;

const hostCharacter = '[\\p{L}\\p{M}\\p{N}_-]';
const host = new RegExp(`^${hostCharacter}{1,63}(?:\\.${hostCharacter}{1,63}){0,10}`, 'u');
// ASCII, and all of the higher code units: this becomes part of an expression without `u`.
const mailCharacter = '[A-Za-z0-9_\\u00a1-\\uffff-]';
const mailHost = new RegExp(
  `(?:${mailCharacter}{1,63}\\.){1,4}${mailCharacter}{0,62}[A-Za-z0-9\\u00a1-\\uffff](?!${mailCharacter})`,
);

function isHost(name: string, dotNeeded: boolean): boolean {
  const labels = name.split('.');
  if (dotNeeded && labels.length < 2) return false;
  return !labels.slice(-2).some((label) => label.includes('_'));
}

/** Returns how many more closing brackets than opening ones there are. */
function closedTooOften(text: string): number {
  let balance = 0;
  for (const character of text) {
    if (character === ')') balance += 1;
    if (character === '(') balance -= 1;
  }
  return balance;
}

/** Returns how many characters at the end of a text are not part of the address before them. */
function looseEnd(text: string, unopened: number): number {
  const last = text.at(-1) ?? '';
  if (last === ';') return /&[a-z0-9]{1,40};$/i.exec(text.slice(-42))?.[0].length ?? 1;
  if (last === ')') return unopened > 0 ? 1 : 0;
  return last !== '' && '?!.,:*_~\'"'.includes(last) ? 1 : 0;
}

/**
 * Removes punctuation that ends a sentence. A closing bracket is kept if it was opened inside the address.
 */
function withoutEnd(address: string): string {
  let unopened = closedTooOften(address);
  let end = address;
  for (let loose = looseEnd(end, unopened); loose > 0; loose = looseEnd(end, unopened)) {
    if (end.endsWith(')')) unopened -= 1;
    end = end.slice(0, -loose);
  }
  return end;
}

/** Returns how many characters at the beginning of the text are an address without its scheme; 0 for none. */
function addressLength(text: string, dotNeeded: boolean): number {
  const name = host.exec(text)?.[0] ?? '';
  if (name === '' || !isHost(name, dotNeeded)) return 0;
  const rest = /^(?::\d{1,5})?(?:[/?#][^\s<]*)?/.exec(text.slice(name.length))?.[0] ?? '';
  return withoutEnd(name + rest).length;
}

/** Configures the parser's link detection. */
export function linkLikeGfm({ linkify }: MarkdownIt): void {
  linkify.set({ fuzzyLink: false, fuzzyEmail: true });
  linkify.re.get_fuzzy_mail_host = () => mailHost;
  linkify.add('//', null).add('ftp:', null);
  for (const scheme of ['http:', 'https:']) {
    linkify.add(scheme, {
      validate: (text, position) => {
        if (!text.startsWith('//', position)) return 0;
        const from = position + 2;
        const length = addressLength(text.slice(from, from + lengthMax), false);
        return length === 0 ? 0 : length + 2;
      },
    });
  }
  linkify.add('www.', {
    validate: (text, position) => addressLength(text.slice(position, position + lengthMax), true),
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
}
