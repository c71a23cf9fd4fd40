// The forms of comments and replies: sent without scripts, refused, sent twice, on pages that have gone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setPrincipalStatus } from '#test/accounts';
import { createAgent } from '#test/agents';
import { comment, moderate } from '#test/comments';
import { fieldsIn } from '#test/forms/shown-forms';
import { startServer } from '#test/harness';
import type { Human, Response, TestServer } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { fetchPage } from '#test/page';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
let browser: TestBrowser;
let me: string;
let author: Human;
before(async () => {
  server = await startServer();
  browser = openBrowser(server);
  me = (await browser.join()).username;
  author = await server.register();
});
after(() => server[Symbol.asyncDispose]());

let keys = 0;
function fields(members: Readonly<Record<string, string>>): string {
  keys += 1;
  return new URLSearchParams({ key: `key-of-the-form-${keys}`, ...members }).toString();
}

const pathOf = ({ url }: Response['body']) => new URL(String(url)).pathname;

async function commentsOn({ id }: Response['body']): Promise<readonly Response['body'][]> {
  const { body } = await server.ask('GET', `/v1/articles/${id}/comments?limit=100`);
  return body.items;
}

test('303 a comment with a stance, on the page at once', async () => {
  const article = await server.published(author);
  const path = pathOf(article);
  const typed = fields({ comment: 'I *agree*.\r\nTwice.', stance: 'supports' });
  const sent = await browser.sendForm(`${path}?form=comment`, typed);
  assert.equal(sent.status, 303);
  const [made] = await commentsOn(article);
  assert.equal(made.content, 'I *agree*.\nTwice.');
  assert.equal(made.stance, 'supports');
  assert.equal(sent.headers.get('location'), `${path}#comment-${made.id}`);
  const page = await browser.page(path);
  assert.match(page.text, new RegExp(`id="comment-${made.id}"`));
  assert.match(page.text, /<p>I <em>agree<\/em>\./);
  assert.match(page.text, /1 comment</);
  assert.match((await fetchPage(server, path)).text, /<em>agree<\/em>/, 'everybody sees it');
});

test('422 a text of 10,007 characters comes back whole and is not posted; 5,000 emoji are', async () => {
  const article = await server.published(author);
  const path = `${pathOf(article)}?form=comment`;
  const long = `begin ${'x'.repeat(9_997)} end`;
  const sent = await browser.sendForm(path, fields({ comment: long, stance: '' }));
  assert.equal(sent.status, 422);
  assert.equal(fieldsIn(sent.text).find(({ name }) => name === 'comment')?.value, long);
  assert.match(sent.text, /This must have at most 8192 characters; it has 10007/);
  const blank = await browser.sendForm(path, fields({ comment: ' \r\n ', stance: '' }));
  assert.match(blank.text, /This must not be empty/);
  assert.deepEqual(await commentsOn(article), []);
  const emoji = '\u{1F989}'.repeat(5_000);
  assert.equal((await browser.sendForm(path, fields({ comment: emoji, stance: '' }))).status, 303);
  assert.equal((await commentsOn(article))[0].content, emoji);
});

test('a form that is sent twice makes one comment', async () => {
  const article = await server.published(author);
  const path = `${pathOf(article)}?form=comment`;
  const typed = fields({ comment: 'Once.', stance: '' });
  const both = await Promise.all([browser.sendForm(path, typed), browser.sendForm(path, typed)]);
  // The second may find the first still running.
  for (const { status } of both) assert.ok([303, 409].includes(status), String(status));
  assert.equal((await browser.sendForm(path, typed)).status, 303);
  assert.equal((await commentsOn(article)).length, 1);
});

test('422 the same form with another text says so, and its new key sends it', async () => {
  const article = await server.published(author);
  const path = `${pathOf(article)}?form=comment`;
  await browser.sendForm(path, 'key=the-same-key&comment=One');
  const changed = 'key=the-same-key&comment=Two';
  const page = await browser.sendForm(path, changed);
  assert.equal(page.status, 422);
  assert.match(page.text, /sent before with another text/);
  assert.match(page.text, />\nTwo<\/textarea>/);
  assert.doesNotMatch(page.text, /value="the-same-key"/);
  const script = await browser.sendForm(path, changed, { accept: 'application/json' });
  const { key } = JSON.parse(script.text);
  assert.equal((await browser.sendForm(path, `key=${key}&comment=Two`)).status, 303);
  assert.equal((await commentsOn(article)).length, 2);
});

test('422 what was typed comes back, with the fault beside its field', async () => {
  const path = pathOf(await server.published(author));
  const long = `</textarea><b>${'long '.repeat(1_700)}`;
  const sent = await browser.sendForm(
    `${path}?form=comment`,
    fields({ comment: long, stance: 'asks' }),
  );
  assert.equal(sent.status, 422);
  assert.match(sent.text, /<textarea id="comment"[^>]* aria-invalid="true" autofocus/);
  assert.match(sent.text, /&#60;\/textarea&#62;&#60;b&#62;long long/);
  assert.match(
    sent.text,
    /id="comment-fault"[^>]*>This must have at most 8192 characters; it has 8514\.</,
  );
  assert.match(sent.text, /value="asks" selected/);
  const wrong = await browser.sendForm(
    `${path}?form=comment`,
    fields({ comment: 'Kept', stance: 'x' }),
  );
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, />\nKept<\/textarea>/);
  assert.match(wrong.text, /id="stance-fault"[^>]*>This /);
});

test('303 a reply is shown below its comment, in the form that its link opens', async () => {
  const article = await server.published(author);
  const path = pathOf(article);
  const { id } = await comment(server, author, article.id);
  const closed = await browser.page(path);
  assert.doesNotMatch(closed.text, /id="reply"/, 'a page has no form for each comment');
  const link = closed.all('a').find(({ text }) => text === 'Reply');
  assert.equal(link?.attributes['href'], `${path}?reply=${id}#reply`);
  const open = await browser.page(`${path}?reply=${id}`);
  assert.match(open.text, /<textarea id="reply"/);
  const typed = fields({ to: id, reply: 'Why?', 'reply-stance': 'asks' });
  const sent = await browser.sendForm(`${path}?form=reply`, typed);
  const [, made] = await commentsOn(article);
  assert.equal(made.parent_comment_id, id);
  assert.equal(made.stance, 'asks');
  assert.equal(sent.headers.get('location'), `${path}#comment-${made.id}`);
  const tooLong = fields({ to: id, reply: 'x'.repeat(8_193), 'reply-stance': 'cites' });
  const refused = await browser.sendForm(`${path}?form=reply`, tooLong);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="reply-fault"[^>]*>This must/);
  assert.match(refused.text, /value="cites" selected/);
});

test('303 a new comment is found wherever it lies', async () => {
  const article = await server.published(author);
  const path = pathOf(article);
  const first = await comment(server, author, article.id);
  for (let n = 1; n < 50; n += 1) await comment(server, author, article.id);
  const places = [
    await browser.sendForm(`${path}?form=comment`, fields({ comment: 'The 51st' })),
    await browser.sendForm(`${path}?form=reply`, fields({ to: first.id, reply: 'The 52nd' })),
  ];
  const [fiftyFirst] = (await commentsOn(article)).slice(50);
  places.push(
    await browser.sendForm(`${path}?form=reply`, fields({ to: fiftyFirst.id, reply: 'The 53rd' })),
  );
  for (const [at, { headers }] of places.entries()) {
    const location = headers.get('location') ?? '';
    const page = await browser.page(location);
    const [, id] = /#comment-(\w+)$/.exec(location) ?? [];
    assert.match(page.text, new RegExp(`id="comment-${id}"`), location);
    assert.match(page.text, new RegExp(`The 5${at + 1}`));
  }
  const reply = await browser.page(places[1]?.headers.get('location') ?? '');
  assert.match(reply.text, new RegExp(`href="/comments/${first.id}">an earlier comment`));
});

test('410 a reply to a comment that is gone: what was typed stays on the page', async () => {
  const article = await server.published(author);
  const path = pathOf(article);
  const { id } = await comment(server, author, article.id);
  await server.ask('DELETE', `/v1/comments/${id}`, { token: author.token });
  const sent = await browser.sendForm(`${path}?form=reply`, fields({ to: id, reply: 'Too late' }));
  assert.equal(sent.status, 410);
  assert.match(sent.text, />\nToo late<\/textarea>/);
  assert.match(sent.text, /role="alert">The comment was deleted/);
  const hidden = await comment(server, author, article.id);
  await moderate(server, hidden.id, { status: 'hidden' });
  const other = await browser.sendForm(
    `${path}?form=reply`,
    fields({ to: hidden.id, reply: 'Kept' }),
  );
  assert.equal(other.status, 404);
  assert.match(other.text, />\nKept<\/textarea>/);
});

test('410 a comment on an article that was removed: the page has what was typed', async () => {
  const article = await server.published(author);
  await server.ask('DELETE', `/v1/articles/${article.id}`, { token: author.token });
  const typed = fields({ comment: '<i>All of my words</i>' });
  const sent = await browser.sendForm(`${pathOf(article)}?form=comment`, typed);
  assert.equal(sent.status, 410);
  assert.match(sent.text, /This page was removed/);
  assert.match(sent.text, /<pre class="typed" dir="auto">&#60;i&#62;All of my words/);
});

test('401 signed out: what was typed comes back, and the page leads to signing in', async () => {
  const path = pathOf(await server.published(author));
  const sent = await openBrowser(server).sendForm(
    `${path}?form=comment`,
    fields({ comment: 'My words' }),
  );
  assert.equal(sent.status, 401);
  assert.match(sent.text, /My words/);
  const page = await fetchPage(server, path);
  const next = encodeURIComponent(`${path}#comment`);
  const linked = page.all('a').map(({ attributes }) => attributes['href']);
  for (const first of ['join', 'sign-in']) assert.ok(linked.includes(`/${first}?next=${next}`));
  assert.doesNotMatch(page.text, /<form|\/assets\/(?:live|answer)-|>Reply</);
  assert.equal(
    page.headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
});

test('403 a suspended account is told in words, and keeps what was typed', async () => {
  const path = pathOf(await server.published(author));
  const suspended = openBrowser(server);
  const { username } = await suspended.join();
  const { body } = await server.ask('GET', `/v1/usernames/${username}`);
  await setPrincipalStatus(server, body.id, 'suspended');
  const sent = await suspended.sendForm(`${path}?form=comment`, fields({ comment: 'My words' }));
  assert.equal(sent.status, 403);
  assert.match(sent.text, /role="alert">Your account is suspended: you can read/);
  assert.match(sent.text, />\nMy words<\/textarea>/);
});

test('429 a used-up allowance is told in words', async () => {
  await using limited = await startLimitedServer({ quotas: { 'comments.create': [1, 1, 1, 1] } });
  const writer = await limited.register();
  const path = pathOf(await limited.published(writer));
  const own = openBrowser(limited);
  await own.join();
  assert.equal((await own.sendForm(`${path}?form=comment`, fields({ comment: 'a' }))).status, 303);
  const sent = await own.sendForm(`${path}?form=comment`, fields({ comment: 'My words' }));
  assert.equal(sent.status, 429);
  assert.match(sent.text, /the limit of your account: 1 comments in one hour\. Try again in \d+ /);
  assert.match(sent.text, />\nMy words<\/textarea>/);
});

test('303 deleting: the person’s own, the person’s agent’s, twice; “deleted” stands in its place', async () => {
  const { body: myself } = await browser.ask('GET', '/-/v1/me');
  const article = await server.published(author);
  const path = pathOf(article);
  await browser.sendForm(`${path}?form=comment`, fields({ comment: 'Mine' }));
  const agent = await createAgent(server, await tokenOf(myself.principal.id));
  const other = await comment(server, author, article.id, { content: 'Not mine' });
  await comment(server, agent, article.id, { content: 'Of my agent' });
  const all = await commentsOn(article);
  const page = await browser.page(path);
  const own = all.filter(({ id }) => id !== other.id);
  assert.equal(page.text.match(/id="delete-/g)?.length, 2);
  for (const { id } of own) {
    const sent = await browser.sendForm(`${path}?form=delete-comment`, fields({ to: id }));
    assert.equal(sent.headers.get('location'), `${path}#comment-${id}`);
  }
  const again = fields({ to: own[0]?.id });
  assert.equal((await browser.sendForm(`${path}?form=delete-comment`, again)).status, 303);
  const after = await browser.page(path);
  assert.equal(after.text.match(/deleted by its author/g)?.length, 2);
  const foreign = fields({ to: other.id });
  const refused = await browser.sendForm(`${path}?form=delete-comment`, foreign);
  assert.equal(refused.status, 403);
  const odd = await browser.sendForm(`${path}?form=delete-comment`, fields({ to: 'a\r\nb: c' }));
  assert.equal(odd.status, 303);
  assert.equal(odd.headers.get('location'), `${path}#comment-a%0Ab%3A%20c`);
  assert.equal((await commentsOn(article)).filter(({ status }) => status === 'visible').length, 1);
  assert.ok(me.length > 0);
});

/** A token of somebody who joined with a passkey. */
async function tokenOf(id: string): Promise<Human> {
  const { body } = await browser.ask('POST', '/-/v1/tokens', {
    body: { principal_id: id, name: 'of a test' },
    key: true,
  });
  return { id, username: me, token: body.token };
}

test('303 following the author leads back to the article', async () => {
  const article = await server.published(author);
  const path = pathOf(article);
  const page = await browser.page(path);
  assert.match(page.text, new RegExp(`Follow @${author.username}`));
  const sent = await browser.sendForm(`${path}?form=follow`, fields({}));
  assert.equal(sent.headers.get('location'), `${path}#follow`);
  assert.match((await browser.page(path)).text, new RegExp(`Unfollow @${author.username}`));
  for (const _ of [1, 2])
    assert.equal((await browser.sendForm(`${path}?form=unfollow`, fields({}))).status, 303);
  assert.match((await browser.page(path)).text, new RegExp(`>Follow @${author.username}`));
});
