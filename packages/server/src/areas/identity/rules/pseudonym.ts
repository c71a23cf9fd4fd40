// The names that closed accounts are known by.
import { randomInt } from 'node:crypto';

/** No two of these, nor any run of them, look alike: the skeleton of a pseudonym is the pseudonym. */
const letters = 'abcdefghjknpqstuxyz23456789';

/** Such names are reserved (see reserved-usernames). */
const prefix = 'closed-';

/** `closed-` and 8 random characters (COMPLETION section 13): 38 bits, so that two hardly ever meet. */
export function newPseudonym(): string {
  return prefix + Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
}
