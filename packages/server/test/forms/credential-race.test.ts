// A session or token that ends while a write of it runs: the write is before the end, or it is refused.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { blockedByLock, untilWaiting } from '../blocked-by-lock.ts';
import { closeAccount } from '../closing.ts';
import { assertProblem, startServer } from '../harness.ts';
import type { Response, TestServer } from '../harness.ts';
import { openBrowser } from '../web-session.ts';
import type { TestBrowser } from '../web-session.ts';

let server: TestServer;
before(async () => {
  server = await startServer({ ROLE: 'web' });
});
after(() => server[Symbol.asyncDispose]());

/** A write that is admitted already waits here, before it locks anything. */
const atTheKey = sql`lock table idempotency_keys in access exclusive mode`;

async function join(): Promise<{ readonly browser: TestBrowser; readonly id: string }> {
  const browser = openBrowser(server);
  await browser.join();
  return { browser, id: (await browser.ask('GET', '/-/v1/me')).body.principal.id };
}

async function countArticles(id: string): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from articles
    where bucket = ${bucketOf(id)} and author_id = ${id}`);
  return row?.count ?? -1;
}

const draft = { title: 'Too late', content: 'Text.' };

const draftIn = (browser: TestBrowser) => () =>
  browser.ask('POST', '/-/v1/articles', { key: true, body: draft });

const ends: Readonly<Record<string, (browser: TestBrowser) => Promise<Response>>> = {
  'sign-out everywhere': (browser) => browser.ask('DELETE', '/-/sessions'),
  'sign-out here': (browser) => browser.ask('POST', '/-/sign-out'),
  'the end of this session from the list': async (browser) => {
    const { items } = (await browser.ask('GET', '/-/sessions')).body;
    return browser.ask('DELETE', `/-/sessions/${items[0].id}`);
  },
};

for (const [name, end] of Object.entries(ends)) {
  test(`401 for a write that was admitted before ${name} was answered`, async () => {
    const { browser, id } = await join();
    const [answer] = await blockedByLock(server, atTheKey, [draftIn(browser)], async () => {
      assert.equal((await end(browser)).status, 204);
    });
    assert.ok(answer);
    assertProblem(answer, 'unauthenticated');
    assert.equal(await countArticles(id), 0);
  });
}

const revocations: Readonly<Record<string, string>> = {
  'its revocation': '',
  'its revocation with what it issued': '?with_issued=true',
};

for (const [name, query] of Object.entries(revocations)) {
  test(`401 for a write of a token that was admitted before ${name} was answered`, async () => {
    const human = await server.register();
    const token = await server.tokenWith(human, ['articles:write']);
    const { items } = (await server.ask('GET', '/v1/tokens', { token: human.token })).body;
    const { id } = items.find((one: { readonly name: string }) => one.name === 'narrow');
    const write = () => server.ask('POST', '/v1/articles', { token, key: true, body: draft });
    const [answer] = await blockedByLock(server, atTheKey, [write], async () => {
      const path = `/v1/tokens/${id}${query}`;
      const revoked = await server.ask('DELETE', path, { token: human.token });
      assert.equal(revoked.status, 204);
    });
    assert.ok(answer);
    assertProblem(answer, 'unauthenticated');
    assert.equal(await countArticles(human.id), 0);
  });
}

test('401 for the closing of an account that was admitted before its token was revoked', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['profile:write']);
  const { id: tokenId } = (await server.ask('GET', '/v1/me', { token })).body.token;
  const close = () => closeAccount(server, { id: human.id, token }, 'erase');
  const [answer] = await blockedByLock(server, atTheKey, [close], async () => {
    const path = `/v1/tokens/${tokenId}`;
    assert.equal((await server.ask('DELETE', path, { token: human.token })).status, 204);
  });
  assert.ok(answer);
  assertProblem(answer, 'unauthenticated');
  assert.equal((await server.ask('GET', '/v1/me', { token: human.token })).status, 200);
});

/** A session that a link of a token opened, and the revocation of the token by another one. */
async function openLinked() {
  const human = await server.register();
  const token = await server.tokenWith(human, [
    'articles:write',
    'articles:publish',
    'profile:write',
  ]);
  const { id: tokenId } = (await server.ask('GET', '/v1/me', { token })).body.token;
  const { url } = (await server.ask('POST', '/v1/web-links', { token, body: {} })).body;
  const browser = openBrowser(server);
  const secret = new URL(url).hash.slice(1);
  assert.equal((await browser.ask('POST', '/-/link', { body: { secret } })).status, 200);
  const revoke = () => server.ask('DELETE', `/v1/tokens/${tokenId}`, { token: human.token });
  return { human, browser, revoke };
}

test('401 for a write of a session that was admitted before the token of its link was revoked', async () => {
  const { human, browser, revoke } = await openLinked();
  const [answer] = await blockedByLock(server, atTheKey, [draftIn(browser)], async () => {
    assert.equal((await revoke()).status, 204);
  });
  assert.ok(answer);
  assertProblem(answer, 'unauthenticated');
  assert.equal(await countArticles(human.id), 0);
});

test('the revocation of a token waits for a write of a session that its link opened', async () => {
  const { browser, revoke } = await openLinked();
  const made = await draftIn(browser)();
  const atTheArticle = sql`
    select id from articles where bucket = ${bucketOf(made.body.id)} and id = ${made.body.id} for update`;
  const publishing = () =>
    browser.ask('POST', `/-/v1/articles/${made.body.id}/publish`, { key: true, body: {} });
  let isAnswered = false;
  let revoking: Promise<Response> | undefined;
  const [answer] = await blockedByLock(server, atTheArticle, [publishing], async () => {
    revoking = revoke().finally(() => {
      isAnswered = true;
    });
    await untilWaiting(server, 2);
    assert.equal(isAnswered, false);
  });
  assert.equal(answer?.status, 200);
  assert.equal((await revoking)?.status, 204);
});

test('204 for each of ten revocations of one token that it sends at once', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:write']);
  const { items } = (await server.ask('GET', '/v1/tokens', { token: human.token })).body;
  const { id } = items.find((one: { readonly name: string }) => one.name === 'narrow');
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.ask('DELETE', `/v1/tokens/${id}`, { token })),
  );
  // Those that are authenticated after the first one was answered are refused.
  assert.ok(answers.every(({ status }) => status === 204 || status === 401));
  assert.ok(answers.some(({ status }) => status === 204));
});

test('401 for a form that was admitted before sign-out everywhere was answered; what was typed comes back', async () => {
  const { browser } = await join();
  const other = await server.register();
  const { id, url } = await server.published(other);
  const path = `${new URL(url).pathname}?form=comment`;
  let status = 0;
  let text = '';
  const commenting = async () => {
    const sent = await browser.sendForm(path, 'key=0123456789abcdef&comment=My+long+words&stance=');
    ({ status, text } = sent);
    return { status, headers: sent.headers, body: undefined };
  };
  await blockedByLock(server, atTheKey, [commenting], async () => {
    assert.equal((await browser.ask('DELETE', '/-/sessions')).status, 204);
  });
  assert.equal(status, 401);
  assert.match(text, /Sign in again/);
  assert.match(text, /My long words/);
  const { items } = (await server.ask('GET', `/v1/articles/${id}/comments`)).body;
  assert.deepEqual(items, []);
});

test('sign-out waits for a write that has locked the session already', async () => {
  const { browser, id } = await join();
  const made = await draftIn(browser)();
  const atTheArticle = sql`
    select id from articles where bucket = ${bucketOf(made.body.id)} and id = ${made.body.id} for update`;
  const publishing = () =>
    browser.ask('POST', `/-/v1/articles/${made.body.id}/publish`, { key: true, body: {} });
  let isAnswered = false;
  let ending: Promise<unknown> = Promise.resolve();
  const [answer] = await blockedByLock(server, atTheArticle, [publishing], async () => {
    ending = browser.ask('DELETE', '/-/sessions').then(() => {
      isAnswered = true;
    });
    await untilWaiting(server, 2);
    assert.equal(isAnswered, false);
  });
  await ending;
  assert.equal(answer?.status, 200);
  assert.equal(await countArticles(id), 1);
});

test('writes of one session at once share its lock', async () => {
  const { browser, id } = await join();
  const answers = await Promise.all(Array.from({ length: 20 }, draftIn(browser)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(await countArticles(id), 20);
});

test('writes race with sign-out everywhere, without help: none lands after the answer', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { browser, id } = await join();
    const writes = Array.from({ length: 8 }, draftIn(browser));
    assert.equal((await browser.ask('DELETE', '/-/sessions')).status, 204);
    const landed = await countArticles(id);
    const answers = await Promise.all(writes);
    assert.equal(await countArticles(id), landed);
    assert.equal(answers.filter(({ status }) => status === 201).length, landed);
  }
});
