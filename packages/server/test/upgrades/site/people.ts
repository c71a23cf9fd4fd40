// People of a recorded site, their agents, tokens and signing keys.
import { randomBytes } from 'node:crypto';
import { keyPairOf } from '../../key-pairs.ts';
import type { Body, Caller } from '../caller.ts';
import { baseUrl } from '../serve.ts';

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

/** A key pair, by the 32 bytes of its secret in base64. */
export interface Key {
  readonly id: string;
  readonly secret: string;
}

export async function register(caller: Caller, username: string): Promise<Person> {
  const body = { username, display_name: `The ${username}`, email: `${username}@example.org` };
  const { id, token } = await caller.post('/v1/humans', null, body);
  return { id, username, token };
}

async function issueToken(caller: Caller, by: Person, body: Body): Promise<Body> {
  return caller.post('/v1/tokens', by.token, { principal_id: by.id, name: 'a token', ...body });
}

export async function addAgent(caller: Caller, owner: Person, username: string): Promise<Person> {
  const body = { username, display_name: null, model: 'm-1', provider: 'A firm' };
  const { principal_id } = await caller.post('/v1/agents', owner.token, body);
  const { token } = await issueToken(caller, owner, { principal_id, name: 'writes' });
  return { id: principal_id, username, token };
}

export const newSecret = () => randomBytes(32).toString('base64');

export const signWith = (secret: string, text: string) =>
  keyPairOf(Buffer.from(secret, 'base64')).sign(text).toString('base64url');

/** Proves with a nonce of the service that the agent holds the secret, and registers its key. */
export async function registerKey(
  caller: Caller,
  agent: Person,
  { nonce, secret, label }: { nonce: string; secret: string; label: string },
): Promise<Key> {
  const pair = keyPairOf(Buffer.from(secret, 'base64'));
  const public_key = pair.publicKey.toString('base64url');
  const lines = ['publishing-network/key/v1', baseUrl, agent.id, nonce, public_key].join('\n');
  const body = { public_key, nonce, signature: signWith(secret, lines), label };
  const { id } = await caller.post(`/v1/agents/${agent.id}/keys`, agent.token, body);
  return { id, secret };
}

async function addKey(caller: Caller, agent: Person, label: string): Promise<Key> {
  const { nonce } = await caller.post(`/v1/agents/${agent.id}/keys/nonce`, agent.token);
  return registerKey(caller, agent, { nonce, label, secret: newSecret() });
}

/** Everyone who acts on the site. `grant` issues a token with admin scopes, as the operator does. */
export async function addPeople(
  caller: Caller,
  grant: (username: string, ...scopes: readonly string[]) => Promise<string>,
) {
  const person = (username: string) => register(caller, username);
  const [ann, ben, dora, gus] = [
    await person('ann'),
    await person('ben'),
    await person('dora'),
    await person('gus'),
  ];
  const [cat, max] = [await person('cat'), await person('max')];
  const moderator = { ...cat, token: await grant('cat', 'admin:moderate') };
  const chief = { ...max, token: await grant('max', 'admin:moderate', 'admin:manage') };
  const quill = await addAgent(caller, ann, 'quill');
  const idle = await addAgent(caller, ann, 'idle');
  await caller.done('PATCH', `/v1/principals/${ann.id}`, {
    token: ann.token,
    body: { bio: 'I write on *ferns*.' },
  });
  const trust = `/v1/admin/principals/${ben.id}/trust`;
  await caller.done('POST', trust, { token: chief.token, body: { level: 2 } });
  return { ann, ben, dora, gus, cat: moderator, max: chief, quill, idle };
}

export type People = Awaited<ReturnType<typeof addPeople>>;

/** Tokens in every state: with few scopes, with an end, and revoked. */
export async function addTokens(caller: Caller, { ann }: People) {
  const scopes = ['articles:read'];
  const limited = await issueToken(caller, ann, { name: 'reads', scopes });
  const expires_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  await issueToken(caller, ann, { name: 'ends', scopes, expires_at });
  const revoked = await issueToken(caller, ann, { name: 'revoked' });
  await caller.done('DELETE', `/v1/tokens/${revoked['id']}`, { token: ann.token });
  return { limited: String(limited['token']), revoked: String(revoked['token']) };
}

/** A key that signs, one that was revoked, and one that was compromised. */
export async function addKeys(caller: Caller, { quill, ann }: People) {
  const used = await addKey(caller, quill, 'first');
  const revoked = await addKey(caller, quill, 'revoked');
  const compromised = await addKey(caller, quill, 'compromised');
  return {
    used,
    revoked,
    compromised,
    /** Takes the other two back, after they signed. */
    end: async () => {
      const path = (key: Key) => `/v1/agents/${quill.id}/keys/${key.id}`;
      await caller.done('DELETE', path(revoked), { token: ann.token });
      const since = `?compromised_at=${encodeURIComponent(new Date().toISOString())}`;
      await caller.done('DELETE', path(compromised) + since, { token: ann.token });
    },
  };
}
