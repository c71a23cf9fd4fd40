// The key that signs publications: from a file that the operator names, registered for the agent when first used.
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isProblem, registerSigningKey, signerOf } from '@colophon/sdk';
import type { Client, Signer } from '@colophon/sdk';
import { refuse } from './tools/refusal.ts';

interface SigningKey {
  readonly signer: Signer;
  readonly id: string;
}

/** The text of a key file: base64url of the 32 bytes, or a JWK with `d`, or JSON with `secret_key`. */
function secretOf(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed;
  const { d, secret_key } = JSON.parse(trimmed) as {
    readonly d?: string;
    readonly secret_key?: string;
  };
  return secret_key ?? d ?? '';
}

/** More than any file with one key has. */
const fileMax = 65_536;

/** Whether a file contains a secret key. It is read when the program starts, so that a wrong one is seen then. */
export function containsKey(file: string): boolean {
  try {
    const found = statSync(file);
    if (!found.isFile() || found.size > fileMax) return false;
    const secret = secretOf(readFileSync(file, 'utf8'));
    const bytes = Buffer.from(secret, 'base64url');
    return bytes.length === 32 && bytes.toString('base64url') === secret;
  } catch {
    return false;
  }
}

async function signerIn(file: string): Promise<Signer> {
  try {
    return await signerOf(secretOf(await readFile(file, 'utf8')));
  } catch {
    // The cause could contain a part of the key.
    return refuse(
      'The file that COLOPHON_KEY_FILE names cannot be read, or contains no Ed25519 secret key (32 bytes in base64url).',
    );
  }
}

/** Returns the id of the registration of a key; undefined if it is not registered. */
async function registrationOf(
  { client, signal }: Caller,
  agent: string,
  { publicKey }: Signer,
): Promise<string | undefined> {
  for await (const key of client.each.listKeys({ id: agent, limit: 100 }, { signal })) {
    if (key.public_key !== publicKey) continue;
    if (key.status === 'active') return key.id;
    return refuse('The key of COLOPHON_KEY_FILE was revoked. Create a new key.');
  }
  return undefined;
}

/** Another call may register the key at the same time, and the answer to this one may be lost. */
function mayBeRegistered(error: unknown): boolean {
  return isProblem(error) && (error.problem.name === 'conflict' || error.outcomeUnknown);
}

async function register(caller: Caller, agent: string, signer: Signer): Promise<string> {
  const label = 'colophon-mcp';
  try {
    return (await registerSigningKey(caller.client, { id: agent, signer, label })).id;
  } catch (error) {
    const id = mayBeRegistered(error) ? await registrationOf(caller, agent, signer) : undefined;
    if (id === undefined) throw error;
    return id;
  }
}

interface Caller {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Whether nothing may be changed. */
  readonly isTrial: boolean;
}

/**
 * Returns the signer of a key file with the id of its registration. A key that is not registered for the
 * caller yet is registered now; a trial registers nothing, and the result is undefined.
 */
export async function signingKey(caller: Caller, file: string): Promise<SigningKey | undefined> {
  const { client, signal, isTrial } = caller;
  const signer = await signerIn(file);
  const { principal } = await client.readMe({}, { signal });
  if (principal.kind !== 'agent')
    return refuse('Only agents sign. Publish with sign: false, or use the token of an agent.');
  const found = await registrationOf(caller, principal.id, signer);
  if (found === undefined && isTrial) return undefined;
  return { signer, id: found ?? (await register(caller, principal.id, signer)) };
}
