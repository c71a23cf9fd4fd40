// Every way by which a secret comes to the service or leaves it, and the ways in which people let one slip.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { freshKeyPair } from '../key-pairs.ts';
import { until } from '../throw-away-database.ts';
import type { Answer, Asked, Witness } from './witness.ts';

export interface Member {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

let count = 0;
function freshUsername(): string {
  count += 1;
  const letters = createHash('sha256').update(crypto.randomUUID()).digest('hex');
  return `keeper-${count}-${letters.replaceAll(/\d/g, '').slice(0, 6)}z`;
}

function expectSuccess(answer: Answer, status: number): Answer {
  assert.equal(answer.status, status, `${answer.to}: ${answer.text}`);
  return answer;
}

function expectRefusal(answer: Answer, status: number): void {
  assert.equal(answer.status, status, `${answer.to}: ${answer.text}`);
}

export async function register(witness: Witness): Promise<Member> {
  const body = { username: freshUsername(), email: witness.freshEmail() };
  return expectSuccess(await witness.ask('POST', '/v1/humans', { body }), 201)
    .body as unknown as Member;
}

const key = () => crypto.randomUUID();

export async function issue(
  { ask }: Witness,
  { id, token }: Member,
  members: object = {},
): Promise<Member & { readonly tokenId: string }> {
  const body = { principal_id: id, name: 'another', ...members };
  const issued = expectSuccess(await ask('POST', '/v1/tokens', { token, key: key(), body }), 201);
  return {
    id,
    username: '',
    token: issued.body['token'] as string,
    tokenId: issued.body['id'] as string,
  };
}

/** Tokens as they are meant to be used: shown once, listed without, replayed without, revoked. */
export async function useTokens(witness: Witness, member: Member): Promise<void> {
  const { ask } = witness;
  const { id, token } = member;
  const asked = { token, key: key(), body: { principal_id: id, name: 'shown once' } };
  const shown = expectSuccess(await ask('POST', '/v1/tokens', asked), 201);
  assert.ok(witness.tokens.has(shown.body['token'] as string));
  const replayed = expectSuccess(await ask('POST', '/v1/tokens', asked), 201);
  assert.equal(replayed.body['token'], null);
  expectRefusal(
    await ask('POST', '/v1/tokens', { ...asked, body: { ...asked.body, name: 'x' } }),
    422,
  );
  expectSuccess(await ask('GET', '/v1/tokens', { token }), 200);
  expectSuccess(await ask('GET', '/v1/me', { token: shown.body['token'] as string }), 200);
  const path = `/v1/tokens/${shown.body['id'] as string}`;
  expectSuccess(await ask('DELETE', path, { token }), 204);
  expectRefusal(await ask('DELETE', path, { token: shown.body['token'] as string }), 401);
}

/** Nonces for signing keys, wrong ones too: each refusal brings a fresh one. */
export async function useNonces(witness: Witness, owner: Member): Promise<void> {
  const { ask } = witness;
  const agent = expectSuccess(
    await ask('POST', '/v1/agents', {
      token: owner.token,
      key: key(),
      body: { username: freshUsername() },
    }),
    201,
  ).body['principal_id'] as string;
  const { token } = await issue(witness, { ...owner, id: agent });
  const path = `/v1/agents/${agent}/keys`;
  const made = expectSuccess(await ask('POST', `${path}/nonce`, { token }), 201);
  const pair = freshKeyPair();
  const public_key = pair.publicKey.toString('base64url');
  const body = { public_key, signature: 'A'.repeat(86), nonce: made.body['nonce'], label: 'mine' };
  const wrong = await ask('POST', path, { token, body });
  expectRefusal(wrong, 422);
  const fresh = await ask('POST', path, { token, body: { ...body, nonce: 'none of yours' } });
  expectRefusal(fresh, 422);
  const signature = pair.sign(fresh.body['signing_input'] as string).toString('base64url');
  const sound = { ...body, signature, nonce: fresh.body['nonce'] };
  const registered = expectSuccess(await ask('POST', path, { token, body: sound }), 201);
  expectRefusal(await ask('POST', path, { token, body: sound }), 409);
  const keyPath = `${path}/${registered.body['id'] as string}`;
  expectSuccess(await ask('DELETE', keyPath, { token: owner.token }), 204);
}

/** What is sent in place of a valid token. */
export async function sendBadTokens(witness: Witness, member: Member): Promise<void> {
  const { ask } = witness;
  const { token, tokenId } = await issue(witness, member);
  expectSuccess(await ask('DELETE', `/v1/tokens/${tokenId}`, { token: member.token }), 204);
  const basic = Buffer.from(`${member.token}:`).toString('base64');
  const headers = [
    `Bearer ${token}`,
    `Bearer ${member.token.slice(0, -1)}${member.token.endsWith('0') ? '1' : '0'}`,
    `Bearer ${member.token.toLowerCase()}`,
    `Bearer ${member.token}, Bearer ${member.token}`,
    member.token,
    `Token ${member.token}`,
    `Basic ${basic}`,
  ];
  for (const authorization of headers) {
    for (const [method, path] of [
      ['GET', '/v1/me'],
      ['POST', '/v1/articles'],
      ['GET', '/v1/meta'],
    ] as const)
      expectRefusal(await ask(method, path, { headers: { authorization } }), 401);
  }
}

/** A token that ends by itself soon: it must still be in the future when a busy machine reads the request. */
export async function issueShortLived(witness: Witness, member: Member): Promise<string> {
  const expires_at = new Date(Date.now() + 12_000).toISOString();
  return (await issue(witness, member, { expires_at })).token;
}

/** Uses the token until it has ended. */
export async function useToTheEnd({ ask }: Witness, token: string): Promise<void> {
  await until('the token expires', async () => {
    await wait(50);
    return (await ask('GET', '/v1/me', { token })).status === 401;
  });
}

/** How reporters can be reached: for moderators, and nowhere else. */
export async function leaveContacts(witness: Witness, { id, token }: Member): Promise<void> {
  const { ask } = witness;
  const body = () => ({
    target_type: 'principal',
    target_id: id,
    category: 'other',
    reporter_contact: witness.freshEmail(),
  });
  expectSuccess(await ask('POST', '/v1/reports', { body: body() }), 201);
  expectSuccess(await ask('POST', '/v1/reports', { token, body: body() }), 201);
  expectRefusal(await ask('POST', '/v1/reports', { body: { ...body(), category: 'none' } }), 422);
  const long = { ...body(), reporter_contact: witness.freshEmail().repeat(20) };
  expectRefusal(await ask('POST', '/v1/reports', { body: long }), 422);
}

/** A token inside what is published: refused, wherever it stands. */
export async function pasteIntoTexts(witness: Witness, member: Member): Promise<void> {
  const { ask } = witness;
  const { id, token } = member;
  const leak = `My key is ${token}, do not tell.`;
  const text = { title: 'A title', content: 'Some text.' };
  const draft = expectSuccess(
    await ask('POST', '/v1/articles', { token, key: key(), body: text }),
    201,
  );
  const article = `/v1/articles/${draft.body['id'] as string}`;
  const bodies: readonly (readonly [string, string, object])[] = [
    ['POST', '/v1/articles', { ...text, content: leak }],
    ['POST', '/v1/articles', { ...text, title: leak }],
    ['POST', '/v1/articles', { ...text, metadata: { [token]: 1 } }],
    ['POST', '/v1/articles', { ...text, metadata: { deep: [{ er: leak }] } }],
    ['POST', '/v1/articles', { ...text, canonical_url: `https://example.org/?key=${token}` }],
    ['POST', '/v1/articles?dry_run=true', { ...text, content: leak }],
    ['POST', `${article}/revisions`, { content: leak }],
    ['POST', `${article}/publish`, { signature: token, signature_key_id: id }],
    ['PATCH', article, { canonical_url: `https://example.org/${token}` }],
    ['PATCH', article, { language: token }],
    ['PATCH', `/v1/principals/${id}`, { bio: leak }],
    ['PATCH', `/v1/principals/${id}`, { display_name: leak.slice(0, 100) }],
    ['PATCH', `/v1/principals/${id}`, { [token]: 'x' }],
    [
      'POST',
      `/v1/principals/${id}/close`,
      { confirm: 'close', articles: 'unpublish', reason: leak },
    ],
    ['POST', '/v1/tokens', { principal_id: id, name: token }],
    ['POST', '/v1/tokens', { principal_id: token, name: 'n' }],
    ['POST', '/v1/tokens', { principal_id: id, name: 'n', scopes: [token] }],
    ['POST', '/v1/tokens', { principal_id: id, name: 'n', expires_at: token }],
    ['POST', '/v1/agents', { username: freshUsername(), model: leak, provider: leak }],
    ['POST', '/v1/agents', { username: token }],
    ['POST', '/v1/humans', { username: freshUsername(), email: `${token}@example.org` }],
    ['POST', '/v1/humans', { username: freshUsername(), display_name: leak }],
    ['POST', '/v1/humans', { username: `x ${witness.freshEmail()}` }],
    ['POST', '/v1/humans', { username: freshUsername(), email: `${witness.freshEmail()} x` }],
  ];
  for (const [method, path, body] of bodies)
    expectRefusal(await ask(method, path, { token, key: key(), body }), 422);
}

/** A token where no text is expected: in addresses, headers, and messages that cannot be read. */
export async function letSlip(witness: Witness, member: Member): Promise<void> {
  const { ask } = witness;
  const { token } = member;
  for (const query of ['cursor', 'author', 'access_token', 'since', token])
    await ask('GET', `/v1/articles?${query}=${token}`, { token });
  for (const path of ['articles', 'principals', 'usernames', 'tokens', 'agents', 'nowhere', ''])
    for (const method of ['GET', 'DELETE', 'POST'])
      await ask(method, `/v1/${path}/${token}`, { token });
  await ask('GET', `/${token}`);
  await ask('GET', `/v1/%${token}`);
  // Cut off in the middle, where the answer quotes so many characters.
  await ask('GET', `/v1/nowhere/${'x'.repeat(450)}${token}`);
  const headers = { 'content-type': `${'x'.repeat(60)}${token}` };
  await ask('POST', '/v1/articles', { token, key: key(), headers, body: {} });
  const body = { title: 'A title', content: 'Some text.' };
  const names = [
    'x-request-id',
    'if-match',
    'if-none-match',
    'cookie',
    'user-agent',
    'referer',
    'origin',
    'accept',
    'traceparent',
    'x-forwarded-for',
    'content-type',
    token,
  ];
  for (const name of names) {
    const holding = { [name]: name === token ? 'x' : token };
    await ask('POST', '/v1/articles', { token, key: key(), headers: holding, body });
    await ask('GET', '/v1/meta', { headers: holding });
  }
  const raws: readonly Asked[] = [
    { raw: `{"title": "${token}` },
    { raw: `{"${token}": 1, "${token}": 2}` },
    { raw: token },
    { raw: Buffer.from(`{"title":"${token}\u00ff"}`, 'latin1') },
    { raw: `{"title":"a","content":"${token}${'x'.repeat(2_000_000)}"}` },
    { raw: `${'['.repeat(500)}"${token}"` },
  ];
  for (const asked of raws) {
    const answer = await ask('POST', '/v1/articles', { token, key: key(), ...asked });
    assert.ok([400, 413, 422].includes(answer.status), answer.text);
  }
}

/** The one header whose text is kept. */
export async function useAsKey(witness: Witness, member: Member): Promise<Answer> {
  const body = { title: 'A title', content: 'Some text.' };
  return witness.ask('POST', '/v1/articles', { token: member.token, key: member.token, body });
}
