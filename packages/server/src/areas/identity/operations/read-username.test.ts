// GET /v1/usernames/{username} over HTTP: the same record by name, and names that do not resolve.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeUnder, createAgent } from '#test/agents';
import { assertProblem, startServer } from '#test/harness';
import { assertGone } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (name: string) => server.ask('GET', `/v1/usernames/${encodeURIComponent(name)}`);

test('200 with what the id answers, for people and agents', async () => {
  const human = await server.register();
  const agent = await createAgent(server, human);
  for (const { id, username } of [human, agent]) {
    const byId = await server.ask('GET', `/v1/principals/${id}`);
    assert.deepEqual((await read(username)).body, byId.body);
  }
});

test('200 in any spelling of the name', async () => {
  const { id } = await server.register('wanda-works');
  for (const name of ['WANDA-Works', 'ｗanda-works']) assert.equal((await read(name)).body.id, id);
});

test('404 not-found: a name that only looks like another’s', async () => {
  await server.register('modern-loop5');
  for (const name of ['modem-loop5', 'modern_loop5', 'modern-l0op5'])
    assertProblem(await read(name), 'not-found');
});

test('404 not-found: a free name, a reserved one, and what is not a name', async () => {
  for (const name of ['nobody-at-all', 'admin', 'a b', 'é', '..', 'x', ' '])
    assertProblem(await read(name), 'not-found');
});

test('410 gone: the name of a closed account, which never leads to its pseudonym', async () => {
  const [human, other] = [await server.register(), await server.register()];
  await server.published(other);
  await closeUnder(server, human.id, human.username);
  await closeUnder(server, other.id, 'closed-w2x7k3m9');
  for (const { username } of [human, other]) {
    const refused = await read(username);
    assertGone(refused);
    assert.ok(!JSON.stringify(refused.body).includes('closed-'));
  }
  const listed = await server.ask('GET', `/v1/articles?author=${other.username}`);
  assert.deepEqual(listed.body.items, []);
});
