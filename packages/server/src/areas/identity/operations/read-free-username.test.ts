// Tests of GET /-/join/username.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { closeAccount } from '#test/closing';
import { freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const read = (username: string) =>
  openBrowser(server).ask('GET', `/-/join/username?username=${encodeURIComponent(username)}`);

test('200: a free name, in the spelling that it will have', async () => {
  const username = freshName();
  for (const typed of [username, username.toUpperCase()]) {
    const { status, body } = await read(typed);
    assert.deepEqual([status, body], [200, { username }]);
  }
});

test('409 conflict: a name that is taken, reserved, or looks like one', async () => {
  const { username } = await server.register();
  for (const name of [username, username.toUpperCase(), 'admin', 'adm1n', 'rnoderator']) {
    const { status, body } = await read(name);
    assert.equal(status, 409, name);
    assert.match(body.detail, /Choose another/);
  }
});

test('422 validation-failed: what is wrong with the name, as joining says it', async () => {
  for (const name of ['', 'a', 'no spaces', 'adä', '-ada', 'a'.repeat(33), 'a'.repeat(5_000)]) {
    const { status, body } = await read(name);
    assert.equal(status, 422, name);
    assert.equal(body.errors[0].pointer, '/username');
  }
});

test('409 conflict for the name of a closed account, 200 when a year has passed', async () => {
  const human = await server.register();
  await closeAccount(server, human, 'erase');
  assert.equal((await read(human.username)).status, 409);
  await server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update usernames
      set reserved_until = now() - interval '1 second'
      where username = ${human.username}`),
  );
  assert.equal((await read(human.username)).status, 200);
  const joined = await server.ask('POST', '/v1/humans', { body: { username: human.username } });
  assert.equal(joined.status, 201);
});

test('403 forbidden: registration is closed', async () => {
  await using closed = await startServer({ REGISTRATION: 'closed' });
  const { status } = await openBrowser(closed).ask('GET', '/-/join/username?username=ada');
  assert.equal(status, 403);
});
