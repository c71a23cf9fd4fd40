// Unused accounts are deleted with their names after a day; every other account stays.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { storeFollow } from '#test/agents';
import { comment } from '#test/comments';
import { freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { removeUnusedAccounts } from './subscribers.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const sweep = (now: () => Date) =>
  removeUnusedAccounts({ db: server.db, log: server.services.log, now });
const later = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);

test('an account whose token was never used is removed after a day, and its name is free', async () => {
  const username = freshName();
  await server.register(username);
  assert.equal(await sweep(later(23)), 0);
  assert.equal((await server.ask('POST', '/v1/humans', { body: { username } })).status, 409);
  assert.equal(await sweep(later(25)), 1);
  assert.equal((await server.ask('POST', '/v1/humans', { body: { username } })).status, 201);
  assert.equal(await sweep(later(25)), 1);
  const left = await server.db.first(sql<{ count: number }>`
    -- every bucket: nothing of it may be left
    select (select count(*) from principals) + (select count(*) from tokens)
      + (select count(*) from usernames) as count`);
  assert.equal(left?.count, 0);
});

test('an account that was used stays, whether the use was written down or left traces only', async () => {
  const [noted, drafted] = [await server.register(), await server.register()];
  const commented = await server.register();
  const { id } = await server.published(drafted);
  await comment(server, commented, id);
  await server.ask('GET', '/v1/me', { token: noted.token });
  await server.db.transaction((tx) =>
    tx.run(sql`
      update tokens
      set last_used_at = case when principal_id = ${noted.id} then ${new Date().toISOString()}::timestamptz end
      where principal_id in (${noted.id}, ${drafted.id}, ${commented.id})`),
  );
  assert.equal(await sweep(later(25)), 0);
  for (const { token } of [noted, drafted, commented]) {
    assert.equal((await server.ask('GET', '/v1/me', { token })).status, 200);
  }
});

test('an account that somebody follows stays, and one that follows', async () => {
  const [followed, follower] = [await server.register(), await server.register()];
  await storeFollow(server, follower.id, followed.id);
  assert.equal(await sweep(later(25)), 0);
  for (const { token } of [followed, follower]) {
    assert.equal((await server.ask('GET', '/v1/me', { token })).status, 200);
  }
});

test('401 unauthenticated for a token whose account was removed', async () => {
  const human = await server.register();
  assert.equal(await sweep(later(25)), 1);
  assert.equal((await server.ask('GET', '/v1/me', { token: human.token })).status, 401);
});
