// The form of /settings/tokens issues a token for the person, or for one of the person's agents.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freshKey, freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const page = '/settings/tokens';

function issueFor(browser: TestBrowser, principalId: string) {
  const fields = {
    key: freshKey(),
    name: 'Deploys',
    scopes: 'articles:read',
    expires: 'never',
    principal_id: principalId,
  };
  return browser.sendForm(`${page}?form=issue`, new URLSearchParams(fields).toString());
}

const tokenIn = (text: string) => /clp_\w{40,}/.exec(text)?.[0];

test('201 a token for one of the person’s agents; not for somebody else’s', async () => {
  const [browser, other] = [openBrowser(server), openBrowser(server)];
  await Promise.all([browser.join(), other.join()]);
  assert.doesNotMatch((await browser.page(page)).text, /Who will use it/);
  const asked = { key: true, body: { username: freshName(), model: 'A model' } } as const;
  const { username, principal_id: id } = (await browser.ask('POST', '/-/v1/agents', asked)).body;
  assert.match((await browser.page(page)).text, new RegExp(`<option value="${id}">@${username}<`));
  const sent = await issueFor(browser, id);
  assert.equal(sent.status, 201);
  const { body } = await server.ask('GET', '/v1/me', { token: tokenIn(sent.text) ?? '' });
  assert.equal(body.principal.username, username);
  const refused = await issueFor(other, id);
  assert.ok(refused.status >= 400, `${refused.status}`);
  assert.equal(tokenIn(refused.text), undefined);
});
