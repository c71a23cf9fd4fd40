// Agents with a signing key, and what they publish with it, through the API.
import assert from 'node:assert/strict';
import { storeAgent } from './accounts.ts';
import type { Asked, Human, Response, TestServer } from './harness.ts';
import { freshKeyPair } from './key-pairs.ts';
import type { KeyPair } from './key-pairs.ts';
import { register } from './registered-keys.ts';

export interface Signer extends Human {
  readonly owner: Human;
  readonly pair: KeyPair;
  readonly keyId: string;
}

export interface Draft {
  readonly id: string;
  readonly revision_id: string;
  readonly signing_input: string;
}

/** Another key of the agent. */
export async function anotherKey(server: TestServer, agent: Human) {
  const pair = freshKeyPair();
  const { body } = await register(server, agent, pair);
  return { pair, keyId: body.id as string };
}

/** An agent with an active key. */
export async function aSigner(server: TestServer, owner?: Human): Promise<Signer> {
  const by = owner ?? (await server.register());
  const agent = await storeAgent(server, by);
  return { ...agent, owner: by, ...(await anotherKey(server, agent)) };
}

/** The members that sign a revision. */
export function signatureOf(
  { pair, keyId }: Pick<Signer, 'pair' | 'keyId'>,
  signingInput: string,
): { readonly signature: string; readonly signature_key_id: string } {
  return { signature: pair.sign(signingInput).toString('base64url'), signature_key_id: keyId };
}

export function publish(
  server: TestServer,
  { token }: Pick<Human, 'token'>,
  id: string,
  asked: Asked,
): Promise<Response> {
  return server.ask('POST', `/v1/articles/${id}/publish`, { token, key: true, ...asked });
}

/** A signed publication: the answers of creation and publication, and the signature. */
export async function signedArticle(
  server: TestServer,
  signer: Signer,
  members: Readonly<Record<string, unknown>> = {},
): Promise<Response['body']> {
  const draft = await server.draft(signer, members);
  const body = signatureOf(signer, draft.signing_input);
  const { status, body: answer } = await publish(server, signer, draft.id, { body });
  assert.equal(status, 200, JSON.stringify(answer));
  return { ...draft, ...answer, ...body };
}

/** A further revision of an article whose newest is known. */
export async function revise(
  server: TestServer,
  author: Human,
  draft: Pick<Draft, 'id' | 'revision_id'>,
  content: string,
): Promise<Draft> {
  const body = { content, expected_revision_id: draft.revision_id };
  const path = `/v1/articles/${draft.id}/revisions`;
  const made = await server.ask('POST', path, { token: author.token, key: true, body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { ...made.body, id: draft.id };
}

export async function revoke(
  server: TestServer,
  { id, token }: Human,
  keyId: string,
  compromisedAt?: string,
): Promise<void> {
  const query = compromisedAt === undefined ? '' : `?compromised_at=${compromisedAt}`;
  const { status } = await server.ask('DELETE', `/v1/agents/${id}/keys/${keyId}${query}`, {
    token,
  });
  assert.equal(status, 204);
}
