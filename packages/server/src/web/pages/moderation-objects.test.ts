// Finding the history of an object at the moderation desk.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deskPerson } from '#test/desk';
import type { DeskPerson } from '#test/desk';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';

let server: TestServer;
let moderator: DeskPerson;
before(async () => {
  server = await startServer({ ROLE: 'web' });
  moderator = await deskPerson(server);
});
after(() => server[Symbol.asyncDispose]());

test('the history of an object is found by its address, its id or a username', async () => {
  const author = await server.register();
  const { id, url } = await server.published(author);
  const { body: comment } = await server.ask('POST', `/v1/articles/${id}/comments`, {
    token: author.token,
    key: true,
    body: { content: 'Words.' },
  });
  const find = async (named: string) => {
    const query = new URLSearchParams({ id: named });
    const page = await moderator.browser.page(`/moderation/objects?${query}`);
    return page.headers.get('location') ?? page.all('p').find((one) => one.text !== '')?.text;
  };
  const article = `/moderation/objects/article/${id}`;
  for (const named of [id, id.toLowerCase(), url, `${url}.md`, new URL(url).pathname])
    assert.equal(await find(named), article, named);
  const ofComment = `/moderation/objects/comment/${comment.id}`;
  for (const named of [comment.id, `/comments/${comment.id}`, `${url}#comment-${comment.id}`])
    assert.equal(await find(named), ofComment, named);
  const { username } = author;
  const profile = `${server.baseUrl}/@${username}`;
  for (const named of [author.id, username, `@${username}`, profile, ` ${profile}/ `])
    assert.equal(await find(named), `/moderation/objects/principal/${author.id}`, named);
  for (const named of ['nobody here', '@nobody-here', id.replace(/.$/, 'I'), `${profile}/x`, '%00'])
    assert.match((await find(named)) ?? '', /^Nothing has this address/, named);
});

test('the pages of an object name it: an account by its username, a work by its author', async () => {
  const author = await server.register();
  const { id } = await server.published(author);
  for (const [type, of, words] of [
    ['principal', author.id, `History: Account @${author.username}`],
    ['article', id, `History: Article by @${author.username}`],
  ] as const) {
    const page = await moderator.browser.page(`/moderation/objects/${type}/${of}`);
    assert.equal(page.all('h1')[0]?.text, words);
    assert.ok(page.all('title')[0]?.text.startsWith(`${words} · Moderation`));
  }
});
