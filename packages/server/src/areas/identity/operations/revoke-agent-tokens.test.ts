// Tests of DELETE /-/agents/{id}/tokens.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { inTurn } from '#test/blocked-by-lock';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer({ ROLE: 'web' });
});
after(() => server[Symbol.asyncDispose]());

async function owner() {
  const browser = openBrowser(server);
  const { username } = await browser.join();
  const { id } = (await server.ask('GET', `/v1/usernames/${username}`)).body;
  const agent = await storeAgent(server, { id, username, token: '' });
  return { browser, id, agent };
}

const revoke = (browser: TestBrowser, id: string) =>
  browser.ask('DELETE', `/-/agents/${id}/tokens`);
const statusOf = async (token: string) => (await server.ask('GET', '/v1/me', { token })).status;
const child = (agent: { id: string; token: string }) =>
  server.ask('POST', '/v1/tokens', {
    token: agent.token,
    key: true,
    body: { principal_id: agent.id, name: 'child' },
  });

test('200: every token of the agent ends, and no other one; again: none', async () => {
  const { browser, id, agent } = await owner();
  const other = await storeAgent(server, { id, username: '', token: '' });
  const issued = (await child(agent)).body.token;
  const { status, body } = await revoke(browser, agent.id);
  assert.equal(status, 200);
  assert.deepEqual(body, { tokens_revoked: 2 });
  assert.deepEqual([await statusOf(agent.token), await statusOf(issued)], [401, 401]);
  assert.equal(await statusOf(other.token), 200);
  assert.deepEqual((await revoke(browser, agent.id)).body, { tokens_revoked: 0 });
});

test('200: a token that the agent is issuing meanwhile ends too, or is refused', async () => {
  const { browser, agent } = await owner();
  const { body: me } = await server.ask('GET', '/v1/me', { token: agent.token });
  const lock = sql`
    select id from tokens
    where bucket = ${bucketOf(agent.id)} and id = ${me.token.id}
    for no key update`;
  const [issued, revoked] = await inTurn(server, lock, [
    () => child(agent),
    () => revoke(browser, agent.id),
  ]);
  assert.equal(revoked?.status, 200);
  if (issued?.status === 201) assert.equal(await statusOf(issued.body.token), 401);
  else assert.equal(issued?.status, 401);
  assert.equal(await statusOf(agent.token), 401);
});

test('404 not-found: somebody else’s agent, the caller, an unknown id; nothing ends', async () => {
  const { browser, id } = await owner();
  const other = await owner();
  for (const wrong of [other.agent.id, id, newId(bucketOf(id))])
    assertProblem(await revoke(browser, wrong), 'not-found');
  assert.equal(await statusOf(other.agent.token), 200);
});

test('403 forbidden: a suspended account', async () => {
  const { browser, id, agent } = await owner();
  await setPrincipalStatus(server, id, 'suspended');
  assertProblem(await revoke(browser, agent.id), 'forbidden');
});
