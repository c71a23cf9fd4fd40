// A token as it was given: what is wrong with it, and in which place.
import { misuse } from '../failures.ts';
import type { UsedToken } from '../invocation.ts';

const faults: readonly (readonly [RegExp, string])[] = [
  [/^(?:authorization:\s*)?bearer\b/i, 'begins with “Bearer”'],
  [/^["'`“‘].*["'`”’]$/s, 'stands in quotes'],
  [/\s/, 'contains spaces or line ends'],
  // RFC 6750, section 2.1.
  [/[^\w.~+/=-]/, 'contains characters that no token has'],
];

interface Place {
  readonly words: string;
  readonly next: string;
}

function placeOf({ url, profile, isGiven }: UsedToken): Place {
  if (isGiven) return { words: 'that you gave', next: 'Give the token alone, without other text.' };
  if (profile === undefined)
    return {
      words: 'in COLOPHON_TOKEN',
      next: 'Set COLOPHON_TOKEN to the token alone, without other text.',
    };
  // What stands before an @ can be a password.
  const address = url.includes('@') ? 'SERVICE_URL' : url;
  const next = `Store the token alone: colophon profile add ${profile} --url ${address}`;
  return { words: `of the profile "${profile}"`, next };
}

/**
 * The service would say only that it does not know the token, and the client does not know where it comes from.
 * @throws Failure without the token
 */
export function checkToken(token: string, used: UsedToken): void {
  const [, fault] = faults.find(([pattern]) => pattern.test(token)) ?? [];
  if (fault === undefined) return;
  const { words, next } = placeOf(used);
  throw misuse(`The token ${words} ${fault}.`, next);
}
