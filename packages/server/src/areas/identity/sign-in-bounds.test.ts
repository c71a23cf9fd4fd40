// How many sessions and links an account may have: one more ends the oldest one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sessionLimits } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { blockedByLock } from '#test/blocked-by-lock';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  // Without a pipeline, whose sweeps would run at other times than this test.
  server = await startServer({ ROLE: 'web' });
});
after(() => server[Symbol.asyncDispose]());

const padId = (n: number) => String(n).padStart(26, '0');

/** Fills up an account with sessions that were used later, until it has so many. */
async function fill(username: string, count: number): Promise<string> {
  const { body } = await server.ask('GET', `/v1/usernames/${username}`);
  const id = String(body.id);
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into sessions (
        bucket, id, principal_id, hash, device, created_at, last_used_at, expires_at
      )
      select ${bucketOf(id)}, lpad(n::text, 26, '0'), ${id}, decode(md5(${id} || n), 'hex'), 'a browser', now(),
        now() + interval '1 hour' + n * interval '1 minute', now() + interval '180 days'
      from generate_series(2, ${count}::integer) as n`),
  );
  return id;
}

async function sessionsOf(id: string): Promise<readonly string[]> {
  const rows = await server.db.rows(sql<{ id: string }>`
    select id
    from sessions
    where bucket = ${bucketOf(id)} and principal_id = ${id}
    order by id`);
  return rows.map((row) => row.id);
}

test('one session too many ends the one that was not used for the longest time', async () => {
  const browser = openBrowser(server);
  const { username, passkey } = await browser.join();
  const id = await fill(username, sessionLimits.sessions_max);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update sessions
      set last_used_at = now() - interval '1 day'
      where bucket = ${bucketOf(id)} and id = ${padId(7)}`),
  );
  assert.equal((await openBrowser(server).signIn(passkey)).status, 200);
  const left = await sessionsOf(id);
  assert.equal(left.length, sessionLimits.sessions_max);
  assert.ok(!left.includes(padId(7)));
  assert.equal((await browser.ask('GET', '/-/sessions')).status, 200, 'the oldest one goes on');
  assert.equal((await openBrowser(server).signIn(passkey)).status, 200);
  assert.equal((await browser.ask('GET', '/-/sessions')).status, 401, 'it was the next one');
});

test('signing in again in one browser ends no other session', async () => {
  const browser = openBrowser(server);
  const { username, passkey } = await browser.join();
  const id = await fill(username, sessionLimits.sessions_max);
  assert.equal((await browser.signIn(passkey)).status, 200);
  assert.equal((await sessionsOf(id)).filter((one) => one.startsWith('000')).length, 49);
});

test('many who sign in at once do not exceed the number', async () => {
  const { username, recoveryCodes } = await openBrowser(server).join();
  const id = await fill(username, sessionLimits.sessions_max);
  const answers = await blockedByLock(
    server,
    sql`
      select id
      from sessions
      where bucket = ${bucketOf(id)} and principal_id = ${id}
      for update`,
    recoveryCodes.map((code) => () => {
      return openBrowser(server).ask('POST', '/-/recover', { body: { username, code } });
    }),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    recoveryCodes.map(() => 200),
  );
  assert.equal((await sessionsOf(id)).length, sessionLimits.sessions_max);
});

test('one link too many ends the oldest one', async () => {
  const human = await server.register();
  const secrets: string[] = [];
  for (let count = 0; count <= sessionLimits.web_links_max; count += 1) {
    const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
    secrets.push(new URL(body.url).hash.slice(1));
  }
  const [oldest, ...others] = secrets;
  const open = (secret: string | undefined) =>
    openBrowser(server).ask('POST', '/-/link', { body: { secret } });
  assert.equal((await open(oldest)).status, 401);
  assert.equal((await open(others[0])).status, 200);
  assert.equal((await open(others.at(-1))).status, 200);
});
