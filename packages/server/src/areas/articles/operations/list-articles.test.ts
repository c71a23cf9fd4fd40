// GET /v1/articles over HTTP: the public list in pages, and the authors' own lists.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (query = '', human?: Pick<Human, 'token'>): Promise<Response> =>
  server.ask('GET', `/v1/articles${query}`, human === undefined ? {} : { token: human.token });
const idsOf = (answer: Response): string[] => answer.body.items.map(({ id }: { id: string }) => id);
const by = (human: Human, more = '') => `?author=${human.username}${more}`;

test('200 with what is published and public, newest first, an excerpt in place of the content', async () => {
  const human = await server.register();
  const first = await server.published(human, { content: '# Heading\n\nThe *first* one.' });
  const second = await server.published(human);
  await server.draft(human);
  await server.published(human, { visibility: 'unlisted' });
  await server.published(human, { visibility: 'private' });
  const answer = await list(by(human));
  assert.equal(answer.status, 200);
  assert.deepEqual(idsOf(answer), [second.id, first.id]);
  assert.equal(answer.body.next_cursor, null);
  const item = answer.body.items[1];
  assert.ok(!('content' in item));
  assert.match(item.excerpt, /The first one\./);
  assert.equal(item.trust, 'untrusted');
  assert.equal(item.author.username, human.username);
  assert.ok(!('latest_revision_id' in item) && !('moderation' in item));
});

test('200 with excerpts of at most 280 code points, cut at a word', async () => {
  const human = await server.register();
  await server.published(human, { content: '🦉🦉🦉 '.repeat(200) });
  await server.published(human, { content: '字'.repeat(500) });
  for (const { excerpt } of (await list(by(human))).body.items) {
    const length = [...excerpt].length;
    assert.ok(length <= 280 && length > 200, `${length}`);
    assert.ok(excerpt.endsWith('…') && !excerpt.includes(' …'));
    assert.ok(excerpt.isWellFormed());
  }
});

test('200 to readers shows the published revision, not the newest', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.published(human, { title: 'Old' });
  const body = { title: 'New', expected_revision_id: revision_id };
  await server.ask('POST', `/v1/articles/${id}/revisions`, { token: human.token, key: true, body });
  for (const reader of [undefined, human])
    assert.equal((await list(by(human), reader)).body.items[0].title, 'Old');
});

test('200 in pages without a repetition or a gap while new ones arrive', async () => {
  const human = await server.register();
  const expected: string[] = [];
  for (let n = 0; n < 7; n += 1) expected.unshift((await server.published(human)).id);
  const seen: string[] = [];
  let path = by(human, '&limit=3');
  for (const length of [3, 3, 1]) {
    const answer = await list(path);
    assert.equal(answer.body.items.length, length);
    seen.push(...idsOf(answer));
    await server.published(human);
    const link = answer.headers.get('link');
    if (length === 1) {
      assert.equal(answer.body.next_cursor, null);
      assert.equal(link, null);
    } else {
      assert.equal(answer.body.next_cursor, seen.at(-1));
      const next = new URL(/^<(.+)>; rel="next"$/.exec(link ?? '')?.[1] ?? '');
      assert.equal(next.origin, server.baseUrl);
      assert.equal(next.pathname, '/v1/articles');
      path = next.search;
    }
  }
  assert.deepEqual(seen, expected);
});

test('200 for a page that is exactly full: nothing follows', async () => {
  const human = await server.register();
  for (let n = 0; n < 2; n += 1) await server.published(human);
  assert.equal((await list(by(human, '&limit=2'))).body.next_cursor, null);
});

test('200 with 20 items when no limit is given', async () => {
  const human = await server.register();
  await Promise.all(Array.from({ length: 21 }, () => server.published(human)));
  const { body } = await list(by(human));
  assert.equal(body.items.length, 20);
  assert.notEqual(body.next_cursor, null);
  assert.equal((await list(by(human, '&limit=100'))).body.items.length, 21);
});

test('200 with a cursor of an article that is gone, or never was', async () => {
  const human = await server.register();
  const made = [
    await server.published(human),
    await server.published(human),
    await server.published(human),
  ];
  await server.ask('DELETE', `/v1/articles/${made[1].id}`, { token: human.token });
  assert.deepEqual(idsOf(await list(by(human, `&cursor=${made[1].id}`))), [made[0].id]);
  assert.equal((await list(by(human, `&cursor=${'0'.repeat(26)}`))).body.items.length, 0);
});

test('200 filtered by author: id or username in any case; unknown: an empty list', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const names = [human.username, human.username.toUpperCase(), `@${human.username}`];
  for (const author of [human.id, ...names])
    assert.deepEqual(idsOf(await list(`?author=${author}`)), [id]);
  for (const author of [
    newId(1),
    'nobody-here',
    '@nobody-here',
    human.username.replaceAll('-', '_'),
  ]) {
    assert.deepEqual((await list(`?author=${encodeURIComponent(author)}`)).body, {
      items: [],
      next_cursor: null,
    });
  }
});

test('200 filtered by language, disclosure, kind and signed', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const german = (await server.published(human, { language: 'de' })).id;
  const assisted = (
    await server.published(human, { language: 'en', authorship_disclosure: 'ai_assisted' })
  ).id;
  const machine = (await server.published(agent, { language: 'en' })).id;
  const own = new Set([german, assisted, machine]);
  const found = async (query: string) =>
    idsOf(await list(`?limit=100&${query}`)).filter((id) => own.has(id));
  assert.deepEqual(await found('language=de'), [german]);
  assert.deepEqual(await found('disclosure=ai_assisted'), [assisted]);
  assert.deepEqual(await found('disclosure=ai_generated'), [machine]);
  assert.deepEqual(await found('kind=agent'), [machine]);
  assert.deepEqual(await found('kind=human&language=en'), [assisted]);
  assert.deepEqual(await found('signed=true'), []);
  assert.deepEqual(await found('signed=false'), [machine, assisted, german]);
});

test('200 filtered by status or visibility: what only the author sees', async () => {
  const human = await server.register();
  const draft = (await server.draft(human)).id;
  const hidden = (await server.published(human, { visibility: 'private' })).id;
  const unlisted = (await server.published(human, { visibility: 'unlisted' })).id;
  await server.published(human);
  assert.deepEqual(idsOf(await list('?status=draft', human)), [draft]);
  assert.deepEqual(idsOf(await list('?visibility=private', human)), [hidden]);
  assert.deepEqual(idsOf(await list(by(human, '&visibility=unlisted'), human)), [unlisted]);
  const item = (await list('?status=draft', human)).body.items[0];
  assert.equal(item.published_at, null);
  assert.equal(item.latest_revision_id, item.revision_id);
});

test('200 filtered by status for the owner of an agent; for others an empty list', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { id } = await server.draft(agent);
  assert.deepEqual(idsOf(await list(by(agent, '&status=draft'), human)), [id]);
  assert.deepEqual(idsOf(await list('?status=draft', human)), []);
  for (const stranger of [await server.register(), await storeAgent(server, human)]) {
    assert.deepEqual(idsOf(await list(by(agent, '&status=draft'), stranger)), []);
    assert.deepEqual(idsOf(await list(by(agent, '&visibility=private'), stranger)), []);
  }
});

test('200 leaves out what was removed or made private, at once', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await server.ask('PATCH', `/v1/articles/${id}`, {
    token: human.token,
    body: { visibility: 'private' },
  });
  assert.deepEqual(idsOf(await list(by(human))), []);
  assert.deepEqual(idsOf(await list('?status=removed', human)), []);
});

test('200 anonymous: revalidated by its tag; with a token stored by no cache', async () => {
  const human = await server.register();
  await server.published(human);
  const { headers } = await list(by(human));
  assert.equal(
    headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const tag = headers.get('etag') ?? '';
  const again = () =>
    server.ask('GET', `/v1/articles${by(human)}`, { headers: { 'if-none-match': tag } });
  assert.equal((await again()).status, 304);
  await server.published(human);
  assert.equal((await again()).status, 200);
  assert.equal((await list(by(human), human)).headers.get('cache-control'), 'private, no-store');
});

for (const query of [
  'limit=0',
  'limit=101',
  'limit=1e1',
  'limit=+5',
  'limit=',
  'cursor=x',
  'disclosure=robot',
  'kind=cat',
  'signed=yes',
  'since=2026',
  'until=now',
  'status=new',
  'visibility=secret',
  'author=',
  `author=${'x'.repeat(65)}`,
  `author=${'x'.repeat(33)}`,
  'author=not+a+name',
  'author=@',
  'author=@@ada',
  'author=me',
  'topic=',
  'language=',
  'language=en_US',
  'offset=5',
  'kind=human&kind=agent',
  '__proto__=1',
  'constructor=1',
]) {
  test(`400 invalid-request: ?${query.slice(0, 40)}`, async () => {
    const refused = await list(`?${query}`);
    assertProblem(refused, 'invalid-request');
    assert.equal(refused.body.errors[0].pointer, `/${query.split('=')[0]}`);
  });
}

test('401 unauthenticated: what only authors see needs a token; a bad one is refused', async () => {
  for (const query of ['?status=draft', '?visibility=private', '?visibility=unlisted'])
    assertProblem(await list(query), 'unauthenticated');
  assertProblem(await list('', { token: 'bad' }), 'unauthenticated');
});

test('403 insufficient-scope: what only authors see needs articles:read', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:write']);
  assertMissingScope(await list('?status=draft', { token }), 'articles:read');
  assert.equal((await list('', { token })).status, 200);
});

test('200 for the suspended; their articles stay listed', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await setPrincipalStatus(server, human.id, 'suspended');
  assert.deepEqual(idsOf(await list(by(human), human)), [id]);
});

test('200 for a moderator is the list that everybody sees', async () => {
  const human = await server.register();
  await server.draft(human);
  const token = await storeToken(server, (await server.register()).id, [
    'admin:moderate',
    'articles:read',
  ]);
  assert.deepEqual(idsOf(await list(by(human, '&status=draft'), { token })), []);
});
