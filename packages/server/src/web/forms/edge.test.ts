// The forms of links between articles: found by title, pasted, from another’s page, refused, removed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human, Response, TestServer } from '#test/harness';
import { fetchPage } from '#test/page';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
let browser: TestBrowser;
let me: Human;
let author: Human;
let theirs: Response['body'];
before(async () => {
  server = await startServer();
  browser = openBrowser(server);
  const { username } = await browser.join();
  const { body } = await browser.ask('GET', '/-/v1/me');
  const issued = await browser.ask('POST', '/-/v1/tokens', {
    body: { principal_id: body.principal.id, name: 'of a test' },
    key: true,
  });
  me = { id: body.principal.id, username, token: issued.body.token };
  author = await server.register();
  theirs = await server.published(author, { title: 'Tides & <pools> of the north' });
  await untilSettled(server);
});
after(() => server[Symbol.asyncDispose]());

let keys = 0;
function fields(members: Readonly<Record<string, string>>): string {
  keys += 1;
  return new URLSearchParams({ key: `key-of-the-form-${keys}`, ...members }).toString();
}

const pathOf = ({ url }: Response['body']) => new URL(String(url)).pathname;

async function edgesOf({ id }: Response['body']): Promise<readonly Response['body'][]> {
  return (await server.ask('GET', `/v1/articles/${id}/edges`)).body.items;
}

test('303 a link found by the words of a title, without scripts', async () => {
  const mine = await server.published(me);
  const path = pathOf(mine);
  const closed = await browser.page(path);
  const way = closed.all('a').find(({ text }) => text === 'Link this article to another work');
  assert.equal(way?.attributes['href'], `${path}?link=#link`);
  const found = await browser.page(`${path}?link=tides+pools`);
  assert.match(found.text, /Tides &#38; &#60;pools&#62; of the north|Tides &amp; &lt;pools/);
  const choice = found.all('a').find(({ text }) => text === 'Choose');
  const chosen = await browser.page(choice?.attributes['href'] ?? '');
  assert.match(chosen.text, new RegExp(`name="to" value="${theirs.id}"`));
  const kinds = chosen.all('option').filter(({ text }) => text.startsWith('Cites: names it'));
  assert.equal(kinds.length, 1);
  const typed = fields({ to: theirs.id, kind: 'extends', note: 'The <b>north</b>' });
  const sent = await browser.sendForm(`${path}?form=link`, typed);
  const [edge] = await edgesOf(mine);
  assert.equal(sent.headers.get('location'), `${path}#edge-${edge.id}`);
  assert.equal(edge.dst_article_id, theirs.id);
  assert.equal(edge.kind, 'extends');
  const page = await fetchPage(server, path);
  assert.match(page.text, new RegExp(`id="edge-${edge.id}"`));
  assert.match(page.text, /The &#60;b&#62;north/);
  assert.match((await fetchPage(server, theirs.url)).text, /Extended by/, 'at once on both pages');
  assert.equal((await browser.sendForm(`${path}?form=link`, typed)).status, 303, 'sent twice');
  assert.equal((await edgesOf(mine)).length, 1);
});

test('a pasted address of this service is its article, any other is itself', async () => {
  const mine = await server.published(me);
  const path = pathOf(mine);
  const paste = (text: string) => browser.page(`${path}?link=${encodeURIComponent(text)}`);
  for (const text of [theirs.url, `${theirs.url}.md`, `${theirs.url}?a=b#c`, theirs.id])
    assert.match((await paste(text)).text, new RegExp(`name="to" value="${theirs.id}"`), text);
  for (const text of ['https://e.example/a-page', 'doi:10.1000/182']) {
    const page = await paste(text);
    const to = page.elements.findLast(({ attributes }) => attributes['name'] === 'to');
    assert.equal(to?.attributes['value'], text);
    const sent = await browser.sendForm(`${path}?form=link`, fields({ to: text, kind: 'cites' }));
    assert.equal(sent.status, 303);
  }
  const uris = (await edgesOf(mine)).map(({ dst_uri }) => dst_uri);
  assert.deepEqual(new Set(uris), new Set(['https://e.example/a-page', 'doi:10.1000/182']));
  for (const text of ['javascript:alert(1)', 'https://e.example/a b', 'zzqqzz'])
    assert.match((await paste(text)).text, /No article has these words/, text);
});

test('303 on another’s article: a link from one of the person’s own', async () => {
  const fresh = openBrowser(server);
  await fresh.join();
  const none = await fresh.page(`${pathOf(theirs)}?link=`);
  assert.match(none.text, /You have published no article yet/);
  const mine = await server.published(me, { title: 'Mine to link' });
  const path = pathOf(theirs);
  const page = await browser.page(`${path}?link=`);
  assert.match(page.text, new RegExp(`<option value="${mine.id}">Mine to link`));
  const typed = fields({ source: mine.id, kind: 'replies_to', note: '' });
  const sent = await browser.sendForm(`${path}?form=link`, typed);
  const [edge] = await edgesOf(mine);
  assert.equal(sent.headers.get('location'), `${path}#edge-${edge.id}`);
  assert.equal(edge.dst_article_id, theirs.id);
  assert.equal(edge.note, null);
  assert.match((await browser.page(path)).text, new RegExp(`id="edge-${edge.id}"`));
});

test('422 and 404 a refused link comes back with what was typed', async () => {
  const mine = await server.published(me);
  const path = pathOf(mine);
  const wrong = { to: theirs.id, kind: 'retracts', note: 'My <i>note</i>' };
  const sent = await browser.sendForm(`${path}?form=link`, fields(wrong));
  assert.equal(sent.status, 422);
  assert.match(sent.text, /id="kind-fault"[^>]*>This is allowed only between articles of one/);
  assert.match(sent.text, /value="retracts" selected/);
  assert.match(sent.text, /My &#60;i&#62;note/);
  assert.match(sent.text, new RegExp(`name="to" value="${theirs.id}"`));
  const long = { to: theirs.id, kind: 'cites', note: 'x'.repeat(1_001) };
  const tooLong = await browser.sendForm(`${path}?form=link`, fields(long));
  assert.match(tooLong.text, /id="note-fault"[^>]*>This must have at most 1000 characters/);
  const scheme = { to: 'javascript:alert(1)', kind: 'cites', note: '' };
  const refused = await browser.sendForm(`${path}?form=link`, fields(scheme));
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="to-fault"[^>]*>This /);
  const missing = { to: '0'.repeat(26), kind: 'cites', note: 'Kept' };
  const gone = await browser.sendForm(`${path}?form=link`, fields(missing));
  assert.equal(gone.status, 404);
  assert.match(gone.text, /role="alert">One of the two articles is not there any more/);
  assert.match(gone.text, />\nKept<\/textarea>/);
  const foreign = { source: theirs.id, kind: 'cites', note: '' };
  const other = await server.published(author);
  const forbidden = await browser.sendForm(`${pathOf(other)}?form=link`, fields(foreign));
  assert.equal(forbidden.status, 403);
  assert.deepEqual(await edgesOf(mine), []);
});

test('303 removing the person’s own link; others see no way to', async () => {
  const mine = await server.published(me);
  const path = pathOf(mine);
  await browser.sendForm(`${path}?form=link`, fields({ to: theirs.id, kind: 'cites' }));
  const [{ id }] = (await edgesOf(mine)) as [Response['body']];
  assert.match((await browser.page(path)).text, new RegExp(`id="unlink-${id}"`));
  assert.doesNotMatch((await fetchPage(server, path)).text, /unlink|Link this|Link one/);
  const other = openBrowser(server);
  await other.join();
  assert.doesNotMatch((await other.page(path)).text, /unlink-/);
  assert.equal(
    (await other.sendForm(`${path}?form=unlink`, fields({ to: id }))).status,
    403,
    'only who asserted it',
  );
  for (const _ of [1, 2]) {
    const sent = await browser.sendForm(`${path}?form=unlink`, fields({ to: id }));
    assert.equal(sent.headers.get('location'), `${path}#connections`);
  }
  assert.deepEqual(await edgesOf(mine), []);
});

test('401 signed out: nothing is linked, and what was typed comes back', async () => {
  const mine = await server.published(me);
  const typed = fields({ to: theirs.id, kind: 'cites', note: 'My note' });
  const sent = await openBrowser(server).sendForm(`${pathOf(mine)}?form=link`, typed);
  assert.equal(sent.status, 401);
  assert.match(sent.text, /My note/);
  const page = await fetchPage(server, `${pathOf(mine)}?link=x`);
  assert.doesNotMatch(page.text, /composer/);
});

test('an address in another script is shown with its words, and leads where it led', async () => {
  const mine = await server.published(me, { title: 'שלום עולם' });
  const path = pathOf(mine);
  const hebrew =
    'https://he.wikipedia.example/wiki/%D7%99%D7%A8%D7%95%D7%A9%D7%9C%D7%99%D7%9D%20%E2%80%AE';
  const shown = 'https://he.wikipedia.example/wiki/<bdi>ירושלים</bdi>%20%E2%80%AE';
  const chosen = await browser.page(`${path}?${new URLSearchParams({ link: hebrew })}`);
  assert.ok(chosen.text.includes(`<bdi dir="ltr">${shown}</bdi>`), chosen.text);
  assert.ok(chosen.text.includes(`name="to" value="${hebrew}"`));
  const sent = await browser.sendForm(`${path}?form=link`, fields({ to: hebrew, kind: 'cites' }));
  assert.equal(sent.status, 303, sent.text);
  const { text } = await browser.page(path);
  assert.ok(text.includes(`href="${hebrew}"><bdi dir="ltr">${shown}</bdi></a>`), text);
  const graph = (await browser.page(`${path}/graph`)).text;
  assert.ok(graph.includes(`href="${hebrew}" rel="ugc nofollow noopener"><bdi dir="ltr">${shown}`));
  assert.doesNotMatch(graph, /<text[^>]*direction="rtl"[^>]*>[^<]*wiki/);
  const publish = (await browser.page(`/write/${mine.id}/publish`)).text;
  assert.ok(publish.includes(`/@${me.username}/<bdi>שלום-עולם</bdi>-${mine.id}</bdi>`), publish);
});
