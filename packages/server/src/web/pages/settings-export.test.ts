// The page /settings/export without scripts: request an archive, see it grow, download and delete it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extractFiles, jsonOf } from '#test/exports';
import { freshKey, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { until } from '#test/throw-away-database';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const page = '/settings/export';

async function join() {
  const browser = openBrowser(server);
  const { username } = await browser.join();
  const send = (form: string, fields: Readonly<Record<string, string>> = {}) =>
    browser.sendForm(
      `${page}?form=${form}`,
      new URLSearchParams({ key: freshKey(), ...fields }).toString(),
    );
  const exports = async () => (await browser.ask('GET', '/-/v1/exports')).body.items;
  const write = (title: string) =>
    browser.ask('POST', '/-/v1/articles', { key: true, body: { title, content: 'Some text.' } });
  return { browser, username, send, exports, write };
}

test('signed out: sign in first', async () => {
  const { status, headers } = await fetch(server.baseUrl + page, { redirect: 'manual' });
  assert.equal(status, 303);
  assert.match(headers.get('location') ?? '', /^\/sign-in\?/);
});

test('an archive is requested, downloaded through the session, and deleted', async () => {
  const { browser, send, exports, write } = await join();
  const { id: articleId } = (await write('Mine')).body;
  assert.match((await browser.page(page)).text, /There are no archives yet/);
  const sent = await send('request');
  assert.deepEqual(
    [sent.status, sent.headers.get('location')],
    [303, `${page}?done=requested#done`],
  );
  assert.match((await browser.page(`${page}?done=requested`)).text, /The archive is being made/);
  await until('it is ready', async () => (await exports())[0].status === 'ready');
  const shown = await browser.page(page);
  assert.match(shown.text, /1 article, 0 comments, 0 files/);
  const [link] = shown.all('a').filter(({ attributes }) => 'download' in attributes);
  const path = link?.attributes['href']?.replace(server.baseUrl, '') ?? '';
  const [{ id }] = await exports();
  assert.equal(path, `/-/v1/exports/${id}/content`);
  const response = await fetch(server.baseUrl + path, {
    headers: { cookie: browser.cookie() ?? '', 'sec-fetch-site': 'same-origin' },
  });
  const files = await extractFiles(Buffer.from(await response.arrayBuffer()));
  assert.equal(jsonOf(files, `data/articles/${articleId}.json`).article.title, 'Mine');
  const other = await fetch(server.baseUrl + path, {
    headers: { cookie: browser.cookie() ?? '', 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(other.status, 403);
  for (const time of ['first', 'second']) {
    const deleted = await send('delete', { item: id });
    assert.deepEqual(
      [deleted.status, deleted.headers.get('location')],
      [303, `${page}?done=deleted#done`],
      time,
    );
  }
  assert.match((await browser.page(page)).text, /There are no archives yet/);
});

test('a second request while one runs says so on the page; the archive of an agent has its name', async () => {
  const { browser, username, send, exports, write } = await join();
  const agentName = `${username.slice(0, 25)}-bot`;
  await browser.ask('POST', '/-/v1/agents', { body: { username: agentName } });
  const agents = (await browser.ask('GET', '/-/v1/agents')).body.items;
  assert.match((await browser.page(page)).text, new RegExp(`@${agentName} \\(agent\\)`));
  assert.equal((await send('request', { principal_id: agents[0].id })).status, 303);
  assert.match((await browser.page(page)).text, new RegExp(`@${agentName}</strong>`));
  for (let n = 0; n < 4; n += 1) await write(`Article ${n}`);
  const both = await Promise.all([send('request'), send('request')]);
  const refused = both.find(({ status }) => status !== 303);
  if (refused !== undefined)
    assert.match(refused.text, /An export of this principal is being built/);
  await until('all are ready', async () =>
    (await exports()).every(({ status }: { status: string }) => status === 'ready'),
  );
});
