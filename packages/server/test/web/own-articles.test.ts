// Pages of articles that only their author may read: drafts, private ones, and those that a moderator has hidden.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human, Response, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { fetchPage } from '#test/page';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
let author: TestBrowser;
let stranger: TestBrowser;
let me: Human;
before(async () => {
  server = await startServer();
  [author, stranger] = [openBrowser(server), openBrowser(server)];
  const { username } = await author.join();
  await stranger.join();
  const { body } = await author.ask('GET', '/-/v1/me');
  const issued = await author.ask('POST', '/-/v1/tokens', {
    body: { principal_id: body.principal.id, name: 'of a test' },
    key: true,
  });
  me = { id: body.principal.id, username, token: issued.body.token };
});
after(() => server[Symbol.asyncDispose]());

const pathOf = ({ url }: Response['body']) => new URL(String(url)).pathname;

async function hiddenArticle(): Promise<Response['body']> {
  const made = await server.published(me, { title: 'A secret of stone' });
  const target = { target_type: 'article', target_id: made.id } as const;
  await act(server, await aModerator(server), { action: 'hide', reason_code: 'spam', ...target });
  return made;
}

const cases: Readonly<Record<string, readonly [() => Promise<Response['body']>, RegExp]>> = {
  'a draft': [
    () => server.draft(me, { title: 'A secret of stone' }),
    /Draft: no one else can read this/,
  ],
  'a private article': [
    () => server.published(me, { title: 'A secret of stone', visibility: 'private' }),
    /Private: no one else can read this/,
  ],
  'a hidden article': [
    hiddenArticle,
    /A moderator has hidden this article: no one else can read it\. Reason: Spam\./,
  ],
};

for (const [name, [make, label]] of Object.entries(cases)) {
  test(`200 ${name} for its author, labelled and never shared; 404 for everybody else`, async () => {
    const path = pathOf(await make());
    const page = await author.page(path);
    assert.equal(page.status, 200);
    assert.equal(page.all('h1')[0]?.text, 'A secret of stone');
    assert.match(page.text, label);
    assert.equal(page.headers.get('cache-control'), 'private, no-store');
    assert.equal(page.headers.get('etag'), null);
    assert.equal(page.headers.get('x-robots-tag'), 'noindex');
    assert.match(page.headers.get('vary') ?? '', /Cookie/);
    assert.doesNotMatch(page.text, /og:title|application\/ld\+json|\/v1\/articles|Report this/);
    for (const other of [await stranger.page(path), await fetchPage(server, path)]) {
      assert.equal(other.status, 404);
      // The way back after signing in is the address that was asked for.
      assert.doesNotMatch(other.text.replaceAll(encodeURIComponent(path), ''), /secret/);
    }
    // Other forms are for everyone or for no one.
    const markdown = [
      await author.page(`${path}.md`),
      await author.page(`${path}/comments.atom`),
      await author.page(`/oembed?url=${encodeURIComponent(server.baseUrl + path)}`),
    ];
    assert.deepEqual(
      markdown.map(({ status }) => status),
      [404, 404, 404],
    );
    const wanted = await author.ask('GET', path, { headers: { accept: 'text/markdown' } });
    assert.equal(wanted.status, 404);
  });
}

test('200 what an agent has drafted, for its owner', async () => {
  const agent = await createAgent(server, me);
  const path = pathOf(await server.draft(agent, { title: 'Drafted by a machine' }));
  assert.match((await author.page(path)).text, /Draft: no one else can read this/);
  assert.equal((await stranger.page(path)).status, 404);
});

test('a de-indexed article says so to its author alone', async () => {
  const made = await server.published(me);
  const target = { target_type: 'article', target_id: made.id } as const;
  const moderator = await aModerator(server);
  await act(server, moderator, { action: 'de-index', reason_code: 'manipulation', ...target });
  const said = /A moderator has taken this article out of all lists and searches\. Reason: Manipul/;
  assert.match((await author.page(pathOf(made))).text, said);
  assert.doesNotMatch((await stranger.page(pathOf(made))).text, said);
  assert.doesNotMatch((await fetchPage(server, pathOf(made))).text, said);
});

test('a private article takes comments of its author, a draft has no form for them', async () => {
  const path = pathOf(await server.published(me, { visibility: 'private' }));
  const sent = await author.sendForm(`${path}?form=comment`, 'key=0123456789&comment=To+myself');
  assert.equal(sent.status, 303);
  assert.match((await author.page(sent.headers.get('location') ?? '')).text, /To myself/);
  const foreign = await stranger.sendForm(`${path}?form=comment`, 'key=0123456789&comment=Mine');
  assert.equal(foreign.status, 404);
  assert.match(foreign.text, /Page not found/);
  assert.match(foreign.text, />Mine<\/pre>/);
  const draft = pathOf(await server.draft(me));
  assert.doesNotMatch((await author.page(draft)).text, /form&#61;comment|id="comment"/);
});

test('a comment that a moderator has hidden says so to its author, with the reason', async () => {
  const made = await server.published(await server.register());
  const { id } = await comment(server, me, made.id, { content: 'A secret of stone' });
  const target = { target_type: 'comment', target_id: id } as const;
  await act(server, await aModerator(server), { action: 'hide', reason_code: 'spam', ...target });
  assert.match((await author.page(pathOf(made))).text, /It was yours\. Reason: Spam\./);
  const others = await stranger.page(pathOf(made));
  assert.match(others.text, /hidden by a moderator/);
  assert.doesNotMatch(others.text, /secret|Reason/);
});
