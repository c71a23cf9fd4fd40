// The pseudonyms of closed accounts.
import { randomInt } from 'node:crypto';

/**
 * No letter or sequence of these letters looks like another: the skeleton of a pseudonym is the pseudonym
 * itself.
 */
const letters = 'abcdefghjknpqstuxyz23456789';

/** Names with this prefix are reserved (see reserved-usernames). */
const prefix = 'closed-';

/** Returns `closed-` and 8 random characters: 38 bits, so that two pseudonyms are hardly ever equal. */
export function newPseudonym(): string {
  return prefix + Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
}
