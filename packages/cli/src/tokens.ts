// Issuing tokens: a secret is shown or stored once, and a secret that was lost on the way is revoked.
import type { InputOf } from '@colophon/sdk';
import type { Context } from './context.ts';
import { exits } from './exit-codes.ts';
import { failure, misuse } from './failures.ts';
import type { Failure } from './failures.ts';
import { wordsOf } from './file-trouble.ts';
import { checkWritable, readProfile, writeProfile } from './profiles/profiles.ts';
import type { Profile } from './profiles/profiles.ts';

/** A token with its secret. */
export interface Issued {
  readonly id: string;
  readonly token: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

/** Milliseconds for a revocation; after Ctrl-C or SIGTERM, less than the five seconds after which that ends the process. */
const patience = { usual: 30_000, interrupted: 4000 };

/** Revokes a token that nobody has received. What ended the command does not end this. Returns whether it is done. */
async function wasRevoked(context: Context, id: string): Promise<boolean> {
  const { aborted } = context.terminal.signal;
  const own = AbortSignal.timeout(aborted ? patience.interrupted : patience.usual);
  try {
    const client = await context.client(own);
    await client.revokeToken({ id });
    return true;
  } catch {
    return false;
  }
}

/** Returns the failure of a command whose token was lost: said after Ctrl-C too, it tells whether the token is left. */
function lossOf({ terminal }: Context, message: string, next: string): Failure {
  const exitCode = terminal.signal.aborted ? exits.interrupted : exits.failed;
  return Object.assign(failure(message, next, exitCode), { isFinal: true as const });
}

const leftOver = (context: Context, why: string, id: string) =>
  lossOf(
    context,
    `${why} The token ${id} could not be revoked and is still valid.`,
    `colophon token revoke ${id}`,
  );

/**
 * Revokes a token that nobody has received: it would be valid, and known to no one. Returns the failure of the command,
 * which names the token if it is left.
 */
export async function revokeLost(context: Context, id: string, cause: unknown): Promise<Failure> {
  const why = wordsOf(cause);
  if (!(await wasRevoked(context, id))) return leftOver(context, why, id);
  return lossOf(context, `${why} The token was revoked.`, 'Issue another one, with another key.');
}

/**
 * Issues a token with a key. The replay of a response that was lost in this run has no secret: that token is revoked,
 * because no one can use it, and the result is undefined. The secret of an earlier run may be in use.
 */
async function issueWith(
  context: Context,
  input: InputOf<'issueToken'>,
  idempotencyKey: string,
): Promise<Issued | undefined> {
  const client = await context.client();
  const { body, attempts } = await client.withResponse.issueToken(input, { idempotencyKey });
  const { id, token, scopes, expires_at } = body as Omit<Issued, 'token'> & {
    readonly token: string | null;
  };
  if (token !== null) return { id, token, scopes, expires_at };
  if (attempts === 1)
    throw failure(
      `The token ${id} was issued with this key before, and its secret was shown then.`,
      `If the secret is lost, revoke the token, and issue another one with another key: colophon token revoke ${id}`,
    );
  if (await wasRevoked(context, id)) return undefined;
  throw leftOver(context, 'The response with the secret was lost.', id);
}

/**
 * Issues a token, and another one if the response with its secret was lost.
 * @param store the profile that it is for
 */
export async function issue(
  context: Context,
  input: InputOf<'issueToken'>,
  store?: string,
): Promise<Issued> {
  const key = context.key('token');
  // A new key in each run: the replay of the second token would have no secret either.
  const keys = [key, `${key}:${crypto.randomUUID()}`];
  for (const one of keys) {
    const issued = await issueWith(context, input, one);
    if (issued !== undefined) return issued;
  }
  const words = ['--name', input.name, ...(store === undefined ? [] : ['--store', store])];
  throw failure(
    'The response with the secret was lost twice. Both tokens were revoked.',
    `Issue another one: colophon token issue --for ${input.principal_id} ${words.join(' ')}`,
  );
}

/** Whether a profile has this token, although storing it failed: what failed may have been to make it the current one. */
async function isStored({ terminal }: Context, name: string, token: string): Promise<boolean> {
  const stored = await readProfile(terminal.env, name).catch(() => undefined);
  return stored?.token === token;
}

/**
 * Stores the only token of a new account.
 * @throws Failure if that is impossible; it contains the token, without which the account would be lost
 */
export async function storeOnlyToken(
  context: Context,
  name: string,
  profile: Profile,
): Promise<void> {
  try {
    await writeProfile(context.terminal.env, name, profile);
  } catch (error) {
    if (await isStored(context, name, profile.token)) throw error;
    throw lossOf(
      context,
      `${wordsOf(error)} The account was created. This is its only token, which is shown only now: ${profile.token}`,
      `Keep it where others cannot read it, correct this, and store it: colophon profile add ${name} --url ${profile.url}`,
    );
  }
}

/**
 * Stores the token of another principal in a new profile of the same service.
 * @throws Failure if that is impossible; the token is revoked
 */
export async function storeToken(
  context: Context,
  name: string,
  owner: { readonly principal_id: string; readonly username: string },
  { id, token }: Issued,
): Promise<void> {
  const { env } = context.terminal;
  const { url } = await context.account();
  const { principal_id, username } = owner;
  try {
    await writeProfile(env, name, { url, token, principal_id, username });
  } catch (error) {
    throw (await isStored(context, name, token)) ? error : await revokeLost(context, id, error);
  }
}

/**
 * Checks that a new profile can be stored, before there is a token that could be lost.
 * @throws Failure for a profile that exists and for a folder that cannot be written
 */
export async function requireFree({ terminal: { env } }: Context, name: string): Promise<void> {
  if ((await readProfile(env, name)) === undefined) return checkWritable(env);
  throw misuse(`The profile "${name}" exists.`, 'Choose another name, or remove it first.');
}
