// The account of an invocation: from --profile, from --url and the environment, or the current profile.
import { misuse } from '../failures.ts';
import type { Terminal } from '../terminal.ts';
import { currentProfile, readProfile } from './profiles.ts';

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

/** A variable that is read from a file often ends with a line. */
const set = (value: string | undefined) => value?.trim() || undefined;

/** Returns the address of the service in the environment. */
export const serviceIn = (env: Terminal['env']) => set(env['COLOPHON_URL']);

/** Whether two addresses are of one service. */
export function sameService(one: string, other: string): boolean {
  const plain = (url: string) =>
    (URL.canParse(url) ? new URL(url).href : url).replace(/(?<!\/)\/+$/, '');
  return plain(one) === plain(other);
}

/** Returns an address as it may be printed: what stands before an @ can be a password. */
export function shownAddress(url: string): string {
  return url.includes('@') ? 'an address with an @' : url;
}

/** Returns what to say about a text that is not the address of a service. */
export function notAService(url: string): string {
  return url.includes('@')
    ? 'The address of the service contains an @.'
    : `"${url}" is not the address of a service.`;
}

async function accountNamed(env: Terminal['env'], name: string): Promise<Account> {
  const profile = await readProfile(env, name);
  if (profile !== undefined) return { url: profile.url, token: profile.token, profile: name };
  throw misuse(
    `There is no profile "${name}".`,
    '`colophon profile list` lists the profiles; `colophon signup --profile NAME` creates one.',
  );
}

/** The profile of COLOPHON_PROFILE, else the current one. */
async function preferredAccount(env: Terminal['env']): Promise<Account | undefined> {
  const fromEnvironment = set(env['COLOPHON_PROFILE']);
  if (fromEnvironment !== undefined) return accountNamed(env, fromEnvironment);
  const name = await currentProfile(env);
  if (name === undefined) return undefined;
  const profile = await readProfile(env, name);
  return profile && { url: profile.url, token: profile.token, profile: name };
}

/** The account of the preferred profile, for its own service; other services are called without a token. */
async function usual(env: Terminal['env'], url: string | undefined): Promise<Account> {
  const account = await preferredAccount(env);
  if (account !== undefined && (url === undefined || sameService(url, account.url))) return account;
  if (url !== undefined) return { url };
  throw misuse(
    'No service is set.',
    'Create an account with `colophon signup USERNAME --url URL`, or set COLOPHON_URL.',
  );
}

/** The account of --profile. A --url that is given with it must be that of its service. */
async function chosenProfile(env: Terminal['env'], name: string, url: string | undefined) {
  const account = await accountNamed(env, name);
  if (url === undefined || sameService(url, account.url)) return account;
  throw misuse(
    `The profile "${name}" belongs to ${shownAddress(account.url)}, not to ${shownAddress(url)}.`,
    'Leave out --profile or --url.',
  );
}

interface Environment {
  readonly url: string | undefined;
  readonly token: string | undefined;
}

function environmentOf(env: Terminal['env']): Environment {
  const url = serviceIn(env);
  const token = set(env['COLOPHON_TOKEN']);
  if (set(env['COLOPHON_PROFILE']) !== undefined && (url ?? token) !== undefined) {
    throw misuse(
      'COLOPHON_PROFILE is set together with COLOPHON_URL or COLOPHON_TOKEN.',
      'Set either COLOPHON_PROFILE, or COLOPHON_URL and COLOPHON_TOKEN.',
    );
  }
  if (token === undefined || url !== undefined) return { url, token };
  throw misuse(
    'COLOPHON_TOKEN is set without the address of its service.',
    'Set COLOPHON_URL too, or name a profile with --profile. The token is not sent to the address of --url.',
  );
}

/**
 * Returns the account to use. A token is sent only to the service that it belongs to: a profile's token to the
 * profile's URL, COLOPHON_TOKEN to COLOPHON_URL.
 */
export async function accountOf({ env }: Terminal, chosen: Chosen): Promise<Account> {
  if (chosen.profile !== undefined) return chosenProfile(env, chosen.profile, chosen.url);
  const { url = chosen.url, token } = environmentOf(env);
  const isOwn = url !== undefined && sameService(chosen.url ?? url, url);
  if (isOwn && token !== undefined) return { url, token };
  return usual(env, chosen.url ?? url);
}
