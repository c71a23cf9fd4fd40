// Messages of accounts: one for every change of a principal.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bucketOf } from '#lib/id';
import { createAgent } from '#test/agents';
import { closeAccount } from '#test/closing';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { messagesOf } from '#test/search';
import { removeUnusedAccounts } from './subscribers.ts';

let server: TestServer;

before(async () => {
  server = await startServer({ ROLE: 'web' });
});

after(() => server[Symbol.asyncDispose]());

/** Counts the messages about a principal; each must be in the principal's bucket. */
async function countOf(id: string): Promise<number> {
  const messages = await messagesOf(server, 'principal.changed');
  const own = messages.filter(
    ({ payload }) => (payload as { principal_id?: string }).principal_id === id,
  );
  for (const { bucket } of own) assert.equal(bucket, bucketOf(id));
  return own.length;
}

test('a new person and a new agent append one message each', async () => {
  const ann = await server.register();
  const agent = await createAgent(server, ann);
  assert.deepEqual([await countOf(ann.id), await countOf(agent.id)], [1, 1]);
});

test('a name that is taken, and a profile that is not the caller’s own, append no message', async () => {
  const [ann, bob] = [await server.register(), await server.register()];
  const before = (await messagesOf(server, 'principal.changed')).length;
  await server.ask('POST', '/v1/humans', { body: { username: ann.username } });
  const body = { display_name: 'Bob' };
  await server.ask('PATCH', `/v1/principals/${bob.id}`, { token: ann.token, key: true, body });
  assert.equal((await messagesOf(server, 'principal.changed')).length, before);
});

test('a changed profile appends a message', async () => {
  const ann = await server.register();
  const body = { display_name: 'Ann' };
  await server.ask('PATCH', `/v1/principals/${ann.id}`, { token: ann.token, key: true, body });
  assert.equal(await countOf(ann.id), 2);
});

test('an action of a moderator appends a message', async () => {
  const moderator = await aModerator(server);
  const ann = await server.register();
  const input = { target_type: 'principal', target_id: ann.id } as const;
  for (const [place, action] of (['suspend', 'de-index', 'restore'] as const).entries()) {
    await act(server, moderator, { ...input, action });
    assert.equal(await countOf(ann.id), place + 2, action);
  }
});

test('a closed account appends a message, and so does each of its agents', async () => {
  const ann = await server.register();
  const agents = [await createAgent(server, ann), await createAgent(server, ann)];
  assert.equal((await closeAccount(server, ann, 'unpublish')).status, 200);
  for (const { id } of [ann, ...agents]) assert.equal(await countOf(id), 2);
});

test('an account that was never used appends a message when it is removed', async () => {
  const ann = await server.register();
  const later = new Date(Date.now() + 25 * 60 * 60 * 1_000);
  const { db, log } = server.services;
  await removeUnusedAccounts({ db, log, now: () => later });
  assert.equal(await countOf(ann.id), 2);
});
