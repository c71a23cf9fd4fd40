// Issuing tokens: a secret is shown or stored once, and a secret that was lost on the way is revoked.
import type { Client, InputOf } from '@colophon/sdk';
import type { Context } from './context.ts';
import { failure, misuse } from './failures.ts';
import { checkWritable, readProfile, writeProfile } from './profiles/profiles.ts';

/** A token with its secret. */
export interface Issued {
  readonly id: string;
  readonly token: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

/**
 * Issues a token with a key. The replay of a response that was lost in this run has no secret: that token is revoked,
 * because no one can use it, and the result is undefined. The secret of an earlier run may be in use.
 */
async function issueWith(
  client: Client,
  input: InputOf<'issueToken'>,
  idempotencyKey: string,
): Promise<Issued | undefined> {
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
  await client.revokeToken({ id });
  return undefined;
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
  const client = await context.client();
  const key = context.key('token');
  // A new key in each run: the replay of the second token would have no secret either.
  const keys = [key, `${key}:${crypto.randomUUID()}`];
  for (const one of keys) {
    const issued = await issueWith(client, input, one);
    if (issued !== undefined) return issued;
  }
  const words = ['--name', input.name, ...(store === undefined ? [] : ['--store', store])];
  throw failure(
    'The response with the secret was lost twice. Both tokens were revoked.',
    `Issue another one: colophon token issue --for ${input.principal_id} ${words.join(' ')}`,
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
