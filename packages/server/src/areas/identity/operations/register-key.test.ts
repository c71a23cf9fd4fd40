// POST /v1/agents/{id}/keys over HTTP: proof of possession, nonces, the text that is signed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, storeAgent } from '#test/accounts';
import { forge, littleEndian, torsion } from '#test/edwards-forgery';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { freshKeyPair } from '#test/key-pairs';
import { assertFault, assertMissingScope } from '#test/problem-checks';
import { aNonce, register, registrationOf } from '#test/registered-keys';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

type Body = Readonly<Record<string, unknown>>;
const send = (agentId: string, token: string, body: Body) =>
  server.ask('POST', `/v1/agents/${agentId}/keys`, { token, body });
const anAgent = async () => storeAgent(server, await server.register());

/** Returns a valid registration of a fresh key pair, to be modified. */
async function aRegistration(agent: Human) {
  const pair = freshKeyPair();
  const nonce = await aNonce(server, agent.id, agent.token);
  return { pair, body: registrationOf(server, agent.id, pair, nonce) };
}

async function keysOf(agent: Human): Promise<Response['body'][]> {
  return (await server.ask('GET', `/v1/agents/${agent.id}/keys`)).body.items;
}

/** Asserts a refusal with a fresh nonce that registers the key when it is signed and sent. */
async function assertFreshNonceWorks(agent: Human, refused: Response): Promise<void> {
  const pair = freshKeyPair();
  const { nonce, nonce_expires_at } = refused.body;
  const answeredAt = Date.parse(refused.headers.get('date') ?? '');
  assert.ok(Date.parse(nonce_expires_at) > answeredAt + 590_000);
  const again = await send(agent.id, agent.token, registrationOf(server, agent.id, pair, nonce));
  assert.equal(again.status, 201, JSON.stringify(again.body));
}

test('201 with the record of an active key, as it is listed', async () => {
  const agent = await anAgent();
  const { body } = await aRegistration(agent);
  const answer = await send(agent.id, agent.token, { ...body, label: '🦉'.repeat(80) });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  const { id, created_at, ...rest } = answer.body;
  assert.equal(bucketOf(id), bucketOf(agent.id));
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 30_000);
  assert.deepEqual(rest, {
    agent_id: agent.id,
    public_key: body.public_key,
    label: '🦉'.repeat(80),
    status: 'active',
    revoked_at: null,
    compromised_at: null,
    trust: 'untrusted',
  });
  assert.deepEqual(await keysOf(agent), [answer.body]);
});

test('201 for every spelling of key and signature; the signed text contains the key as it was sent', async () => {
  const agent = await anAgent();
  for (const encoding of ['base64', 'base64url'] as const) {
    for (const padding of ['=', '']) {
      const pair = freshKeyPair();
      const spell = (bytes: Buffer) =>
        bytes.toString(encoding).replaceAll('=', '') + padding.repeat(bytes.length === 32 ? 1 : 2);
      const nonce = await aNonce(server, agent.id, agent.token);
      const public_key = spell(pair.publicKey);
      const text = `publishing-network/key/v1\n${server.baseUrl}\n${agent.id}\n${nonce}\n${public_key}`;
      const signature = spell(pair.sign(text));
      const { status, body } = await send(agent.id, agent.token, { public_key, nonce, signature });
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(body.public_key, pair.publicKey.toString('base64url'));
      assert.equal(body.label, null);
    }
  }
});

test('201 by the owner with agents:manage, and by the agent with either scope', async () => {
  const owner = await server.register();
  const manager = await server.tokenWith(owner, ['agents:manage']);
  for (const scope of ['profile:write', 'articles:publish'] as const) {
    const agent = await storeAgent(server, owner, [scope]);
    for (const token of [manager, agent.token])
      assert.equal((await send(agent.id, token, (await aRegistration(agent)).body)).status, 201);
  }
});

test('201 again for a key that was revoked: it has a new record', async () => {
  const [agent, other] = [await anAgent(), await anAgent()];
  const pair = freshKeyPair();
  const first = await register(server, agent, pair);
  const path = `/v1/agents/${agent.id}/keys/${first.body.id}`;
  assert.equal((await server.ask('DELETE', path, { token: agent.token })).status, 204);
  const second = await register(server, other, pair);
  assert.equal(second.status, 201);
  assert.notEqual(second.body.id, first.body.id);
  // Revoking the first record again does not free the second.
  assert.equal((await server.ask('DELETE', path, { token: agent.token })).status, 204);
  assertProblem(await register(server, agent, pair), 'conflict');
});

test('422 validation-failed without a nonce, with a fresh one and the text to sign: the second call succeeds', async () => {
  const agent = await anAgent();
  const pair = freshKeyPair();
  const public_key = pair.publicKey.toString('base64url');
  const placeholder = Buffer.alloc(64).toString('base64url');
  const refused = await send(agent.id, agent.token, { public_key, signature: placeholder });
  assertFault(refused, '/nonce', 'required');
  const { nonce, signing_input } = refused.body;
  const signature = pair.sign(signing_input).toString('base64url');
  const again = await send(agent.id, agent.token, { public_key, signature, nonce });
  assert.equal(again.status, 201, JSON.stringify(again.body));
});

test('422 validation-failed with a fresh nonce for a key alone, which cannot be signed before the nonce is known', async () => {
  const agent = await anAgent();
  const pair = freshKeyPair();
  const public_key = pair.publicKey.toString('base64url');
  for (const first of [{ public_key }, { public_key, nonce: null }]) {
    const refused = await send(agent.id, agent.token, first);
    assertFault(refused, '/signature', 'required');
    assertFault(refused, '/nonce', 'required');
    assert.equal(refused.body.errors.length, 2);
    await assertFreshNonceWorks(agent, refused);
  }
  const { nonce, signing_input } = (await send(agent.id, agent.token, { public_key })).body;
  const unsigned = await send(agent.id, agent.token, { public_key, nonce });
  assertFault(unsigned, '/signature', 'required');
  assert.equal(unsigned.body.errors.length, 1);
  assert.equal(unsigned.body.nonce, undefined);
  // The nonce is still valid.
  const signature = pair.sign(signing_input).toString('base64url');
  const { status, body } = await send(agent.id, agent.token, { public_key, signature, nonce });
  assert.equal(status, 201, JSON.stringify(body));
  const stranger = await anAgent();
  const foreign = await send(agent.id, stranger.token, { public_key });
  assertProblem(foreign, 'forbidden');
  assert.equal(foreign.body.nonce, undefined);
});

test('422 validation-failed for a nonce that was not issued or that another agent got, with a fresh one', async () => {
  const [agent, other] = [await anAgent(), await anAgent()];
  const nonces = ['', 'x', '🦉'.repeat(100), await aNonce(server, other.id, other.token)];
  for (const nonce of nonces) {
    const refused = await send(
      agent.id,
      agent.token,
      registrationOf(server, agent.id, freshKeyPair(), nonce),
    );
    assertFault(refused, '/nonce', 'unknown');
    await assertFreshNonceWorks(agent, refused);
  }
});

test('422 validation-failed for a nonce that expired, with a fresh one', async () => {
  const agent = await anAgent();
  const { body } = await aRegistration(agent);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update key_nonces set expires_at = now() - interval '1 millisecond'
      where bucket = ${bucketOf(agent.id)} and agent_id = ${agent.id}`),
  );
  const refused = await send(agent.id, agent.token, body);
  assertFault(refused, '/nonce', 'expired');
  await assertFreshNonceWorks(agent, refused);
});

test('409 conflict for a nonce that was used, by the same request again or for another key, with a fresh one', async () => {
  const agent = await anAgent();
  const { body } = await aRegistration(agent);
  assert.equal((await send(agent.id, agent.token, body)).status, 201);
  const other = registrationOf(server, agent.id, freshKeyPair(), body.nonce);
  for (const again of [body, other]) {
    const refused = await send(agent.id, agent.token, again);
    assertProblem(refused, 'conflict');
    await assertFreshNonceWorks(agent, refused);
  }
});

test('422 validation-failed for a signature over anything else, with the text to sign; the nonce stays valid', async () => {
  const agent = await anAgent();
  const { pair, body } = await aRegistration(agent);
  const lines = [
    'publishing-network/key/v1',
    server.baseUrl,
    agent.id,
    body.nonce,
    body.public_key,
  ];
  const text = lines.join('\n');
  const texts = [
    `${text}\n`,
    lines.join('\r\n'),
    lines.toReversed().join('\n'),
    lines.slice(1).join('\n'),
    text.replace('/key/', '/revision/'),
    text.replace(server.baseUrl, `${server.baseUrl}/`),
    text.replace(agent.id, newId(bucketOf(agent.id))),
    text.replace(body.public_key, `${body.public_key}=`),
    body.nonce,
    '',
  ];
  const signatures = texts.map((one) => pair.sign(one));
  for (const signature of [...signatures, freshKeyPair().sign(text), Buffer.alloc(64)]) {
    const wrong = { ...body, signature: signature.toString('base64url') };
    const refused = await send(agent.id, agent.token, wrong);
    assertFault(refused, '/signature', 'signature');
    assert.equal(refused.body.signing_input, text);
  }
  assert.equal((await send(agent.id, agent.token, body)).status, 201);
});

test('422 validation-failed: a registration does not serve another agent, even with that agent’s nonce', async () => {
  const [agent, other] = [await anAgent(), await anAgent()];
  const pair = freshKeyPair();
  const nonce = await aNonce(server, other.id, other.token);
  const body = registrationOf(server, agent.id, pair, nonce);
  assertFault(await send(other.id, other.token, body), '/signature', 'signature');
});

test('422 validation-failed for keys of small order, mixed order, not canonical, not on the curve', async () => {
  const agent = await anAgent();
  const mixed = forge({ secret: 5n, blind: 7n, keyTorsion: 1 }, Buffer.alloc(0)).publicKey;
  const unsound = [
    ...torsion.map((point) => Buffer.from(point.toBytes())),
    littleEndian(2n ** 255n - 18n),
    littleEndian(2n),
    Buffer.alloc(32, 0xff),
    mixed,
  ];
  // R is the identity and S is zero: with the identity as public key this signature verifies for any text.
  const universal = Buffer.concat([littleEndian(1n), littleEndian(0n)]).toString('base64url');
  for (const key of unsound) {
    const nonce = await aNonce(server, agent.id, agent.token);
    const body = { public_key: key.toString('base64url'), signature: universal, nonce };
    assertFault(await send(agent.id, agent.token, body), '/public_key', 'unsound-key');
  }
  assert.deepEqual(await keysOf(agent), []);
});

test('422 validation-failed for other lengths and spellings, every fault at once, with a fresh nonce', async () => {
  const agent = await anAgent();
  const { body } = await aRegistration(agent);
  for (const public_key of ['x', `${body.public_key}A`, 'ab'.repeat(32), ` ${body.public_key}`]) {
    const wrong = { public_key, signature: body.public_key, label: 'two\nlines' };
    const refused = await send(agent.id, agent.token, wrong);
    assertFault(refused, '/public_key', 'format');
    assertFault(refused, '/signature', 'format');
    assertFault(refused, '/label');
    assertFault(refused, '/nonce', 'required');
    assert.equal(refused.body.errors.length, 4);
    assert.equal(refused.body.signing_input, undefined);
    await assertFreshNonceWorks(agent, refused);
  }
});

test('422 validation-failed for labels of 0 and of 81 characters', async () => {
  const agent = await anAgent();
  const { body } = await aRegistration(agent);
  for (const label of ['', '🦉'.repeat(81)])
    assertFault(await send(agent.id, agent.token, { ...body, label }), '/label');
  assert.equal((await send(agent.id, agent.token, { ...body, label: null })).status, 201);
});

test('403 and 404 come before the nonce is looked at, and give none away', async () => {
  const owner = await server.register();
  const agent = await storeAgent(server, owner, ['articles:write']);
  const body = registrationOf(server, agent.id, freshKeyPair(), 'x');
  assertMissingScope(await send(agent.id, agent.token, body), 'profile:write');
  const narrow = await server.tokenWith(owner, ['profile:write']);
  assertMissingScope(await send(agent.id, narrow, body), 'agents:manage');
  const stranger = await anAgent();
  const refused = await send(agent.id, stranger.token, body);
  assertProblem(refused, 'forbidden');
  assert.equal(refused.body.nonce, undefined);
  for (const id of [owner.id, newId(bucketOf(owner.id))])
    assertProblem(await send(id, owner.token, body), 'not-found');
  await setPrincipalStatus(server, agent.id, 'closed');
  assertProblem(await send(agent.id, owner.token, body), 'not-found');
});
