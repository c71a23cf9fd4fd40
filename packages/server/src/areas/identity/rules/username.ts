// The rules of names. Usernames: one canonical spelling, a skeleton that look-alike names share, the key of a name's row,
// and the pseudonyms of closed accounts. Other names: one line of visible characters.
import { randomInt } from 'node:crypto';
import type { Fault } from '#http';
import { bucketOfText } from '#lib/id';
import { toNormalForm } from '@colophon/text/lib/normal-form';
import { hiddenCharacter } from '@colophon/text/lib/visible-text';

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
    if (position > MAX_LENGTH) return refuse(lengthDetail);
    const folded = toNormalForm(character, 'NFKC').toLowerCase();
    if (!ALLOWED.test(folded)) {
      return refuse(
        `Only the letters a to z, digits, hyphens and underscores are allowed: character ${position} is ${characterName(character)}.`,
      );
    }
    username += folded;
  }
  if (username.length < MIN_LENGTH || username.length > MAX_LENGTH) return refuse(lengthDetail);
  if (isMark(username.charAt(0))) {
    return refuse(
      `A username begins with a letter or digit: character 1 is ${characterName(username.charAt(0))}.`,
    );
  }
  if (isMark(username.charAt(username.length - 1))) {
    const last = characterName(username.charAt(username.length - 1));
    return refuse(`A username ends with a letter or digit: character ${position} is ${last}.`);
  }
  return { ok: true, username };
}

/**
 * Returns the look-alike skeleton of a canonical username: names with equal skeletons must not both exist.
 * Idempotent.
 *
 * Of the table of UTS #39 only the ASCII rows are needed, because a canonical username is ASCII (step NFD
 * changes nothing there): 0/o, 1/l, i/l (through I) and m/rn. The service adds w/vv and -/_. Pairs are
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

/** Returns the bucket of a name, and so of its person. */
export function bucketOfName(skeleton: string): number {
  return bucketOfText(skeleton);
}

export type Name =
  | {
      readonly ok: true;
      readonly username: string;
      readonly skeleton: string;
      readonly bucket: number;
    }
  | { readonly ok: false; readonly detail: string };

/** Returns canonical form, look-alike skeleton and bucket of a name as it was typed. */
export function nameOf(typed: string): Name {
  const canonical = canonicalUsername(typed);
  if (!canonical.ok) return canonical;
  const { username } = canonical;
  const skeleton = usernameSkeleton(username);
  return { ok: true, username, skeleton, bucket: bucketOfName(skeleton) };
}

/** Returns the row key of a name, with the id of its principal. */
export function usernameKey(principalId: string, username: string) {
  const skeleton = usernameSkeleton(username);
  return { bucket: bucketOfName(skeleton), skeleton, principalId };
}

/** Returns the time until which the name of a closed account stays reserved: one year after closing. */
export function nameReservedUntil(closedAt: Date): Date {
  const until = new Date(closedAt);
  until.setUTCFullYear(until.getUTCFullYear() + 1);
  return until;
}

/**
 * No letter or sequence of these letters looks like another: the skeleton of a pseudonym is the pseudonym
 * itself.
 */
const pseudonymLetters = 'abcdefghjknpqstuxyz23456789';

/** Names with this prefix are reserved (see reserved-usernames). */
const pseudonymPrefix = 'closed-';

/** Returns `closed-` and 8 random characters: 38 bits, so that two pseudonyms are hardly ever equal. */
export function newPseudonym(): string {
  const letter = () => pseudonymLetters[randomInt(pseudonymLetters.length)];
  return pseudonymPrefix + Array.from({ length: 8 }, letter).join('');
}

const lengthDetail = `A username has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`;

function refuse(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}

function isMark(character: string): boolean {
  return character === '_' || character === '-';
}

/**
 * Returns a character with its code point; invisible characters, marks and lone surrogates as code point
 * only. A space has its name: it is what people type.
 */
function characterName(character: string): string {
  if (character === ' ') return 'a space';
  const codePoint = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return VISIBLE.test(character) ? `${character} (${codePoint})` : codePoint;
}

/** Returns a fault for each single-line member that contains an invisible character. */
export function lineFaults(
  members: Readonly<Record<string, string | null | undefined>>,
): readonly Fault[] {
  return Object.entries(members).flatMap(([member, text]) => {
    const hidden = hiddenCharacter(text ?? '');
    if (hidden === undefined) return [];
    const detail = `must be one line of visible characters, but ${hidden}: leave it out`;
    return [{ pointer: `/${member}`, code: 'hidden-character', detail }];
  });
}
