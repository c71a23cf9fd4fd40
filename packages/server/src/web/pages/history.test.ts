// The history of an article: revisions, comparisons, an earlier text taken again, the preview; for whom.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openWriter } from '#test/writers';
import type { Writer } from '#test/writers';

let server: TestServer;
let writer: Writer;
before(async () => {
  server = await startServer();
  writer = await openWriter(server);
});
after(() => server[Symbol.asyncDispose]());

const key = '0123456789abcdef';
const placeOf = (id: string) => `/write/${id}/history`;
const takes = (id: string, fields: Readonly<Record<string, string>>, of: Writer = writer) =>
  of.send(`${placeOf(id)}?form=take`, { key, ...fields });
const states = (page: Awaited<ReturnType<Writer['page']>>) =>
  page
    .all('li')
    .filter(({ text }) => text.includes('Compare from'))
    .map(({ text }) => text.replaceAll(/\s+/g, ' '));

test('newest first, with what readers see, when it was published to the minute, and its characters', async () => {
  const { id } = await writer.published({ content: 'a'.repeat(1_600) });
  await writer.revise(id, { title: 'Another title' });
  await writer.revise(id, { content: 'Short.' });
  const rows = states(await writer.page(placeOf(id)));
  assert.equal(rows.length, 3);
  assert.match(rows[0] ?? '', /20\d\d, \d\d:\d\d UTC Newest 6 characters/);
  assert.match(rows[1] ?? '', / 1,600 characters /);
  assert.match(rows[2] ?? '', /Readers see this 1,600 characters Title: A title/);
  assert.ok(!(rows[0] ?? '').includes('Take this text again'));
  assert.ok((rows[2] ?? '').includes('Take this text again'));
});

test('the characters of a text in any script, of a long one about; one revision offers no comparison', async () => {
  const { id } = await writer.draft({ content: 'Über 👋.' });
  const first = await writer.page(placeOf(id));
  assert.match(first.text, />7 characters</);
  assert.ok(!first.text.includes('Compare'), first.text);
  await writer.revise(id, { content: 'шесть '.repeat(3_000) });
  const { text } = await writer.page(placeOf(id));
  assert.match(text, />about 18,000 characters</);
  assert.match(text, /<span>From<\/span><span>To<\/span>/);
});

test('two revisions compared, whichever is chosen first: words, title, details', async () => {
  const { id, revision_id: first } = await writer.draft({
    content: 'One line.\nShade, water and time <b>.\nLast.\n',
  });
  await writer.revise(id, { title: 'A better title', metadata: { topics: ['moss'] } });
  const last = await writer.revise(id, {
    content: 'One line.\nShade, clean water and time <b>.\nLast.\nMore.\n',
  });
  for (const [from, to] of [
    [first, last],
    [last, first],
  ]) {
    const page = await writer.page(`${placeOf(id)}?from=${from}&to=${to}`);
    assert.match(page.text, /2 lines added, 1 line removed, title changed, details changed\./);
    const added = page.all('ins').map(({ text }) => text.trim());
    assert.deepEqual(added, ['A better title', 'Shade, clean water and time <b>.', 'More.']);
    const words = page.all('mark').map(({ text }) => text);
    assert.ok(words.includes('clean '), words.join('|'));
    const checked = page.all('input').filter(({ attributes }) => 'checked' in attributes);
    assert.deepEqual(
      checked.map(({ attributes }) => [attributes['name'], attributes['value']]),
      [
        ['to', last],
        ['from', first],
      ],
    );
  }
  assert.equal((await writer.page(`${placeOf(id)}?from=${first}&to=${id}`)).status, 404);
});

test('an earlier text taken again is a new revision; nothing is rewritten, and twice is once', async () => {
  const { id, revision_id: first } = await writer.published({
    title: 'First',
    content: 'The first text.',
    metadata: { topics: ['first'] },
  });
  const newest = await writer.revise(id, { title: 'Second', content: 'X.', metadata: {} });
  for (let press = 1; press <= 2; press += 1) {
    const sent = await takes(id, { take: first, newest });
    assert.equal(sent.status, 303, sent.text);
    assert.equal(sent.headers.get('location'), `${placeOf(id)}?said=taken#said`);
  }
  const article = await writer.newest(id);
  assert.equal(article.title, 'First');
  assert.equal(article.content, 'The first text.');
  assert.deepEqual(article.metadata, { topics: ['first'] });
  const page = await writer.page(`${placeOf(id)}?said=taken`);
  assert.equal(states(page).length, 3);
  assert.match(page.text, /The text is taken again/);
});

test('412: the text changed meanwhile; the page says so and shows the newest', async () => {
  const { id, revision_id: first } = await writer.draft();
  const seen = await writer.revise(id, { content: 'Second.' });
  const newest = await writer.revise(id, { content: 'Third.' });
  const sent = await takes(id, { take: first, newest: seen });
  assert.equal(sent.status, 412);
  assert.match(sent.text, /The text has changed since you opened this page/);
  assert.match(sent.text, new RegExp(`name="newest" value="${newest}"`));
  assert.equal((await writer.newest(id)).content, 'Third.');
});

test('pages of twenty', async () => {
  const { id } = await writer.draft();
  for (let at = 1; at <= 24; at += 1) await writer.revise(id, { content: `Text ${at}.` });
  const page = await writer.page(placeOf(id));
  assert.equal(states(page).length, 20);
  const next = page.all('a').find(({ attributes }) => attributes['rel'] === 'next');
  assert.equal(states(await writer.page(next?.attributes['href'] ?? '')).length, 5);
});

test('404 for somebody else’s article; an agent’s is only read by its owner', async () => {
  const other = await openWriter(server);
  const published = await writer.published();
  const agent = await writer.agent();
  const { id, revision_id: first } = await server.draft(agent);
  const headers = { 'if-match': `"${first}"` };
  const body = { content: 'Second.' };
  const path = `/v1/articles/${id}/revisions`;
  const revised = await server.ask('POST', path, { token: agent.token, key: true, headers, body });
  const page = await writer.page(placeOf(id));
  assert.equal(states(page).length, 2);
  assert.ok(!page.text.includes('Take this text again'));
  const taken = await takes(id, { take: first, newest: revised.body.revision_id });
  assert.equal(taken.status, 403);
  for (const one of [published.id, id]) {
    assert.equal((await other.page(placeOf(one))).status, 404);
    assert.equal((await other.page(`/write/${one}/preview`)).status, 404);
    assert.equal((await takes(one, { take: first, newest: first }, other)).status, 404);
  }
});

test('the preview has the newest text as the page of the article has it, for no one else and no robot', async () => {
  const { id, url } = await writer.published({ content: 'Old.' });
  await writer.revise(id, {
    title: 'New title',
    content: 'New *text* with a [link](/x).\n\n## Part',
  });
  const preview = await writer.page(`/write/${id}/preview`);
  assert.equal(preview.status, 200);
  assert.equal(preview.headers.get('cache-control'), 'private, no-store');
  assert.match(preview.headers.get('x-robots-tag') ?? '', /noindex/);
  assert.match(preview.text, /Only you can see this page/);
  const proseOf = (text: string) => /<div class="prose"[^]*?<\/div>/.exec(text)?.[0];
  assert.match(proseOf(preview.text) ?? '', /<em>text<\/em>/);
  const path = new URL(url).pathname;
  assert.match(proseOf((await writer.page(path)).text) ?? '', /Old\./);
  const fields = { key, act: 'publish', revision: (await writer.newest(id)).revision_id };
  const sent = await writer.send(`/write/${id}/publish?form=publish`, fields);
  const page = await writer.page(sent.headers.get('location') ?? '');
  assert.equal(proseOf(page.text), proseOf(preview.text));
});
