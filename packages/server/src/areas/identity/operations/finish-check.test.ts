// Tests of POST /-/check.
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

/** Makes the last check of every session older than ten minutes. */
async function age(): Promise<void> {
  await server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update sessions
      set checked_at = ${new Date(Date.now() - 601_000).toISOString()}
      where checked_at is not null`),
  );
}

test('204: what needs a fresh check is refused before it and accepted after it', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  await age();
  const refused = await browser.ask('POST', '/-/recovery-codes');
  assert.equal(refused.status, 403);
  assert.equal(refused.body.passkey_check, true);
  assert.match(refused.body.detail, /Confirm with your passkey/);
  assert.equal((await browser.check(passkey)).status, 204);
  assert.equal((await browser.ask('POST', '/-/recovery-codes')).status, 201);
});

test('a check is that of one session: others of the account are not fresh by it', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  const other = openBrowser(server);
  await other.signIn(passkey);
  await age();
  await browser.check(passkey);
  assert.equal((await other.ask('POST', '/-/recovery-codes')).status, 403);
});

test('refused: the passkey, the challenge or the assertion of somebody else', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const { browser: theirs, passkey } = await (async () => {
    const other = openBrowser(server);
    return { browser: other, ...(await other.join()) };
  })();
  await age();
  assert.equal((await browser.check(passkey)).status, 401, 'their passkey');
  const { body } = await theirs.ask('POST', '/-/check/begin');
  const credential = passkey.get(body.options);
  const answer = await browser.ask('POST', '/-/check', {
    body: { ceremony_id: body.ceremony_id, credential },
  });
  assert.equal(answer.status, 422, 'their whole ceremony');
  const signIn = await theirs.ask('POST', '/-/sign-in/begin');
  const mixed = await theirs.ask('POST', '/-/check', {
    body: {
      ceremony_id: signIn.body.ceremony_id,
      credential: passkey.get(signIn.body.options),
    },
  });
  assert.equal(mixed.status, 422, 'a ceremony of another kind');
  assert.equal((await browser.ask('POST', '/-/recovery-codes')).status, 403);
});

test('422 validation-failed: a ceremony that began more than ten minutes ago', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  const { body } = await browser.ask('POST', '/-/check/begin');
  await server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update ceremonies
      set expires_at = now()
      where kind = 'check'`),
  );
  const { status, body: refused } = await browser.ask('POST', '/-/check', {
    body: { ceremony_id: body.ceremony_id, credential: passkey.get(body.options) },
  });
  assert.equal(status, 422);
  assert.equal(refused.errors[0].pointer, '/ceremony_id');
});
