// The page of a graph: what it shows to whom, at which address, and that picture and list say the same.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { scopes } from '@colophon/contract';
import { storeToken } from '#test/accounts';
import { createAgent } from '#test/agents';
import { link, untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { fetchPage } from '#test/page';
import type { FetchedPage } from '#test/page';
import { openBrowser } from '#test/web-session';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
let middle: Response['body'];
let cited: Response['body'];
let far: Response['body'];
let path: string;

before(async () => {
  author = await server.register();
  const agent = await createAgent(server, author);
  middle = await server.published(author, { title: 'In the middle' });
  cited = await server.published(agent, { title: 'What is cited' });
  far = await server.published(author, { title: 'Far away' });
  const secret = await server.published(author, { title: 'Secret', visibility: 'private' });
  await link(server, author, [middle, cited], { note: 'A <note>.' });
  await link(server, author, [middle, secret]);
  await link(server, author, [secret, middle], { kind: 'refutes' });
  await link(server, agent, [cited, far], { kind: 'extends' });
  await link(server, author, [far, middle], { kind: 'replies_to' });
  const uri = { src_article_id: far.id, kind: 'related', dst_uri: 'doi:10.1000/xyz' };
  const made = await server.ask('POST', '/v1/edges', { token: author.token, key: true, body: uri });
  assert.equal(made.status, 201);
  await untilSettled(server);
  path = `${middle.url.slice(server.baseUrl.length)}/graph`;
});

const dotsOf = ({ elements }: FetchedPage) =>
  elements.filter(({ attributes }) => /^n\b/.test(attributes['class'] ?? '') && attributes['id']);

test('200 the picture has each work once, and so has the list', async () => {
  const page = await fetchPage(server, path);
  assert.equal(page.status, 200);
  const names = dotsOf(page).map(({ attributes }) => attributes['aria-label'] ?? '');
  assert.equal(names.length, 4);
  assert.ok(
    names.some((name) => /^What is cited, by @[\w-]+ \(agent\), one step away\. /.test(name)),
  );
  assert.ok(names.some((name) => name.startsWith('doi:10.1000/xyz, an address elsewhere')));
  const shapes = dotsOf(page).map(({ attributes }) => attributes['class'] ?? '');
  assert.deepEqual(shapes.toSorted(), ['n address', 'n agent', 'n human', 'n human middle']);
  const numbers = page.elements.flatMap(
    ({ attributes }) => /^node-\d+$/.exec(attributes['id'] ?? '') ?? [],
  );
  assert.deepEqual(numbers.toSorted(), ['node-1', 'node-2', 'node-3']);
  const headings = page.all('h3').map(({ text }) => text.trim());
  assert.deepEqual(headings.toSorted(), ['Answers to it 1', 'Cites 1']);
  assert.match(page.text, /A &#60;note&#62;\./);
  // A group of lines names the ends of all of them.
  const lines = page.all('g').filter(({ attributes }) => /^e\b/.test(attributes['class'] ?? ''));
  const ends = lines.flatMap(({ attributes }) => attributes['data-ends']?.split(',') ?? []);
  assert.equal(ends.length, 4);
  assert.ok(ends.every((pair) => /^\d+ \d+$/.test(pair)));
  assert.equal(dotsOf(page).filter(({ attributes }) => attributes['tabindex'] === '0').length, 1);
});

test('the same request has the same picture, and 304 for its tag', async () => {
  const one = await fetchPage(server, path);
  assert.equal((await fetchPage(server, path)).text, one.text);
  const tag = one.headers.get('etag') ?? '';
  const same = await fetch(server.baseUrl + path, { headers: { 'if-none-match': tag } });
  assert.equal(same.status, 304);
  assert.equal(one.headers.get('x-robots-tag'), 'noindex');
});

test('200 one step, three steps, and only some kinds; what makes no sense is ignored', async () => {
  const count = async (query: string) => dotsOf(await fetchPage(server, `${path}${query}`)).length;
  assert.equal(await count('?depth=1'), 3);
  assert.equal(await count('?depth=3'), 4);
  assert.equal(await count('?depth=1&kind=cites'), 2);
  assert.equal(await count('?depth=3&kind=cites&kind=extends&kind=nonsense'), 3);
  assert.equal(await count('?depth=99&kind='), 4);
  const none = await fetchPage(server, `${path}?kind=reviews`);
  assert.match(none.text, /No links of these kinds\./);
  assert.equal(dotsOf(none).length, 0);
});

test('301 from an older address, with depth and kinds', async () => {
  const moved = await fetchPage(
    server,
    `/@${author.username}/old-${middle.id}/graph?depth=3&kind=cites`,
  );
  assert.equal(moved.status, 301);
  assert.equal(moved.headers.get('location'), `${path}?depth=3&kind=cites`);
});

test('private works are in the picture of their author only, whose page is stored nowhere', async () => {
  const stranger = await fetchPage(server, `${path}?depth=3`);
  assert.doesNotMatch(stranger.text, /Secret|Refuted by/);
  const browser = openBrowser(server);
  await browser.join();
  const { id, username } = (await browser.ask('GET', '/-/v1/me')).body.principal;
  const person = { id, username, token: await storeToken(server, id, scopes) };
  const own = await server.published(person, { title: 'Seen by all' });
  const hidden = await server.published(person, { title: 'Hidden work', visibility: 'private' });
  await link(server, person, [own, hidden]);
  await untilSettled(server);
  for (const { url } of [own, hidden]) {
    const at = `${url.slice(server.baseUrl.length)}/graph`;
    const mine = await browser.page(at);
    assert.match(mine.text, /aria-label="Hidden work, by/);
    assert.equal(mine.headers.get('cache-control'), 'private, no-store');
    assert.doesNotMatch((await fetchPage(server, at)).text, /Hidden work/);
  }
});

test('404 a draft, 410 what was removed, and a removed neighbour keeps its place without its title', async () => {
  const draft = await server.draft(author, { title: 'A draft' });
  assert.equal((await fetchPage(server, `/@${author.username}/${draft.id}/graph`)).status, 404);
  assert.equal((await fetchPage(server, `/@${author.username}/nothing/graph`)).status, 404);
  await server.ask('DELETE', `/v1/articles/${far.id}`, { token: author.token });
  await untilSettled(server);
  assert.equal((await fetchPage(server, `/@${author.username}/${far.id}/graph`)).status, 410);
  const page = await fetchPage(server, path);
  assert.doesNotMatch(page.text, /Far away/);
  assert.match(page.text, /An article that was removed/);
});

test('an article without links says so, without a picture', async () => {
  const alone = await server.published(author, { title: 'Alone' });
  const page = await fetchPage(server, `${alone.url.slice(server.baseUrl.length)}/graph`);
  assert.equal(page.status, 200);
  assert.match(page.text, /Nothing is linked with this article yet\./);
  assert.doesNotMatch(page.text, /<svg class="graph"/);
});
