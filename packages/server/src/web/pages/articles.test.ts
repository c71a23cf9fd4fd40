// The list of the person's own articles: every state in words, in parts, in pages; only the person's own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { openBrowser } from '#test/web-session';
import { openWriter } from '#test/writers';
import type { Writer } from '#test/writers';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

/** The titles of the list, with the state of each. */
async function listTitles(writer: Writer, place = '/articles'): Promise<Record<string, string>> {
  const page = await writer.page(place);
  assert.equal(page.status, 200, page.text);
  const titles = page.all('h2').map(({ text }) => text);
  const states = page
    .all('p')
    .filter(({ attributes }) => attributes['class'] === 'meta')
    .map(({ text }) => text.replaceAll(/\s+/g, ' '));
  return Object.fromEntries(titles.map((title, at) => [title, states[at] ?? '']));
}

test('signed out: the reader is asked to sign in, and comes back', async () => {
  const page = await openBrowser(server).page('/articles?show=drafts');
  assert.equal(page.status, 303);
  assert.match(page.headers.get('location') ?? '', /^\/sign-in\?next=%2Farticles%3Fshow%3Ddrafts$/);
});

test('nothing written: the page says how to begin', async () => {
  const page = await (await openWriter(server)).page('/articles');
  assert.match(page.text, /You have no drafts or articles/);
  assert.match(page.text, /href="\/write"/);
  assert.equal(page.headers.get('cache-control'), 'private, no-store');
  assert.match(page.headers.get('x-robots-tag') ?? '', /noindex/);
});

test('only a removed article: the page does not say that nothing was ever written', async () => {
  const writer = await openWriter(server);
  const { id } = await writer.published({ title: 'Gone' });
  assert.equal((await writer.ask('DELETE', `/-/v1/articles/${id}`)).status, 204);
  const { text } = await writer.page('/articles');
  assert.doesNotMatch(text, /not written|Gone/);
  assert.match(text, /What you removed is not listed/);
});

test('every state in words, and each part has its own', async () => {
  const [writer, other] = [await openWriter(server), await openWriter(server)];
  await other.published({ title: 'Of somebody else' });
  await writer.draft({ title: 'One' });
  await writer.published({ title: 'Two' });
  await writer.published({ title: 'Three', visibility: 'unlisted' });
  await writer.published({ title: 'Four', visibility: 'private' });
  const changed = await writer.published({ title: 'Five' });
  await writer.revise(changed.id, { content: 'Newer.' });
  const removed = await writer.published({ title: 'Six' });
  assert.equal((await writer.ask('DELETE', `/-/v1/articles/${removed.id}`)).status, 204);
  const all = await listTitles(writer);
  assert.deepEqual(Object.keys(all), ['Five', 'Four', 'Three', 'Two', 'One']);
  assert.match(all['One'] ?? '', /^Draft changed /);
  assert.match(all['Two'] ?? '', /^Published changed /);
  assert.match(all['Three'] ?? '', /^Published, unlisted changed /);
  assert.match(all['Four'] ?? '', /^Private changed /);
  assert.match(all['Five'] ?? '', /^Published Changes not published changed /);
  const shown = async (part: string) =>
    Object.keys(await listTitles(writer, `/articles?show=${part}`));
  assert.deepEqual(await shown('drafts'), ['One']);
  assert.deepEqual(await shown('published'), ['Five', 'Two']);
  assert.deepEqual(await shown('unlisted'), ['Three']);
  assert.deepEqual(await shown('private'), ['Four']);
  const { text } = await writer.page('/articles?show=private');
  assert.match(text, /<title>Your articles: Private · /);
  assert.deepEqual((await shown('toString')).length, 5);
});

test('what a moderator did is said', async () => {
  const writer = await openWriter(server);
  const moderator = await aModerator(server);
  const hidden = await writer.published({ title: 'Hidden' });
  const apart = await writer.published({ title: 'Apart' });
  await act(server, moderator, { target_type: 'article', target_id: hidden.id, action: 'hide' });
  await act(server, moderator, { target_type: 'article', target_id: apart.id, action: 'de-index' });
  const all = await listTitles(writer);
  assert.match(all['Hidden'] ?? '', /^Hidden by a moderator/);
  assert.match(all['Apart'] ?? '', /^Published, taken out of lists by a moderator/);
});

test('pages of twenty, without gaps and repetitions; a foreign cursor is ignored', async () => {
  const writer = await openWriter(server);
  for (let at = 1; at <= 45; at += 1) await writer.draft({ title: `Draft ${at}` });
  const seen: string[] = [];
  let place: string | undefined = '/articles?show=drafts';
  let pages = 0;
  while (place !== undefined) {
    seen.push(...Object.keys(await listTitles(writer, place)));
    const page = await writer.page(place);
    place = page.all('a').find(({ attributes }) => attributes['rel'] === 'next')?.attributes[
      'href'
    ];
    pages += 1;
  }
  assert.equal(pages, 3);
  assert.deepEqual(
    seen,
    Array.from({ length: 45 }, (_, at) => `Draft ${45 - at}`),
  );
  assert.equal(Object.keys(await listTitles(writer, '/articles?cursor=%27')).length, 20);
});
