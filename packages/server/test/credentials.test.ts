// A session counts for nothing at the API, and a token counts for nothing at the web application. Writes from
// other sites are in test/forms/foreign.test.ts.
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

test('a token in the cookie, and a session in the header, are not credentials', async () => {
  const [name = '', secret = ''] = (browser.cookie() ?? '').split('=');
  const swapped = { cookie: `${name}=${human.token}` };
  assert.equal((await server.ask('GET', '/-/sessions', { headers: swapped })).status, 401);
  assert.equal((await server.ask('GET', '/v1/me', { token: secret })).status, 401);
});

/** The writes are in test/forms/foreign.test.ts. */
const reads = operationList.filter(({ method }) => method === 'GET');

test('the reads of the API below /-: a token counts for nothing, other sites are refused', async () => {
  const other = openBrowser(server);
  const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  for (const operation of reads) {
    const path = `/-${pathOf(operation)}`;
    if (isGuarded(operation)) {
      const { status } = await other.ask(operation.method, path, { token: human.token, key: true });
      assert.equal(status, 401, operation.name);
    }
    const { status } = await browser.ask(operation.method, path, { headers: foreign, key: true });
    assert.equal(status, 403, operation.name);
  }
});

test('the operations of the API below /-: a session acts as the account', async () => {
  const me = await browser.ask('GET', '/-/v1/me');
  assert.equal(me.status, 200);
  const body = { title: 'By session', content: 'Text.' };
  const key = 'a-key-of-a-session';
  const draft = await browser.ask('POST', '/-/v1/articles', { body, key });
  assert.equal(draft.status, 201);
  const again = await browser.ask('POST', '/-/v1/articles', { body, key });
  assert.equal(again.body.id, draft.body.id);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const list = await browser.ask('GET', '/-/v1/articles?status=draft&limit=1&author=me');
  assert.notEqual(list.status, 401);
  for (const path of ['/-/v1/humans', '/-/v1/web-links'])
    assert.equal((await browser.ask('POST', path, { body: {}, key: true })).status, 404, path);
});
