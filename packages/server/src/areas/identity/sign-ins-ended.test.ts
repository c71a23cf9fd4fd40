// What people sign in with ends with the account, and is swept when it has expired.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { openAuthenticator } from '#test/authenticator';
import { closeAccount } from '#test/closing';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import { recurring } from './subscribers.ts';

let server: TestServer;
before(async () => {
  // Without a pipeline, whose own sweeps would run at other times than this test's.
  server = await startServer({ ROLE: 'web' });
});
after(() => server[Symbol.asyncDispose]());

async function counts(): Promise<Record<string, number>> {
  const rows = await server.db.rows(sql<{ name: string; count: number }>`
    select 'passkeys' as name, count(*)::int as count from passkeys
    union all
    select 'sessions', count(*)::int from sessions
    union all
    select 'codes', count(*)::int from recovery_codes
    union all
    select 'links', count(*)::int from web_links
    union all
    select 'ceremonies', count(*)::int from ceremonies`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

test('closing the account ends its sessions, and deletes passkeys, codes and links', async () => {
  const human = await server.register();
  const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  const browser = openBrowser(server);
  await browser.ask('POST', '/-/link', { body: { secret: new URL(body.url).hash.slice(1) } });
  const passkey = openAuthenticator(server.baseUrl);
  await browser.addPasskey(passkey);
  await browser.ask('POST', '/-/recovery-codes');
  await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  const { passkeys, sessions, codes, links } = await counts();
  assert.deepEqual([passkeys, sessions, codes, links], [1, 1, 10, 1]);
  assert.equal((await closeAccount(server, human, 'erase')).status, 200);
  assert.equal((await browser.ask('GET', '/-/sessions')).status, 401);
  assert.equal((await openBrowser(server).signIn(passkey)).status, 401);
  const left = await counts();
  assert.deepEqual(
    [left['passkeys'], left['sessions'], left['codes'], left['links']],
    [0, 0, 0, 0],
  );
});

test('what has expired is deleted; what has not stays', async () => {
  const human = await server.register();
  await openBrowser(server).join();
  await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  await openBrowser(server).ask('POST', '/-/sign-in/begin');
  const before = await counts();
  const run = async (days: number) => {
    const now = () => new Date(Date.now() + days * 86_400_000);
    for (const name of ['sweepCeremonies', 'sweepSessions', 'sweepWebLinks']) {
      const job = recurring.find((one) => one.name === name) ?? assert.fail(name);
      await job.run({ db: server.db, log: server.services.log, now });
    }
    return counts();
  };
  assert.deepEqual(await run(0), before);
  const after = await run(181);
  assert.deepEqual([after['ceremonies'], after['sessions'], after['links']], [0, 0, 0]);
  assert.equal(after['passkeys'], before['passkeys']);
});

test('a session that was not used for 30 days is deleted; one that was used is not', async () => {
  await openBrowser(server).join();
  await openBrowser(server).join();
  await server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update sessions
      set last_used_at = ${new Date(Date.now() + 2 * 86_400_000).toISOString()}
      where id = (select max(id) from sessions)`),
  );
  const { sessions: before = 0 } = await counts();
  const job = recurring.find(({ name }) => name === 'sweepSessions') ?? assert.fail();
  const now = () => new Date(Date.now() + 31 * 86_400_000);
  await job.run({ db: server.db, log: server.services.log, now });
  assert.ok(before > 1);
  assert.equal((await counts())['sessions'], 1);
});
