// Unused accounts are deleted with their names after a day; every other account stays.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeFollow } from '#test/agents';
import { blockedByLock, untilWaiting } from '#test/blocked-by-lock';
import { comment } from '#test/comments';
import { freshName, startServer } from '#test/harness';
import type { Human, Response, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { poisonRow } from '#test/poisoned-rows';
import { addsTrigger } from '#test/citus/one-server';
import { openBrowser } from '#test/web-session';
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

test('an account whose row refuses changes keeps no other one', addsTrigger, async () => {
  const stays = await server.register();
  const others = [await server.register(), await server.register()];
  {
    await using _poison = await poisonRow(server, 'principals', stays.id);
    await assert.rejects(sweep(later(25)), /poisoned/);
  }
  const all = [stays, ...others].map(({ id }) => id);
  const left = await server.db.rows(sql<{ id: string }>`
    -- every bucket: three accounts
    select id from principals where id = any(${all})`);
  assert.deepEqual(left, [{ id: stays.id }]);
  assert.equal(await sweep(later(25)), 1);
});

/** As after a server was killed before it stored that a token was used. */
const forgetUse = ({ id }: Human) =>
  server.db.transaction((tx) =>
    tx.run(sql`
      update tokens
      set last_used_at = null
      where bucket = ${bucketOf(id)} and principal_id = ${id}`),
  );

const uses: Readonly<Record<string, (human: Human) => Promise<Response>>> = {
  'changed its profile': ({ id, token }) =>
    server.ask('PATCH', `/v1/principals/${id}`, { token, body: { bio: 'Here.' } }),
  'has a link that opens a session': ({ token }) =>
    server.ask('POST', '/v1/web-links', { token, body: {} }),
  'asked for an export': ({ token }) =>
    server.ask('POST', '/v1/exports', { token, key: true, body: {} }),
};

for (const [what, use] of Object.entries(uses)) {
  test(`an account that ${what} stays, although its use was not stored`, async () => {
    const human = await server.register();
    const answer = await use(human);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    await forgetUse(human);
    assert.equal(await sweep(later(25)), 0);
    assert.equal((await server.ask('GET', '/v1/me', { token: human.token })).status, 200);
  });
}

test('an account with a session stays, although its use was not stored', async () => {
  const human = await server.register();
  const { url } = (await server.ask('POST', '/v1/web-links', { token: human.token, body: {} }))
    .body;
  const browser = openBrowser(server);
  const body = { secret: new URL(url).hash.slice(1) };
  assert.equal((await browser.ask('POST', '/-/link', { body })).status, 200);
  await server.db.transaction((tx) =>
    tx.run(sql`delete from web_links where bucket = ${bucketOf(human.id)}`),
  );
  await forgetUse(human);
  assert.equal(await sweep(later(25)), 0);
  assert.equal((await browser.ask('GET', '/-/v1/me')).status, 200);
});

test('a first write that is under way while unused accounts are removed keeps its account', async () => {
  const human = await server.register();
  const locking = sql`lock table outbox in share mode`;
  const change = () => uses['changed its profile']?.(human) ?? assert.fail();
  let removing: Promise<number> | undefined;
  const [answer] = await blockedByLock(server, locking, [change], async () => {
    removing = sweep(later(25));
    await untilWaiting(server, 1, 'unused%for update');
  });
  assert.equal(answer?.status, 200);
  assert.equal(await removing, 0);
  assert.equal((await server.ask('GET', '/v1/me', { token: human.token })).status, 200);
});

test('an account on which a moderator acted stays, with its action and its event', async () => {
  const human = await server.register();
  const target = { target_type: 'principal', target_id: human.id } as const;
  await act(server, await aModerator(server), { ...target, action: 'warn' });
  await forgetUse(human);
  await sweep(later(25));
  const { status, body } = await server.ask('GET', '/v1/events', { token: human.token });
  assert.equal(status, 200);
  assert.equal(body.items.length, 1);
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
