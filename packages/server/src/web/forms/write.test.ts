// The editor as a form: drafts and revisions byte for byte, two tabs, faults, other people's articles.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fieldsIn } from '#test/forms/shown-forms';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
let browser: TestBrowser;
before(async () => {
  server = await startServer();
  browser = openBrowser(server);
  await browser.join();
});
after(() => server[Symbol.asyncDispose]());

let keys = 0;
/** The fields as a browser sends them: with CRLF for each line break. */
function encodeFields(fields: Readonly<Record<string, string>>): string {
  keys += 1;
  const all = { key: `key-of-form-${keys}`, ...fields };
  const lines = Object.entries(all).map(([name, value]) => [name, value.replaceAll('\n', '\r\n')]);
  return new URLSearchParams(lines).toString();
}

async function fetchShown(path: string) {
  const { all, status, text } = await browser.page(path);
  const named = (tag: string, name: string) =>
    all(tag).find(({ attributes }) => attributes['name'] === name);
  return {
    status,
    text,
    title: named('textarea', 'title')?.text,
    content: named('textarea', 'content')?.text,
    revision: named('input', 'revision')?.attributes['value'] ?? '',
  };
}

async function saveDraft(fields: Readonly<Record<string, string>>): Promise<string> {
  const answer = await browser.sendForm('/write?form=save', encodeFields(fields));
  assert.equal(answer.status, 303, answer.text);
  return answer.headers.get('location') ?? '';
}

const newest = async (path: string) => {
  const { body } = await browser.ask(
    'GET',
    `/-/v1/articles/${path.slice('/write/'.length)}?view=latest`,
  );
  return body;
};

const content = '\n\n# Überschrift\n\n  code <b>&amp;</textarea>\n\ttab  \n\n\u{1f600}é+%20\n\n';

test('a draft is made, and shown again byte for byte', async () => {
  const empty = await fetchShown('/write');
  assert.equal(empty.status, 200);
  assert.equal(empty.content, '');
  const path = await saveDraft({ title: 'A "title" & more', content });
  assert.match(path, /^\/write\/[0-9A-Z]{26}$/);
  const draft = await newest(path);
  assert.equal(draft.status, 'draft');
  assert.equal(draft.content, content);
  const page = await fetchShown(path);
  assert.equal(page.content, content);
  assert.equal(page.title, 'A "title" & more');
  assert.equal(page.revision, draft.revision_id);
});

test('422 a title of 400 characters comes back whole with its length, and nothing is saved', async () => {
  const title = `begin ${'x'.repeat(390)} end`;
  const sent = await browser.sendForm(
    '/write?form=save',
    encodeFields({ title, content: 'A text.' }),
  );
  assert.equal(sent.status, 422);
  assert.match(
    sent.text,
    /id="title-fault"[^>]*>This must have at most 300 characters; it has 400/,
  );
  const field = fieldsIn(sent.text).find(({ name }) => name === 'title');
  assert.equal(field?.value, title);
  const drafts = await browser.ask('GET', '/-/v1/articles?status=draft&limit=100');
  const titles = drafts.body.items.map((one: { readonly title: string }) => one.title);
  assert.ok(!titles.some((one: string) => one.startsWith('begin')));
});

test('saving makes a revision on top of the one that was shown, once for a double press', async () => {
  const path = await saveDraft({ title: 'One', content: 'first' });
  const { revision } = await fetchShown(path);
  const fields = encodeFields({ revision, title: 'Two', content: 'second' });
  for (let press = 0; press < 2; press += 1) {
    const answer = await browser.sendForm(`${path}?form=save`, fields);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), path);
  }
  const { body } = await browser.ask('GET', `/-/v1/articles/${path.slice(7)}/revisions`);
  assert.equal(body.items.length, 2);
  assert.equal((await newest(path)).title, 'Two');
});

test('412: both texts are shown, and the next press saves', async () => {
  const path = await saveDraft({ title: 'Both', content: 'base' });
  const { revision } = await fetchShown(path);
  await browser.sendForm(
    `${path}?form=save`,
    encodeFields({ revision, title: 'Both', content: 'in the other <i>tab' }),
  );
  const stale = await browser.sendForm(
    `${path}?form=save`,
    encodeFields({ revision, title: 'Mine', content: 'in this tab' }),
  );
  assert.equal(stale.status, 412);
  assert.match(stale.text, /This article was changed elsewhere/);
  assert.match(stale.text, /in the other &#60;i&#62;tab/);
  assert.match(stale.text, /in this tab<\/textarea>/);
  const [, next = ''] = /name="revision" value="(\w+)"/.exec(stale.text) ?? [];
  assert.notEqual(next, revision);
  const again = await browser.sendForm(
    `${path}?form=save`,
    encodeFields({ revision: next, title: 'Mine', content: 'both' }),
  );
  assert.equal(again.status, 303);
  assert.equal((await newest(path)).content, 'both');
});

test('422: what was typed comes back with the fault beside its field', async () => {
  const refused = await browser.sendForm(
    '/write?form=save',
    encodeFields({ title: 'x'.repeat(301), content: 'kept text' }),
  );
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="title-fault" aria-live="polite">This /);
  assert.match(refused.text, /kept text<\/textarea>/);
});

test('a text of 1 MiB that needs percent-encoding is saved; one byte more is refused', async () => {
  const long = 'é'.repeat(524_288);
  const path = await saveDraft({ title: 'Long', content: long });
  assert.equal((await newest(path)).content, long);
  const refused = await browser.sendForm(
    '/write?form=save',
    encodeFields({ title: 'Long', content: `${long}a` }),
  );
  assert.equal(refused.status, 422);
});

test('a title of several lines becomes one', async () => {
  const path = await saveDraft({ title: 'One\ntwo', content: 'Some text' });
  assert.equal((await newest(path)).title, 'One two');
});

test('without a title the beginning of the text is the name; the field stays empty', async () => {
  const path = await saveDraft({ title: '  ', content: 'Some text' });
  const page = await fetchShown(path);
  assert.equal(page.status, 200);
  assert.equal(page.title, '');
});

test('articles of others: 404 for a draft, 403 for a published one, 410 for a removed one', async () => {
  const other = await server.register();
  const draft = await server.draft(other);
  assert.equal((await fetchShown(`/write/${draft.id}`)).status, 404);
  const published = await server.published(other);
  assert.equal((await fetchShown(`/write/${published.id}`)).status, 403);
  const path = await saveDraft({ title: 'Gone', content: 'gone' });
  await browser.ask('DELETE', `/-/v1/articles/${path.slice(7)}`);
  assert.equal((await fetchShown(path)).status, 410);
});

test('a published article: the newest revision is edited, readers see the published one', async () => {
  const path = await saveDraft({ title: 'Shown', content: 'for readers' });
  const id = path.slice(7);
  await browser.ask('POST', `/-/v1/articles/${id}/publish`, { key: true, body: {} });
  const { revision } = await fetchShown(path);
  await browser.sendForm(
    `${path}?form=save`,
    encodeFields({ revision, title: 'Shown', content: 'not yet' }),
  );
  assert.equal((await fetchShown(path)).content, 'not yet');
  assert.equal((await server.ask('GET', `/v1/articles/${id}`)).body.content, 'for readers');
});

test('signed out, the reader is sent to sign in', async () => {
  const { status, headers } = await openBrowser(server).page('/write');
  assert.equal(status, 303);
  assert.match(headers.get('location') ?? '', /^\/sign-in/);
});
