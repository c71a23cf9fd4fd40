// Addresses as people read them: letters of other scripts instead of their percent-encoding.

/** The percent-encoding of characters beyond ASCII, as far as the first bytes tell. */
const encoded = String.raw`%(?:c[2-9a-f]|d[0-9a-f]|e[0-9a-f]%[89ab][0-9a-f]|f[0-4](?:%[89ab][0-9a-f]){2})%[89ab][0-9a-f]`;
const one = new RegExp(encoded, 'gi');
const run = new RegExp(`(?:${encoded})+`, 'gi');

/** Letters and digits, and the marks of Hebrew and Japanese that are written inside of words. */
const word = /[\p{L}\p{N}\u05be\u05f3\u05f4\u30fb]/u;
const mark = /\p{M}/u;
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** Letters that look like the delimiters of addresses: bars, exclamation marks, colons, dots and slashes. */
const likeDelimiter =
  /[\u01c0-\u01c3\u02d0\u02d1\u0660\u06f0\u2cc6\u3033-\u3035\u4e36\u4e3f\ua4fa\ua4fd\ufe30-\uffef]/u;
/** Katakana that look like slashes outside of Japanese words. */
const likeSlash = /[ノソ]/;
const japanese = /[\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Han}]/u;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not UTF-8.
    return undefined;
  }
}

/** Whether a character is shown, between the ones before and behind it. */
function isShown(character: string, before = '', behind = ''): boolean {
  if (unseen.test(character) || likeDelimiter.test(character)) return false;
  // A mark alone would change the look of a delimiter before it.
  if (mark.test(character)) return word.test(before) || mark.test(before);
  if (likeSlash.test(character)) return japanese.test(before) || japanese.test(behind);
  return word.test(character);
}

function shownRun(text: string): string {
  const codes = text.match(one) ?? [];
  const characters = codes.map(decode);
  let previous = '';
  return codes
    .map((code, at) => {
      const character = characters[at];
      const isSafe = character !== undefined && isShown(character, previous, characters[at + 1]);
      previous = isSafe ? character : '';
      return isSafe ? character : code;
    })
    .join('');
}

/**
 * Returns an address as it is shown, never as it is requested: words in other scripts are decoded. Everything else
 * stays encoded: controls, spaces, invisible characters, those that change the direction of text, and characters
 * that look like delimiters.
 */
export function shownAddress(address: string): string {
  return address.replaceAll(run, shownRun);
}
