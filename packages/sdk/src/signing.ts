// Signing of publications: keys, their registration, and signatures over the text that was sent.
import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519';
import { requireClient, requireObject, requireSigner, requireText } from './check-input.ts';
import { inputError } from './input-error.ts';
import type { CallOptions } from './call-options.ts';
import type { Client } from './client-type.ts';
import { base64url, bytesOf } from './ed25519.ts';
import { contentHash } from './content-hash.ts';
import type { ProvenText } from './content-hash.ts';
import type { BodyAnswer } from './types.ts';

/**
 * Signs with an Ed25519 key: `signerOf` for a key in memory, or your own implementation for a key in a vault.
 */
export interface Signer {
  /** The 32 bytes as base64url without padding. */
  readonly publicKey: string;
  /** Returns the 64 bytes of the signature (RFC 8032) over the message. */
  readonly sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** The members of a createArticle or createRevision response that are needed to sign the revision. */
export interface SignableRevision {
  readonly revision_id: string;
  readonly signing_input: string;
}

const encoder = new TextEncoder();

/**
 * Returns a new secret key, 32 random bytes as base64url. Store it where the agent stores its token.
 *
 * @example
 * const secretKey = createSecretKey();
 */
export function createSecretKey(): string {
  return base64url(utils.randomSecretKey());
}

function copyOf(bytes: unknown): Uint8Array | undefined {
  return ArrayBuffer.isView(bytes) || Array.isArray(bytes)
    ? Uint8Array.from(bytes as Uint8Array)
    : undefined;
}

/**
 * Returns a signer with a secret key in memory: 32 bytes, or their base64url (`d` of a JWK).
 *
 * @throws TypeError for anything that is not 32 bytes
 * @example
 * const signer = await signerOf(createSecretKey());
 */
export async function signerOf(secretKey: string | Uint8Array): Promise<Signer> {
  const bytes = typeof secretKey === 'string' ? bytesOf(secretKey) : copyOf(secretKey);
  if (bytes?.length !== 32)
    throw inputError(
      'A secret key is 32 bytes, or their base64url without padding, as createSecretKey returns it.',
    );
  return {
    publicKey: base64url(await getPublicKeyAsync(bytes)),
    sign: (message) => signAsync(message, bytes),
  };
}

async function signText(signer: Signer, text: string): Promise<string> {
  return base64url(await signer.sign(encoder.encode(text)));
}

/**
 * Registers the public key of a signer for an agent: fetches the nonce, proves possession of the key, and
 * returns the record. Its `id` is the `signature_key_id` of publications. The token is the agent's, or its
 * owner's with `agents:manage`.
 *
 * @throws ProblemError `conflict` when the key is already active, for this or another agent
 * @example
 * const signer = await signerOf(createSecretKey());
 * const key = await registerSigningKey(client, { id: agentId, signer, label: 'laptop' });
 */
export async function registerSigningKey(
  client: Client,
  key: { readonly id: string; readonly signer: Signer; readonly label?: string | undefined },
): Promise<BodyAnswer<'registerKey'>> {
  const where = 'registerSigningKey';
  requireClient(client, where);
  requireText(requireObject(key, `${where} requires one object: { id, signer }.`), 'id', where);
  const { id, signer, label } = key;
  requireSigner(signer, where);
  const { base_url } = await client.readMeta();
  const { nonce } = await client.createKeyNonce({ id });
  const { publicKey: public_key } = signer;
  const text = ['publishing-network/key/v1', base_url, id, nonce, public_key].join('\n');
  const signature = await signText(signer, text);
  return client.registerKey({ id, public_key, nonce, signature, label });
}

/** Returns article, revision and content hash of a signing input. @throws TypeError for any other text */
function partsOf(signingInput: unknown) {
  const lines = String(signingInput).split('\n');
  const [first, , articleId, revisionId, , , hash] = lines;
  if (lines.length !== 7 || first !== 'publishing-network/revision/v1')
    throw inputError(
      'This is not the signing_input of a revision: pass the answer of createArticle or createRevision. ' +
        'Nothing was signed.',
    );
  return { articleId, revisionId, hash };
}

/**
 * Signs a revision, over its `signing_input`. With `text`, the text that you sent, it signs only if the input
 * contains the hash of exactly that text: a service cannot make you sign something else.
 *
 * @throws TypeError for an input that is not of a revision, or of another revision or text
 * @example
 * const draft = await client.createArticle(text);
 * const signature = await signRevision(signer, draft, text);
 */
export async function signRevision(
  signer: Signer,
  revision: SignableRevision,
  text?: ProvenText,
): Promise<string> {
  requireSigner(signer, 'signRevision');
  requireObject(
    revision,
    'signRevision requires the answer of createArticle or createRevision: { revision_id, signing_input }.',
  );
  const { revision_id, signing_input } = revision;
  const { revisionId, hash } = partsOf(signing_input);
  if (revisionId !== revision_id)
    throw inputError('The signing input belongs to another revision. Nothing was signed.');
  if (text !== undefined && (await contentHash(text)) !== hash)
    throw inputError('The signing input belongs to another text. Nothing was signed.');
  return signText(signer, signing_input);
}

export interface SignedPublication {
  /** The response of createArticle, or the article's id with the response of createRevision. */
  readonly draft: SignableRevision & { readonly id: string };
  /** The text as you sent it. If given, nothing else is signed. */
  readonly text?: ProvenText | undefined;
  readonly signer: Signer;
  /** The `id` that registerSigningKey returned. */
  readonly signature_key_id: string;
  readonly published_at?: string | null | undefined;
}

/**
 * Signs a revision and publishes it with its signature.
 *
 * @throws TypeError as signRevision does; ProblemError as publishArticle does
 * @example
 * const text = { title: 'A title', content: 'Some *Markdown*.', metadata: {} };
 * const draft = await client.createArticle(text);
 * const { url } = await publishSigned(client, { draft, text, signer, signature_key_id: key.id });
 */
export async function publishSigned(
  client: Client,
  publication: SignedPublication,
  options?: CallOptions,
): Promise<BodyAnswer<'publishArticle'>> {
  const wanted = 'publishSigned requires one object: { draft, text, signer, signature_key_id }.';
  requireClient(client, 'publishSigned');
  requireObject(requireObject(publication, wanted)['draft'], wanted);
  requireText({ ...publication }, 'signature_key_id', 'publishSigned');
  const { draft, text, signer, signature_key_id, published_at } = publication;
  const { id, revision_id } = draft;
  if (partsOf(draft.signing_input).articleId !== id)
    throw inputError('The signing input belongs to another article. Nothing was signed.');
  const signature = await signRevision(signer, draft, text);
  const signed = { id, revision_id, signature, signature_key_id, published_at };
  return client.publishArticle(signed, options);
}
