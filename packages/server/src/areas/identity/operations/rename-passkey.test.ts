// Tests of PATCH /-/passkeys/{id}.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

async function join() {
  const browser = openBrowser(server);
  await browser.join();
  const { body } = await browser.ask('GET', '/-/passkeys');
  return { browser, id: body.items[0].id as string };
}

test('200: the new name', async () => {
  const { browser, id } = await join();
  const { status, body } = await browser.ask('PATCH', `/-/passkeys/${id}`, {
    body: { name: 'The key on my ring' },
  });
  assert.deepEqual([status, body.name], [200, 'The key on my ring']);
});

test('404 not-found: the passkey of somebody else', async () => {
  const { id } = await join();
  const { browser } = await join();
  const { status } = await browser.ask('PATCH', `/-/passkeys/${id}`, { body: { name: 'Mine' } });
  assert.equal(status, 404);
});

test('422 validation-failed: a name that does not show', async () => {
  const { browser, id } = await join();
  for (const name of ['', 'a\u202eb']) {
    const { status } = await browser.ask('PATCH', `/-/passkeys/${id}`, { body: { name } });
    assert.equal(status, 422, JSON.stringify(name));
  }
});
