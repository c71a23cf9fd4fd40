// DELETE /v1/tokens/{id}?with_issued=true over HTTP: the tokens issued from a token are revoked with it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { inTurn } from '#test/blocked-by-lock';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

interface Issued {
  readonly id: string;
  readonly token: string;
  readonly issuer_token_id: string | null;
}

const revoke = (token: string, id: string, query = '?with_issued=true') =>
  server.ask('DELETE', `/v1/tokens/${id}${query}`, { token });
const me = (token: string) => server.ask('GET', '/v1/me', { token });
const idOf = async (token: string): Promise<string> => (await me(token)).body.token.id;
const ask = (principalId: string, token: string) => {
  const body = { principal_id: principalId, name: 'issued' };
  return server.ask('POST', '/v1/tokens', { token, key: true, body });
};

async function issue(principal: Pick<Human, 'id'>, by: string): Promise<Issued> {
  const { status, body } = await ask(principal.id, by);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Issues three tokens in a chain, the first one from the person's own. */
async function line(human: Human): Promise<readonly [Issued, Issued, Issued]> {
  const first = await issue(human, human.token);
  const second = await issue(human, first.token);
  return [first, second, await issue(human, second.token)];
}

async function assertRevoked(tokens: readonly { readonly token: string }[]): Promise<void> {
  for (const { token } of tokens) assertProblem(await me(token), 'unauthenticated');
}

async function assertValid(tokens: readonly { readonly token: string }[]): Promise<void> {
  for (const { token } of tokens) assert.equal((await me(token)).status, 200);
}

test('204 ends every token that was issued from it, directly or not, and no other', async () => {
  const human = await server.register();
  const [first, second, third] = await line(human);
  const sibling = await issue(human, human.token);
  const agent = await storeAgent(server, human);
  const ofAgent = await issue(agent, second.token);
  const byAgent = await issue(agent, ofAgent.token);
  assert.equal((await revoke(human.token, first.id)).status, 204);
  await assertRevoked([first, second, third, ofAgent, byAgent]);
  await assertValid([human, sibling, agent]);
  const { items } = (await server.ask('GET', '/v1/tokens', { token: human.token })).body;
  const times = items
    .filter(({ id }: Issued) => [first.id, second.id, third.id].includes(id))
    .map(({ revoked_at }: { revoked_at: string }) => revoked_at);
  assert.equal(times.length, 3);
  assert.equal(new Set(times).size, 1, 'they ended in one transaction');
});

for (const query of ['', '?with_issued=false']) {
  test(`204 ends only the one with "${query}", so that rotating keeps the new one`, async () => {
    const human = await server.register();
    const [first, second, third] = await line(human);
    assert.equal((await revoke(human.token, first.id, query)).status, 204);
    await assertRevoked([first]);
    await assertValid([second, third]);
  });
}

test('204 even when the token itself was revoked before, and in the middle of the line', async () => {
  const human = await server.register();
  const [first, second, third] = await line(human);
  await revoke(human.token, second.id, '');
  await revoke(human.token, first.id, '');
  await assertValid([third]);
  assert.equal((await revoke(human.token, first.id)).status, 204);
  await assertRevoked([third]);
  assert.equal((await revoke(human.token, first.id)).status, 204);
});

test('204 for itself and all that it issued, whatever it carries', async () => {
  const human = await server.register();
  const bare = await server.tokenWith(human, []);
  const child = await issue(human, bare);
  assert.equal((await revoke(bare, await idOf(bare))).status, 204);
  await assertRevoked([{ token: bare }, child]);
});

test('204 for an agent’s token with agents:manage; the owner’s tokens stay', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const narrow = await server.tokenWith(human, ['agents:manage']);
  const child = await issue(agent, agent.token);
  assert.equal((await revoke(narrow, await idOf(agent.token))).status, 204);
  await assertRevoked([agent, child]);
  await assertValid([human, { token: narrow }]);
});

test('403 insufficient-scope and 404 not-found end nothing', async () => {
  const human = await server.register();
  const [first, second] = await line(human);
  const narrow = await storeToken(server, human.id, ['articles:read']);
  assertMissingScope(await revoke(narrow, first.id), 'profile:write');
  assertProblem(await revoke((await server.register()).token, first.id), 'not-found');
  await assertValid([first, second]);
});

test('400 invalid-request: with_issued is true or false', async () => {
  const human = await server.register();
  const first = await issue(human, human.token);
  assertProblem(await revoke(human.token, first.id, '?with_issued=yes'), 'invalid-request');
  await assertValid([first]);
});

test('issuer_token_id names the issuer in the answer, in the list and in /v1/me', async () => {
  const human = await server.register();
  const [first, second] = await line(human);
  assert.equal(second.issuer_token_id, first.id);
  const { items } = (await server.ask('GET', '/v1/tokens', { token: human.token })).body;
  assert.deepEqual(
    items.map(({ issuer_token_id }: Issued) => issuer_token_id),
    [second.id, first.id, await idOf(human.token), null],
  );
  assert.equal((await me(second.token)).body.token.issuer_token_id, first.id);
});

/** Locks the token as an insert of a token issued from it does. */
const lockAsIssuing = (id: string) =>
  sql`select id from tokens where bucket = ${bucketOf(id)} and id = ${id} for no key update`;

test('an issue that came first is revoked too: from the token, and from one that it issued', async () => {
  for (const place of [0, 1, 2] as const) {
    const human = await server.register();
    const tree = await line(human);
    const [root] = tree;
    const from = tree[place];
    const [issued, revoked] = await inTurn(server, lockAsIssuing(from.id), [
      () => ask(human.id, from.token),
      () => revoke(human.token, root.id),
    ]);
    assert.equal(revoked?.status, 204);
    assert.ok([201, 401].includes(issued?.status ?? 0));
    if (issued?.status === 201) await assertRevoked([issued.body]);
    await assertRevoked(tree);
  }
});

test('an issue that came second is refused: 401', async () => {
  for (const place of [0, 1, 2] as const) {
    const human = await server.register();
    const tree = await line(human);
    const [root] = tree;
    const from = tree[place];
    const [revoked, issued] = await inTurn(server, lockAsIssuing(from.id), [
      () => revoke(human.token, root.id),
      () => ask(human.id, from.token),
    ]);
    assert.equal(revoked?.status, 204);
    assert.ok([201, 401].includes(issued?.status ?? 0));
    if (issued?.status === 201) await assertRevoked([issued.body]);
    await assertRevoked(tree);
  }
});
