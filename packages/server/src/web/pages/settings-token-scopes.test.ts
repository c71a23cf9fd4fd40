// Scopes in the form of /settings/tokens: none at all, and one that an agent may not have.
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

type Fields = readonly (readonly [string, string])[];

const usual: Fields = [
  ['name', 'Deploys'],
  ['scopes', 'articles:read'],
  ['expires', 'never'],
];

function issue(browser: TestBrowser, fields: Fields) {
  const sent = new URLSearchParams([['key', freshKey()], ...fields.map((pair) => [...pair])]);
  return browser.sendForm('/settings/tokens?form=issue', sent.toString());
}

test('a token without a scope says so when it is issued', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const bare = usual.filter(([name]) => name !== 'scopes');
  const sent = await issue(browser, bare);
  assert.equal(sent.status, 201);
  assert.match(sent.text, /It has no scopes/);
  assert.doesNotMatch((await issue(browser, usual)).text, /It has no scopes/);
});

test('a scope that agents may not have is refused in a whole sentence', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const key = freshKey();
  const body = { username: freshName() };
  const asked = { body, headers: { 'idempotency-key': key } };
  const made = await browser.ask('POST', '/-/v1/agents', asked);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const fields: Fields = [['principal_id', made.body.principal_id], ...usual];
  const refused = await issue(browser, [...fields, ['scopes', 'agents:manage']]);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /This must not contain agents:manage for an agent: leave it out/);
});
