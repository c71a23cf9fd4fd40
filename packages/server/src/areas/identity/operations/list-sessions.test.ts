// Tests of GET /-/sessions.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

test('200: each session with its device, the newest first, and which one asks', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  const other = openBrowser(server);
  await other.signIn(passkey);
  const { status, body } = await browser.ask('GET', '/-/sessions');
  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map(({ current }: { current: boolean }) => current),
    [false, true],
  );
});

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

test('a session that was not used for 30 days, or is 180 days old, has ended', async () => {
  const later: Readonly<Record<string, (db: TestServer['db']) => Promise<unknown>>> = {
    idle: (db) =>
      db.transaction((tx) =>
        tx.run(sql`
          -- every bucket: a test
          update sessions
          set last_used_at = ${daysAgo(30.001)}
          where expires_at > now()`),
      ),
    old: (db) =>
      db.transaction((tx) =>
        tx.run(sql`
          -- every bucket: a test
          update sessions
          set expires_at = ${daysAgo(0)}
          where expires_at > now()`),
      ),
  };
  for (const [name, pass] of Object.entries(later)) {
    const browser = openBrowser(server);
    await browser.join();
    await pass(server.db);
    assert.equal((await browser.ask('GET', '/-/sessions')).status, 401, name);
  }
});

test('the last use of a session is stored, with the network that it came from', async () => {
  const browser = openBrowser(server);
  await browser.join();
  await server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update sessions
      set last_used_at = ${daysAgo(1)}, network = null
      where expires_at > now()`),
  );
  const { body } = await browser.ask('GET', '/-/sessions');
  const day = body.items[0].last_used_at;
  await server.app.flushUses();
  const after = await browser.ask('GET', '/-/sessions');
  assert.ok(after.body.items[0].last_used_at > day);
  assert.equal(after.body.items[0].network, '127.0.0.0/24');
});
