// `/notifications`: the sentences, groups and kinds; the number of unread ones; paging; reading marks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgent } from '#test/agents';
import { appendEvents } from '#test/event-rows';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
let browser: TestBrowser;
let reader: { readonly id: string; readonly username: string };
let writer: Human;
let article: { readonly id: string };

async function publishOwn(title: string): Promise<{ readonly id: string }> {
  const body = { title, content: 'Some text.' };
  const draft = await browser.ask('POST', '/-/v1/articles', { body, key: true });
  const path = `/-/v1/articles/${draft.body.id}/publish`;
  const sent = { revision_id: draft.body.revision_id };
  assert.equal((await browser.ask('POST', path, { body: sent, key: true })).status, 200);
  return { id: draft.body.id };
}

before(async () => {
  server = await startServer();
  browser = openBrowser(server);
  await browser.join();
  reader = (await browser.ask('GET', '/-/v1/me')).body.principal;
  writer = await server.register();
  article = await publishOwn('My <article>');
});
after(() => server[Symbol.asyncDispose]());

const comment = async (content: string, stance?: string) =>
  server.ask('POST', `/v1/articles/${article.id}/comments`, {
    token: writer.token,
    key: true,
    body: { content, ...(stance === undefined ? {} : { stance }) },
  });

async function unread(): Promise<number> {
  const { all } = await browser.page('/');
  const header = all('header').find(({ attributes }) => attributes['id'] === 'top');
  return Number(header?.attributes['data-unread']);
}

const textOf = async (query = '') => {
  const { all } = await browser.page(`/notifications${query}`);
  return all('main')[0]?.text.replaceAll(/\s+/g, ' ') ?? '';
};

test('without a session: to sign in', async () => {
  const { status, headers } = await openBrowser(server).page('/notifications');
  assert.equal(status, 303);
  assert.match(headers.get('location') ?? '', /\/sign-in/);
});

test('an empty list says what comes here, and what to do next', async () => {
  assert.match(await textOf(), /No notifications yet.*Write an article/);
  assert.doesNotMatch(await textOf(), /With a keyboard/, 'nothing to go to');
  for (const kind of ['comments', 'links', 'followers', 'moderation', 'account']) {
    const { text } = await browser.page(`/notifications?kind=${kind}`);
    const [, href = ''] = /<div class="empty">[^]*?<a href="([^"]*)"/.exec(text) ?? [];
    assert.equal((await browser.page(href)).status, 200, kind);
  }
  assert.equal(await unread(), 0);
});

test('the title of the page names the kind, so that tabs of a browser and its history differ', async () => {
  const titleOf = async (query: string) =>
    /<title>([^<]*)<\/title>/.exec((await browser.page(`/notifications${query}`)).text)?.[1];
  assert.match((await titleOf('')) ?? '', /^Notifications · /);
  assert.match((await titleOf('?kind=links')) ?? '', /^Notifications: Links · /);
  assert.match((await titleOf('?kind=account')) ?? '', /^Notifications: Account · /);
});

test('comments on an article are one group, newest first, escaped, with stance and beginning', async () => {
  await comment('First <b>words</b>', 'supports');
  const second = await comment('Second words', 'asks');
  await server.ask('POST', '/v1/follows', {
    token: writer.token,
    body: { principal_id: reader.id },
  });
  assert.equal(await unread(), 3);
  const { all, text } = await browser.page('/notifications');
  assert.equal(all('h2').filter((one) => one.text === 'My <article>').length, 1);
  assert.ok(text.includes(`/comments/${second.body.id}`));
  const shown = await textOf();
  assert.match(shown, /With a keyboard/);
  assert.match(
    shown,
    /follows you.*My <article>.*commented and asks.*Second words.*commented and supports/,
  );
  assert.match(await textOf('?kind=followers'), /follows you/);
  assert.doesNotMatch(await textOf('?kind=followers'), /commented/);
  assert.match(await textOf('?kind=constructor'), /commented/);
});

test('what was deleted shows no text any more', async () => {
  const { body } = await comment('A slip of the pen');
  assert.match(await textOf(), /A slip of the pen/);
  await server.ask('DELETE', `/v1/comments/${body.id}`, { token: writer.token });
  assert.doesNotMatch(await textOf(), /A slip of the pen/);
});

test('all can be marked as read where all are shown: on the newest page of all kinds, while one is unread', async () => {
  const hasButton = async (at: TestBrowser, query = '') =>
    (await at.page(`/notifications${query}`)).text.includes('id="mark-read"');
  assert.ok((await unread()) > 0);
  assert.equal(await hasButton(browser), true);
  for (const query of ['?kind=comments', '?kind=moderation', `?cursor=${'0'.repeat(26)}`])
    assert.equal(await hasButton(browser, query), false, query);
  const nobody = openBrowser(server);
  await nobody.join();
  assert.equal(await hasButton(nobody), false);
});

test('marking as read: up to the newest one shown, once and again; a later one is unread', async () => {
  const { all } = await browser.page('/notifications');
  const newest = all('input').find(({ attributes }) => attributes['name'] === 'event_id');
  const id = newest?.attributes['value'] ?? '';
  await comment('While the page was open');
  const sent = await browser.sendForm('/notifications?form=read', `event_id=${id}`);
  assert.equal(sent.status, 303);
  assert.equal(await unread(), 1);
  const old = '0'.repeat(26);
  for (const event_id of [id, old])
    assert.equal(
      (await browser.ask('POST', '/-/notifications', { body: { event_id } })).status,
      204,
    );
  assert.equal(await unread(), 1, 'nothing is taken back');
  await server.ask('DELETE', `/v1/follows/${reader.id}`, { token: writer.token });
});

test('events of others are not marked, and marks of others count for nothing', async () => {
  const { body } = await server.ask('GET', '/v1/events', { token: writer.token });
  assert.deepEqual(body.items, []);
  const other = openBrowser(server);
  await other.join();
  const own = await browser.ask('GET', '/-/v1/events');
  const event_id = own.body.items.at(-1).id;
  await other.ask('POST', '/-/notifications', { body: { event_id } });
  assert.equal(await unread(), 1);
});

test('every type of event has words, even where nothing of it can be seen any more', async () => {
  await createAgent(server, writer);
  await appendEvents(server.db, [reader.id], 'nothing');
  const { status, text } = await browser.page('/notifications');
  assert.equal(status, 200);
  assert.doesNotMatch(text, /undefined|null|NaN/);
});

test('pages of thirty: none is missing and none is twice', async () => {
  for (let left = 8; left > 0; left -= 1)
    await appendEvents(
      server.db,
      Array.from({ length: 1 }, () => reader.id),
    );
  const list = await browser.ask('GET', '/-/v1/events?limit=100');
  const all = list.body.items.map(({ id }: { readonly id: string }) => id);
  const extra = Array.from({ length: 40 }, () => reader.id);
  for (const id of extra) await appendEvents(server.db, [id]);
  const seen: string[] = [];
  let path: string | undefined = '/notifications';
  while (path !== undefined) {
    const page = await browser.page(path);
    seen.push(
      ...page.elements.flatMap(({ attributes }) =>
        attributes['id']?.startsWith('n-') ? [attributes['id'].slice(2)] : [],
      ),
    );
    path = page.all('a').find(({ attributes }) => attributes['rel'] === 'next')?.attributes['href'];
  }
  assert.equal(new Set(seen).size, seen.length);
  assert.equal(seen.length, all.length + extra.length);
  assert.ok(all.every((id: string) => seen.includes(id)));
});
