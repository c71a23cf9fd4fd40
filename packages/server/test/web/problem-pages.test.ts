// A problem as a page: what it says to people, and the navigation of its reader.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { webRoutes } from '#web';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { fetchPage } from '#test/page';
import type { FetchedPage } from '#test/page';
import { openBrowser } from '#test/web-session';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
before(async () => {
  author = await server.register();
});

test('404 and 410: a page for people, the document for programs', async () => {
  const made = await server.published(author);
  await server.ask('DELETE', `/v1/articles/${made.id}`, { token: author.token });
  const gone = await fetchPage(server, made.url);
  assert.equal(gone.status, 410);
  assert.equal(gone.all('h1')[0]?.text, 'This page was removed');
  assert.match(gone.text, /Removed <time datetime="[^"]+">\d+ \w+ \d{4}<\/time>\./);
  assert.match(gone.text, /include the request id: <code>/);
  assert.equal(gone.headers.get('x-robots-tag'), 'noindex');
  assert.doesNotMatch(gone.text, /A title/);
  for (const accept of ['application/json', '*/*', 'application/problem+json']) {
    const told = await fetchPage(server, made.url, { accept });
    assert.equal(told.status, 410);
    assert.match(told.headers.get('content-type') ?? '', /problem\+json/);
  }
  const missing = ['/nowhere', '/@nobody-here', '/@nobody-here/x', `/topics/no-such-topic`];
  for (const place of missing) {
    const page = await fetchPage(server, place);
    assert.equal(page.status, 404, place);
    assert.equal(page.all('h1')[0]?.text, 'Page not found', place);
    assert.doesNotMatch(page.text.split('<main')[1]?.split('</main')[0] ?? '', /\/v1|GET/, place);
  }
  const api = await fetchPage(server, '/v1/nowhere');
  assert.match(api.headers.get('content-type') ?? '', /problem\+json/, 'the API answers as ever');
});

test('an address that no route can read and one that asks too much are pages for people too', async () => {
  const unroutable = [
    ['/%zz', 400, 'This address does not work'],
    [`/@${'x'.repeat(600)}`, 404, 'Page not found'],
  ] as const;
  for (const [place, status, title] of unroutable) {
    const page = await fetchPage(server, place);
    assert.equal(page.status, status, place);
    assert.equal(page.all('h1')[0]?.text, title, place);
  }
  const wordy = await fetchPage(server, `/search?q=${'x'.repeat(300)}`);
  assert.match(wordy.text, /more than 200 characters\. Search for fewer words/);
});

test('a path with nothing where a name or an id belongs is the path of no page', async () => {
  const reader = openBrowser(server);
  await reader.join();
  const places = webRoutes
    .filter(({ method, path }) => method === 'GET' && path.endsWith('}'))
    .map(({ path }) => path.replace(/\{\w+\}$/, '').replaceAll(/\{\w+\}/g, '0'.repeat(26)));
  assert.ok(places.includes('/write/') && places.includes('/moderation/reports/'));
  for (const place of places) {
    const statuses = [await fetchPage(server, place), await reader.page(place)].map(
      ({ status }) => status,
    );
    assert.deepEqual(statuses, [404, 404], place);
  }
});

const navigations = (page: FetchedPage) =>
  page.all('nav').map(({ attributes }) => attributes['aria-label']);

test('a problem keeps the navigation of its reader', async () => {
  const reader = openBrowser(server);
  const { username } = await reader.join();
  const own = `Account of @${username}`;
  for (const place of ['/topics/no-such-topic', '/@nobody-here', `/write/${'0'.repeat(26)}`]) {
    const page = await reader.page(place);
    assert.equal(page.status, 404, place);
    assert.deepEqual(navigations(page), ['Main', own], place);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.match(page.headers.get('vary') ?? '', /\bCookie\b/);
    assert.equal(page.elements.filter(({ attributes }) => attributes['id'] === 'top').length, 1);
  }
  const signedOut = await fetchPage(server, '/topics/no-such-topic');
  assert.deepEqual(navigations(signedOut), ['Main', 'Account']);
  assert.ok(signedOut.all('a').some(({ text }) => text === 'Sign in'));
});

test('who is signed out can sign in on every problem, and see there what is their own', async () => {
  for (const place of ['/nowhere?a=b', '/@nobody-here']) {
    const page = await fetchPage(server, place);
    assert.deepEqual(navigations(page), ['Main', 'Account'], place);
    const own = page.all('a').find(({ text }) => text === 'sign in');
    assert.equal(own?.attributes['href'], `/sign-in?next=${encodeURIComponent(place)}`);
  }
  const reader = openBrowser(server);
  await reader.join();
  for (const place of ['/nowhere', '/@nobody-here'])
    assert.doesNotMatch((await reader.page(place)).text, /[Ss]ign in/, place);
});

test('a refused form without a page of its own keeps it too', async () => {
  const reader = openBrowser(server);
  const { username } = await reader.join();
  const sent = await reader.sendForm(
    `/write/${'0'.repeat(26)}/remove?form=delete`,
    'confirm=delete',
  );
  assert.equal(sent.status, 404);
  assert.ok(sent.text.includes(`aria-label="Account of @${username}"`), sent.text.slice(0, 2000));
});
