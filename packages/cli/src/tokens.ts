// Issuing tokens: a secret is shown or stored once, and a secret that was lost on the way is revoked.
import type { InputOf } from '@colophon/sdk';
import type { Context } from './context.ts';
import { failure, misuse } from './failures.ts';
import { checkWritable, readProfile, writeProfile } from './profiles/profiles.ts';

interface Issued {
  readonly id: string;
  readonly token: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

/**
 * Issues a token. The replay of a lost response has no secret: that token is revoked, because no one can use it.
 */
export async function issue(context: Context, input: InputOf<'issueToken'>): Promise<Issued> {
  const client = await context.client();
  const answer = await client.issueToken(input, { idempotencyKey: context.key('token') });
  const { id, token, scopes, expires_at } = answer as Omit<Issued, 'token'> & {
    readonly token: string | null;
  };
  if (token !== null) return { id, token, scopes, expires_at };
  await client.revokeToken({ id });
  throw failure(
    'The response with the secret was lost. The token was revoked.',
    'Issue another one: run the same command again, without --idempotency-key.',
  );
}

/** Stores the token of another principal in a new profile of the same service. */
export async function storeToken(
  context: Context,
  name: string,
  given: { readonly principal_id: string; readonly username: string; readonly token: string },
): Promise<void> {
  const { url } = await context.account();
  const { principal_id, username, token } = given;
  await writeProfile(context.terminal.env, name, { url, token, principal_id, username });
}

/**
 * Checks that a new profile can be stored, before there is a token that could be lost.
 * @throws Failure for a profile that exists and for a folder that cannot be written
 */
export async function requireFree({ terminal: { env } }: Context, name: string): Promise<void> {
  if ((await readProfile(env, name)) === undefined) return checkWritable(env);
  throw misuse(`The profile "${name}" exists.`, 'Choose another name, or remove it first.');
}
