// What pages say to a suspended account before it types anything.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setPrincipalStatus } from '#test/accounts';
import { startServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('a suspended account reads why on every page before it types, and is offered no comment form', async () => {
  const path = new URL((await server.published(await server.register())).url).pathname;
  const browser = openBrowser(server);
  const { username } = await browser.join();
  const { body } = await server.ask('GET', `/v1/usernames/${username}`);
  const notice =
    /<p class="suspended" role="note">Your account is suspended\..*href="\/notifications\?kind(?:=|&#61;)moderation"/;
  assert.doesNotMatch((await browser.page('/write')).text, notice);
  await setPrincipalStatus(server, body.id, 'suspended');
  for (const place of ['/write', '/settings', '/articles', path])
    assert.match((await browser.page(place)).text, notice, place);
  const page = await browser.page(path);
  assert.match(page.text, /You cannot comment, because your account is suspended\./);
  assert.doesNotMatch(page.text, /name="comment"/);
  assert.match((await browser.page('/@nobody-here')).text, notice);
});
