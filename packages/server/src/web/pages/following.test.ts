// `/following`: what somebody sees who follows nobody, some, and more than fit one page.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { openBrowser } from '#test/web-session';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

async function follow(follower: Human, followee: Human): Promise<void> {
  const asked = { token: follower.token, key: true, body: { principal_id: followee.id } } as const;
  assert.equal((await server.ask('POST', '/v1/follows', asked)).status, 201);
}

async function signedIn(human: Human) {
  const made = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  const browser = openBrowser(server);
  const secret = new URL(made.body.url).hash.slice(1);
  assert.equal((await browser.ask('POST', '/-/link', { body: { secret } })).status, 200);
  return browser;
}

test('without a session, the reader is asked to sign in, and the navigation has no such place', async () => {
  const browser = openBrowser(server);
  const { status, headers } = await browser.page('/following');
  assert.equal(status, 303);
  assert.match(headers.get('location') ?? '', /\/sign-in\?next=%2Ffollowing$/);
  assert.doesNotMatch((await browser.page('/')).text, /href="\/following"/);
});

test('the articles of those who are followed, newest first, and of nobody else', async () => {
  const [reader, one, other, stranger] = [
    await server.register(),
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  const browser = await signedIn(reader);
  const none = await browser.page('/following');
  assert.equal(none.status, 200);
  assert.match(none.text, /To follow somebody, open their page and press “Follow”\./);
  assert.match(none.text, /<a class="button" href="\/">Read the latest articles<\/a>/);
  assert.match(none.text, /<a href="[^"]*\/following" aria-current="page">Following<\/a>/);
  await server.published(one, { title: 'First of one' });
  await server.published(stranger, { title: 'Of a stranger' });
  await server.published(other, { title: 'Then of another' });
  for (const author of [one, other]) await follow(reader, author);
  const { text } = await browser.page('/following');
  const [first, then] = [text.indexOf('First of one'), text.indexOf('Then of another')];
  assert.ok(then > 0 && first > then, 'newest first');
  assert.doesNotMatch(text, /Of a stranger|To follow somebody/);
  const own = await browser.page('/following');
  assert.match(own.headers.get('cache-control') ?? '', /private|no-store/);
});

test('more than fit one page: a link to older ones, and back', async () => {
  const [reader, author] = [await server.register(), await server.register()];
  await follow(reader, author);
  for (let n = 0; n <= limits.page_limit_default; n += 1)
    await server.published(author, { title: `Number ${n} of many` });
  const browser = await signedIn(reader);
  const newest = await browser.page('/following');
  assert.doesNotMatch(newest.text, /Number 0 of many/);
  const older = newest.all('a').find(({ text }) => text === 'Older articles');
  const { pathname, search } = new URL(older?.attributes['href'] ?? '', server.baseUrl);
  assert.equal(pathname, '/following');
  const next = await browser.page(pathname + search);
  assert.match(next.text, /Number 0 of many/);
  assert.match(next.text, /Back to the first page/);
});
