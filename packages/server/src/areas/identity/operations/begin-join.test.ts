// Tests of POST /-/join/begin.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

test('200: options for a discoverable passkey that verifies its user', async () => {
  const username = freshName();
  const { status, body } = await openBrowser(server).ask('POST', '/-/join/begin', {
    body: { username, display_name: 'Ada' },
  });
  assert.equal(status, 200);
  const { options } = body;
  assert.equal(options.rp.id, new URL(server.baseUrl).hostname);
  assert.deepEqual([options.user.name, options.user.displayName], [username, 'Ada']);
  assert.equal(options.authenticatorSelection.residentKey, 'required');
  assert.equal(options.authenticatorSelection.userVerification, 'required');
  assert.equal(options.attestation, 'none');
});

test('409 conflict: the name is taken, or reserved', async () => {
  const browser = openBrowser(server);
  const { username } = await server.register();
  for (const name of [username, 'admin']) {
    const { status, body } = await browser.ask('POST', '/-/join/begin', {
      body: { username: name },
    });
    assert.equal(status, 409, name);
    assert.match(body.detail, /Choose another/);
  }
});

test('422 validation-failed: what is wrong with the name', async () => {
  const { status, body } = await openBrowser(server).ask('POST', '/-/join/begin', {
    body: { username: 'no spaces' },
  });
  assert.equal(status, 422);
  assert.equal(body.errors[0].pointer, '/username');
});

test('403 forbidden: from a page of another site, or without a sign of where it comes from', async () => {
  const cases = [
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ];
  for (const headers of cases) {
    const { status, body } = await openBrowser(server).ask('POST', '/-/join/begin', {
      body: { username: freshName() },
      headers,
    });
    assert.equal(status, 403, JSON.stringify(headers));
    assert.match(body.detail, /Open the page again/);
  }
  const bare = await server.ask('POST', '/-/join/begin', { body: { username: freshName() } });
  assert.equal(bare.status, 403, 'no Origin');
});
