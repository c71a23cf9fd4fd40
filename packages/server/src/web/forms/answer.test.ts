// Forms of pages: sent by a browser or by a script, twice, signed out, too large. Other sites: test/forms.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
let browser: TestBrowser;
let followee: Human;
before(async () => {
  server = await startServer();
  browser = openBrowser(server);
  await browser.join();
  followee = await server.register();
});
after(() => server[Symbol.asyncDispose]());

const fields = 'key=0123456789abcdef';
const page = () => `/@${followee.username}`;

const followers = async () =>
  (await server.ask('GET', `/v1/principals/${followee.id}/followers`)).body.items.length;

test('a browser is redirected to the page, where the button is the other one', async () => {
  const sent = await browser.sendForm(`${page()}?form=follow`, fields);
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), `${page()}#follow`);
  assert.equal(await followers(), 1);
  const shown = await browser.page(page());
  assert.match(shown.text, />Unfollow</);
  assert.equal(shown.headers.get('cache-control'), 'private, no-store');
  assert.match(shown.headers.get('vary') ?? '', /Cookie/);
  assert.equal((await browser.sendForm(`${page()}?form=unfollow`, fields)).status, 303);
  assert.equal((await browser.sendForm(`${page()}?form=unfollow`, fields)).status, 303);
  assert.equal(await followers(), 0);
});

test('a script gets the address to show', async () => {
  const sent = await browser.sendForm(`${page()}?form=follow`, fields, {
    accept: 'application/json',
  });
  assert.equal(sent.status, 201);
  assert.equal(JSON.parse(sent.text).location, `${page()}#follow`);
});

test('signed out: a browser gets what was typed back, a script a problem', async () => {
  const other = openBrowser(server);
  const typed = `${fields}&text=${encodeURIComponent('<b>my words</b>\r\nsecond line')}`;
  const sent = await other.sendForm(`${page()}?form=follow`, typed, { accept: 'text/html' });
  assert.equal(sent.status, 401);
  assert.match(sent.text, /Sign in again/);
  assert.match(sent.text, /&#60;b&#62;my words|&lt;b&gt;my words/);
  const byScript = await other.sendForm(`${page()}?form=follow`, typed, {
    accept: 'application/json',
  });
  assert.equal(byScript.status, 401);
  assert.match(byScript.headers.get('content-type') ?? '', /problem\+json/);
});

test('an unknown form, another type, too many bytes, no bytes', async () => {
  const at = `${page()}?form=follow`;
  assert.equal((await browser.sendForm(`${page()}?form=toString`, fields)).status, 404);
  assert.equal((await browser.sendForm(page(), fields)).status, 404);
  const json = { 'content-type': 'application/json' };
  assert.equal((await browser.sendForm(at, fields, json)).status, 400);
  assert.equal((await browser.sendForm(at, `text=${'a'.repeat(70_000)}`)).status, 413);
  assert.equal((await browser.sendForm(at, '')).status, 400);
});
