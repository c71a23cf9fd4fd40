// Tests of POST /-/recover.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openAuthenticator } from '#test/authenticator';
import { freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

test('200: a code works once, however it is typed', async () => {
  const { username, recoveryCodes } = await openBrowser(server).join();
  const [code = '', other = ''] = recoveryCodes;
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
  const browser = openBrowser(server);
  const { status, body } = await browser.ask('POST', '/-/recover', {
    body: { username, code: typed },
  });
  assert.deepEqual([status, body], [200, { username, passkeys: 1 }]);
  const again = await browser.ask('POST', '/-/recover', { body: { username, code } });
  assert.equal(again.status, 401);
  assert.match(again.body.detail, /use another code/);
  const { body: left } = await browser.ask('GET', '/-/passkeys');
  assert.equal(left.recovery_codes_left, 9);
  const both = await Promise.all(
    [0, 1].map(() =>
      openBrowser(server).ask('POST', '/-/recover', { body: { username, code: other } }),
    ),
  );
  assert.deepEqual(
    both.map((one) => one.status).toSorted((one, other) => one - other),
    [200, 401],
  );
});

test('a person who lost all passkeys adds a new one', async () => {
  const { username, recoveryCodes } = await openBrowser(server).join();
  const browser = openBrowser(server);
  await browser.ask('POST', '/-/recover', { body: { username, code: recoveryCodes[0] } });
  const passkey = openAuthenticator(server.baseUrl);
  assert.equal((await browser.addPasskey(passkey)).status, 201);
  assert.equal((await openBrowser(server).signIn(passkey)).status, 200);
});

test('401 unauthenticated: one answer for a wrong code, a wrong name, and what is neither', async () => {
  const { username, recoveryCodes } = await openBrowser(server).join();
  const [code = ''] = recoveryCodes;
  const other = await openBrowser(server).join();
  const cases = [
    { username, code: '00000-00000-00000-00000' },
    { username, code: 'x' },
    { username: other.username, code },
    { username: freshName(), code },
    { username: 'no name', code },
  ];
  const details = new Set<string>();
  for (const body of cases) {
    const answer = await openBrowser(server).ask('POST', '/-/recover', { body });
    assert.equal(answer.status, 401, JSON.stringify(body));
    details.add(answer.body.detail);
  }
  assert.equal(details.size, 1);
});
