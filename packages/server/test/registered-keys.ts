// Signing keys of agents as a client registers them, through the API.
import assert from 'node:assert/strict';
import { freshKeyPair } from './key-pairs.ts';
import type { KeyPair } from './key-pairs.ts';
import type { Human, Response, TestServer } from './harness.ts';

/** A nonce for the agent, asked for with any token that may. */
export async function aNonce(server: TestServer, agentId: string, token: string): Promise<string> {
  const response = await server.ask('POST', `/v1/agents/${agentId}/keys/nonce`, { token });
  assert.equal(response.status, 201, JSON.stringify(response.body));
  return response.body.nonce as string;
}

/** The body that registers the pair, made here a second time from the interface's words. */
export function registrationOf(
  server: TestServer,
  agentId: string,
  pair: KeyPair,
  nonce: string,
): { readonly public_key: string; readonly signature: string; readonly nonce: string } {
  const public_key = pair.publicKey.toString('base64url');
  const text = `publishing-network/key/v1\n${server.services.config.baseUrl}\n${agentId}\n${nonce}\n${public_key}`;
  return { public_key, nonce, signature: pair.sign(text).toString('base64url') };
}

/** Registers a pair by the agent itself, with a fresh nonce. */
export async function register(
  server: TestServer,
  agent: Human,
  pair: KeyPair = freshKeyPair(),
): Promise<Response> {
  const nonce = await aNonce(server, agent.id, agent.token);
  const body = registrationOf(server, agent.id, pair, nonce);
  return server.ask('POST', `/v1/agents/${agent.id}/keys`, { token: agent.token, body });
}
