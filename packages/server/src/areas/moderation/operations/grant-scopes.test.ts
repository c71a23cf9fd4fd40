// Admin scopes: granted by an administrator who has them, to an existing token of a person.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { newId } from '#lib/id';
import { setPrincipalStatus, storeToken } from '#test/accounts';
import { administrator } from '#test/administrators';
import { createAgent } from '#test/agents';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const admin = await administrator(server, ['admin:manage', 'admin:moderate']);

function give(id: string, tokenId: string, scopes: readonly string[], by: Human = admin) {
  const body = { token_id: tokenId, scopes };
  return server.ask('POST', `/v1/admin/principals/${id}/grants`, { token: by.token, body });
}

async function tokenIdOf({ token }: Human): Promise<string> {
  return (await server.ask('GET', '/v1/me', { token })).body.token.id;
}

const queue = ({ token }: Human) => server.ask('GET', '/v1/moderation/appeals', { token });

test('200: the token moderates from now on; the person is told, and the audit log keeps it', async () => {
  const human = await server.register();
  const tokenId = await tokenIdOf(human);
  assertProblem(await queue(human), 'insufficient-scope');
  const answer = await give(human.id, tokenId, ['admin:moderate']);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.scopes.length, 14);
  assert.equal((await queue(human)).status, 200);
  const events = await server.ask('GET', '/v1/events', { token: human.token });
  const { type, actor_principal_id, payload } = events.body.items[0];
  assert.deepEqual([type, actor_principal_id], ['token.issued', admin.id]);
  assert.equal(payload.token_id, tokenId);
  const row = await server.db.first(sql<{ actor: string; action: string; details: object }>`
    select actor, action, details
    from audit_log
    where bucket = 0 and target_id = ${human.id}`);
  const details = { scopes: ['admin:moderate'], token_id: tokenId };
  assert.deepEqual(row, { actor: admin.id, action: 'grant', details });
});

test('422 validation-failed: without a scope; the detail says how many to send', async () => {
  const human = await server.register();
  const answer = await give(human.id, await tokenIdOf(human), []);
  assertProblem(answer, 'validation-failed');
  const [fault] = answer.body.errors;
  assert.deepEqual(
    [fault.pointer, fault.code, fault.detail],
    ['/scopes', 'too-few', 'must have at least one item'],
  );
});

test('200 for scopes that the token has already: no event, no row of the audit log', async () => {
  const human = await server.register();
  const tokenId = await tokenIdOf(human);
  const answers = [
    await give(human.id, tokenId, ['admin:moderate']),
    await give(human.id, tokenId, ['admin:moderate']),
  ];
  assert.deepEqual(answers[1]?.body, answers[0]?.body);
  const rows = await server.db.rows(sql`
    select number from audit_log where bucket = 0 and target_id = ${human.id} order by number`);
  assert.equal(rows.length, 1);
});

test('403 insufficient-scope for a scope that the administrator does not have', async () => {
  const human = await server.register();
  const half = await administrator(server, ['admin:manage']);
  const refused = await give(human.id, await tokenIdOf(human), ['admin:moderate'], half);
  assertMissingScope(refused, 'admin:moderate');
  assertProblem(await queue(human), 'insufficient-scope');
});

test('403 forbidden for an agent', async () => {
  const agent = await createAgent(server, await server.register());
  assertProblem(await give(agent.id, await tokenIdOf(agent), ['admin:moderate']), 'forbidden');
});

test('404 not-found for unknown and closed accounts, and for a token that is not theirs or does not work', async () => {
  const [human, other, closed] = [
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  const tokenId = await tokenIdOf(human);
  const ofClosed = await tokenIdOf(closed);
  await setPrincipalStatus(server, closed.id, 'closed');
  await storeToken(server, human.id, ['articles:read'], new Date(Date.now() - 1000));
  const lapsed = await server.ask('GET', '/v1/tokens', { token: human.token });
  await server.ask('DELETE', `/v1/tokens/${await tokenIdOf(other)}`, { token: other.token });
  const cases = [
    [newId(7), tokenId],
    [closed.id, ofClosed],
    [other.id, tokenId],
    [human.id, newId(7)],
    [human.id, lapsed.body.items[0].id],
  ] as const;
  for (const [id, token] of cases)
    assertProblem(await give(id, token, ['admin:moderate']), 'not-found');
});

test('422 validation-failed for scopes that are not admin scopes, and for none', async () => {
  const human = await server.register();
  const tokenId = await tokenIdOf(human);
  for (const scopes of [[], ['articles:read'], ['admin:moderate', 'admin:moderate'], ['admin:x']])
    assertProblem(await give(human.id, tokenId, scopes), 'validation-failed');
});
