// A session counts for nothing at the API, and a token counts for nothing at the web application.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ceremonyList, operationList } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { openBrowser } from './web-session.ts';
import type { TestBrowser } from './web-session.ts';

let server: TestServer;
let browser: TestBrowser;
let human: Human;
before(async () => {
  server = await startServer();
  browser = openBrowser(server);
  await browser.join();
  human = await server.register();
});
after(() => server[Symbol.asyncDispose]());

const pathOf = ({ path }: AnyOperation) =>
  path.replaceAll(/\{\w+\}/g, '01M7Z3KJBG7YHCVKQDVW6J2001');
const isGuarded = ({ access }: AnyOperation) => access !== 'public';

test('a session at every operation that needs a token: 401, as without any credential', async () => {
  for (const operation of operationList.filter(isGuarded)) {
    const { status } = await browser.ask(operation.method, pathOf(operation), { key: true });
    assert.equal(status, 401, operation.name);
  }
});

test('a token at every ceremony that needs a session: 401, as without any credential', async () => {
  const other = openBrowser(server);
  for (const operation of ceremonyList.filter(isGuarded)) {
    const { status } = await other.ask(operation.method, pathOf(operation), { token: human.token });
    assert.equal(status, 401, operation.name);
  }
});

test('a token in the cookie, and a session in the header, are no credentials', async () => {
  const [name = '', secret = ''] = (browser.cookie() ?? '').split('=');
  const swapped = { cookie: `${name}=${human.token}` };
  assert.equal((await server.ask('GET', '/-/sessions', { headers: swapped })).status, 401);
  assert.equal((await server.ask('GET', '/v1/me', { token: secret })).status, 401);
});

test('every ceremony that writes is refused from a page of another site, before anything else', async () => {
  const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  for (const operation of ceremonyList.filter(({ method }) => method !== 'GET')) {
    const { status } = await browser.ask(operation.method, pathOf(operation), { headers: foreign });
    assert.equal(status, 403, operation.name);
  }
  assert.equal((await browser.ask('GET', '/-/sessions')).status, 200, 'the session goes on');
});
