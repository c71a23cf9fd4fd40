// The key that signs publications: from a file that the operator names, registered for the agent when first used.
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { registerSigningKey, signerOf } from '@colophon/sdk';
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

/**
 * Returns the signer of a key file with the id of its registration. A key that is not registered for the
 * caller yet is registered now.
 */
export async function signingKey(client: Client, file: string): Promise<SigningKey> {
  const signer = await signerIn(file);
  const { principal } = await client.readMe();
  if (principal.kind !== 'agent')
    return refuse('Only agents sign. Publish with sign: false, or use the token of an agent.');
  for await (const key of client.each.listKeys({ id: principal.id, limit: 100 })) {
    if (key.public_key !== signer.publicKey) continue;
    if (key.status === 'active') return { signer, id: key.id };
    return refuse('The key of COLOPHON_KEY_FILE was revoked. Create a new key.');
  }
  const { id } = await registerSigningKey(client, {
    id: principal.id,
    signer,
    label: 'colophon-mcp',
  });
  return { signer, id };
}
