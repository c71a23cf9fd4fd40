// A token as it was given: what is wrong with it, and in which place.
import { misuse } from '../failures.ts';
import type { UsedToken } from '../invocation.ts';

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
export async function checkToken(token: string, used: UsedToken): Promise<void> {
  // Loaded here: a command that calls no service, such as help, does not need the contract.
  const { tokenFault } = await import('@colophon/contract');
  const fault = tokenFault(token);
  if (fault === undefined) return;
  const { words, next } = placeOf(used);
  throw misuse(`The token ${words} ${fault}.`, next);
}
