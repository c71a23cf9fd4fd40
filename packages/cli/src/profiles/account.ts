// The account of an invocation: from --profile, from --url and the environment, or the current profile.
import { misuse } from '../failures.ts';
import type { Terminal } from '../terminal.ts';
import { currentProfile, readProfile } from './profiles.ts';
import type { Profile } from './profiles.ts';

export interface Account {
  readonly url: string;
  /** Without a token, calls are anonymous. */
  readonly token?: string;
  /** The name of the profile that the account comes from. */
  readonly profile?: string;
}

interface Chosen {
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
}

const set = (value: string | undefined) => (value === '' ? undefined : value);

function sameService(one: string, other: string): boolean {
  const plain = (url: string) => (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, '');
  return plain(one) === plain(other);
}

async function named(env: Terminal['env'], name: string): Promise<Account> {
  const profile = await readProfile(env, name);
  if (profile !== undefined) return { url: profile.url, token: profile.token, profile: name };
  throw misuse(
    `There is no profile "${name}".`,
    '`colophon profile list` lists the profiles; `colophon signup --profile NAME` creates one.',
  );
}

async function stored(env: Terminal['env']): Promise<(Profile & { name: string }) | undefined> {
  const name = await currentProfile(env);
  if (name === undefined) return undefined;
  const profile = await readProfile(env, name);
  return profile === undefined ? undefined : { ...profile, name };
}

/** The account of the current profile, for its own service; other services are called without a token. */
async function usual(env: Terminal['env'], url: string | undefined): Promise<Account> {
  const current = await stored(env);
  if (current !== undefined && (url === undefined || sameService(url, current.url)))
    return { url: current.url, token: current.token, profile: current.name };
  if (url !== undefined) return { url };
  throw misuse(
    'No service is set.',
    'Create an account with `colophon signup USERNAME --url URL`, or set COLOPHON_URL.',
  );
}

/**
 * Returns the account to use. A token is sent only to the service that it belongs to: a profile's token to the
 * profile's URL, COLOPHON_TOKEN to the URL that is given with it.
 */
export async function accountOf({ env }: Terminal, chosen: Chosen): Promise<Account> {
  const fallback = chosen.url === undefined ? set(env['COLOPHON_PROFILE']) : undefined;
  const profile = chosen.profile ?? fallback;
  if (profile !== undefined) return named(env, profile);
  const url = chosen.url ?? set(env['COLOPHON_URL']);
  const token = set(env['COLOPHON_TOKEN']);
  if (token === undefined) return usual(env, url);
  if (url !== undefined) return { url, token };
  throw misuse(
    'COLOPHON_TOKEN is set without the address of its service.',
    'Set COLOPHON_URL too, or name a profile with --profile.',
  );
}
