// Usernames: one canonical spelling, and a skeleton that look-alike names share.
import { toNormalForm } from '#lib/normal-form';

const MIN_LENGTH = 3;
const MAX_LENGTH = 32;
const ALLOWED = /^[a-z0-9_-]+$/;
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

/**
 * Returns a typed name folded (NFKC, lower case) to its one stored spelling. Everything is refused but 3 to
 * 32 ASCII letters, digits, `_` and `-` that begin and end with a letter or digit. The refusal is a sentence
 * that names the character, its position and its code point.
 */
export function canonicalUsername(
  input: string,
): { ok: true; username: string } | { ok: false; detail: string } {
  let username = '';
  let position = 0;
  // Characters are folded one by one: no ASCII character is composed from several, so the result equals
  // folding the whole name, and the position is the one in the input.
  for (const character of input) {
    position += 1;
    if (position > MAX_LENGTH) return refused(lengthDetail);
    const folded = toNormalForm(character, 'NFKC').toLowerCase();
    if (!ALLOWED.test(folded)) {
      return refused(
        `Only ASCII letters, digits, _ and - are allowed: character ${position} is ${nameOf(character)}.`,
      );
    }
    username += folded;
  }
  if (username.length < MIN_LENGTH || username.length > MAX_LENGTH) return refused(lengthDetail);
  if (isMark(username.charAt(0))) {
    return refused(
      `A username begins with a letter or digit: character 1 is ${nameOf(username.charAt(0))}.`,
    );
  }
  if (isMark(username.charAt(username.length - 1))) {
    const last = nameOf(username.charAt(username.length - 1));
    return refused(`A username ends with a letter or digit: character ${position} is ${last}.`);
  }
  return { ok: true, username };
}

/**
 * Returns the look-alike skeleton of a canonical username: names with equal skeletons must not both exist.
 * Idempotent.
 *
 * Of the table of UTS #39 only the ASCII rows are needed, because a canonical username is ASCII (step NFD
 * changes nothing there): 0/o, 1/l, i/l (by way of I) and m/rn. The service adds w/vv and -/_. Pairs are
 * expanded rather than contracted, because otherwise `vvv` would have two skeletons.
 */
export function usernameSkeleton(username: string): string {
  return username
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv')
    .replaceAll('_', '-');
}

const lengthDetail = `A username has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`;

function refused(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}

function isMark(character: string): boolean {
  return character === '_' || character === '-';
}

/**
 * Returns a character with its code point; invisible characters, marks and lone surrogates as code point
 * only.
 */
function nameOf(character: string): string {
  const codePoint = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return VISIBLE.test(character) ? `${character} (${codePoint})` : codePoint;
}
