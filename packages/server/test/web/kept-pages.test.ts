// The page of an article is kept for readers who are signed out, and every change shows on the next request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { comment, reply } from '#test/comments';
import { link } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { fetchPage } from '#test/page';
import { getRaw } from '#test/raw-request';
import { openBrowser } from '#test/web-session';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
let reader: Human;
let article: Response['body'];
let path: string;

const fetchShown = async () => fetchPage(server, path);

before(async () => {
  author = await server.register();
  reader = await server.register();
  article = await server.published(author, { title: 'Kept', content: 'The first text.' });
  path = article.url.slice(server.baseUrl.length);
});

const patch = (token: string, place: string, body: unknown) =>
  server.ask('PATCH', place, { token, body });

test('each change of what a page shows is on the next page', async () => {
  const moderator = await aModerator(server);
  let first = '';
  const owner = { token: author.token, key: true } as const;
  const changes: readonly (readonly [name: string, seen: RegExp, make: () => Promise<unknown>])[] =
    [
      [
        'a comment',
        /Comment number one\./,
        async () => {
          first = (await comment(server, reader, article.id, { content: 'Comment number one.' }))
            .id;
        },
      ],
      ['a reply', /A reply\./, () => reply(server, author, first, { content: 'A reply.' })],
      [
        'the name of the author of a comment',
        /Renamed Reader/,
        () =>
          patch(reader.token, `/v1/principals/${reader.id}`, { display_name: 'Renamed Reader' }),
      ],
      [
        'a hidden comment',
        /This comment was hidden by a moderator\./,
        () => act(server, moderator, { target_type: 'comment', target_id: first, action: 'hide' }),
      ],
      [
        'a restored comment',
        /Comment number one\./,
        () =>
          act(server, moderator, { target_type: 'comment', target_id: first, action: 'restore' }),
      ],
      [
        'a deleted comment',
        /This comment was deleted by its author\./,
        () => server.ask('DELETE', `/v1/comments/${first}`, { token: reader.token }),
      ],
      [
        'the name of the author',
        /Renamed Author/,
        () =>
          patch(author.token, `/v1/principals/${author.id}`, { display_name: 'Renamed Author' }),
      ],
      [
        'a link',
        /Another work/,
        async () => {
          const other = await server.published(author, { title: 'Another work' });
          await link(server, author, [article, other]);
        },
      ],
      [
        'a new revision',
        /The second text\./,
        async () => {
          const made = await server.ask('POST', `/v1/articles/${article.id}/revisions`, {
            ...owner,
            body: { content: 'The second text.', expected_revision_id: article.revision_id },
          });
          const body = { revision_id: made.body.revision_id };
          await server.ask('POST', `/v1/articles/${article.id}/publish`, { ...owner, body });
        },
      ],
      [
        'a disclosure',
        /Written with the help of AI/,
        () =>
          patch(author.token, `/v1/articles/${article.id}`, {
            authorship_disclosure: 'ai_assisted',
          }),
      ],
    ];
  for (const [name, seen, make] of changes) {
    // The second one is the kept page.
    const kept = [await fetchShown(), await fetchShown()].map(({ text }) => text);
    assert.equal(kept[0], kept[1], name);
    assert.doesNotMatch(kept[1] ?? '', seen, name);
    await make();
    const page = await fetchShown();
    assert.match(page.text, seen, name);
    assert.equal(page.text, (await fetchShown()).text, name);
  }
});

test('the kept page is compressed once: the same bytes for each client that takes Brotli, and none for others', async () => {
  const plain = await getRaw(server, path);
  const first = await getRaw(server, path, ['Accept-Encoding: gzip, deflate, br']);
  const again = await getRaw(server, path, ['Accept-Encoding: br']);
  for (const { headers, body } of [first, again]) {
    assert.equal(headers.get('content-encoding'), 'br');
    assert.match(headers.get('vary') ?? '', /\bCookie\b.*\baccept-encoding\b/i);
    assert.equal(headers.get('etag'), plain.headers.get('etag'));
    assert.deepEqual(brotliDecompressSync(body), plain.body);
    assert.equal(headers.get('content-length'), String(body.length));
  }
  assert.deepEqual(again.body, first.body);
  for (const accepted of ['gzip', 'br;q=0, gzip', 'identity']) {
    const other = await getRaw(server, path, [`Accept-Encoding: ${accepted}`]);
    assert.notEqual(other.headers.get('content-encoding'), 'br', accepted);
  }
});

test('304 for the tag of the kept page, and the signed-in get a page of their own', async () => {
  const page = await fetchShown();
  const tag = page.headers.get('etag') ?? '';
  const same = await fetch(server.baseUrl + path, { headers: { 'if-none-match': tag } });
  assert.equal(same.status, 304);
  const browser = openBrowser(server);
  const { username } = await browser.join();
  const own = await browser.page(path);
  assert.match(own.text, new RegExp(`Account of @${username}`));
  assert.match(own.text, /Write a comment/);
  assert.equal((await fetchShown()).text, page.text);
});

test('404 the page of an article that is not public any more; it is back with its visibility', async () => {
  const place = `/v1/articles/${article.id}`;
  const before = await fetchShown();
  await patch(author.token, place, { visibility: 'private' });
  assert.equal((await fetchShown()).status, 404);
  await patch(author.token, place, { visibility: 'public' });
  assert.equal((await fetchShown()).status, before.status);
});

test('a stance that is taken beyond the first page of comments is on the kept first page', async () => {
  const discussed = await server.published(author, { title: 'Discussed', content: 'A text.' });
  const at = discussed.url.slice(server.baseUrl.length);
  const page = () => fetchPage(server, at);
  for (let count = 0; count < 51; count += 1)
    await comment(server, reader, discussed.id, { content: `Number ${count}.` });
  assert.doesNotMatch((await page()).text, /class="stances"/);
  const { id } = await comment(server, reader, discussed.id, { stance: 'disagrees' });
  assert.match((await page()).text, /1 person disagrees/);
  await comment(server, author, discussed.id, { stance: 'disagrees' });
  assert.match((await page()).text, /2 people disagree/);
  await server.ask('DELETE', `/v1/comments/${id}`, { token: reader.token });
  assert.match((await page()).text, /1 person disagrees/);
});
