// Usernames: one spelling for each, and a skeleton that names looking alike share.
import { toNormalForm } from '#lib/normal-form';

const MIN_LENGTH = 3;
const MAX_LENGTH = 32;
const ALLOWED = /^[a-z0-9_-]+$/;
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

/**
 * Folds what a person typed (NFKC, lower case) to the one spelling that is stored. Refused, with a
 * sentence that names the character, its position and code point, is everything but 3 to 32 ASCII
 * letters, digits, `_` and `-` that begin and end with a letter or digit.
 */
export function canonicalUsername(
  input: string,
): { ok: true; username: string } | { ok: false; detail: string } {
  let username = '';
  let position = 0;
  // Characters fold one by one: ASCII is never composed from several, so this equals folding the whole,
  // and the position is the one that was typed.
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
 * What a canonical username looks like: names with equal skeletons must not both exist. Idempotent.
 *
 * Of UTS #39 only the ASCII rows of its table are left to do, because a canonical username is ASCII
 * (its step NFD changes nothing there): 0/o, 1/l, i/l (by way of I) and m/rn. The rest is our own:
 * w/vv and -/_. Pairs are written out rather than drawn together, else `vvv` had two skeletons.
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

/** Invisible characters, marks and lone surrogates are named by their code point only. */
function nameOf(character: string): string {
  const codePoint = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return VISIBLE.test(character) ? `${character} (${codePoint})` : codePoint;
}
