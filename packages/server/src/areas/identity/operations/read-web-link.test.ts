// Tests of POST /-/link/account.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { closeAccount } from '#test/closing';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

async function link() {
  const human = await server.register();
  const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  return { human, secret: new URL(body.url).hash.slice(1) };
}

const read = (secret: string) =>
  openBrowser(server).ask('POST', '/-/link/account', { body: { secret } });

test('200: whose account the link opens, any number of times, and it still opens it', async () => {
  const { human, secret } = await link();
  for (const _ of [1, 2]) {
    const { status, body, headers } = await read(secret);
    assert.deepEqual([status, body], [200, { username: human.username }]);
    assert.equal(headers.get('set-cookie'), null);
  }
  const { status } = await openBrowser(server).ask('POST', '/-/link', { body: { secret } });
  assert.equal(status, 200);
});

test('401 unauthenticated: a used or expired link, one of a closed account, and a malformed one', async () => {
  const used = await link();
  await openBrowser(server).ask('POST', '/-/link', { body: { secret: used.secret } });
  const closed = await link();
  assert.equal((await closeAccount(server, closed.human, 'erase')).status, 200);
  const expired = await link();
  await server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update web_links
      set expires_at = now() - interval '1 second'
      where used_at is null`),
  );
  for (const secret of [used.secret, closed.secret, expired.secret, 'x', '']) {
    const { status, body } = await read(secret);
    assert.equal(status, 401);
    assert.match(body.detail, /Get a new one/);
  }
});
