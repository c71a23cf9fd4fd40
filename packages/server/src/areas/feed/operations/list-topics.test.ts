// GET /v1/topics: the most active and the largest topics with their counts, in pages.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setArticleStatus } from '#test/comments';
import { assertTopicsExact, untilPlaced, publishedAt } from '#test/feeds';
import { assertProblem, startServer } from '#test/harness';
import type { Response } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (query = ''): Promise<Response> => server.ask('GET', `/v1/topics${query}`);
const onDay = (day: number) => new Date(Date.UTC(2020, 0, day)).toISOString();
const about = (...topics: readonly string[]) => ({ metadata: { topics } });

interface Topic {
  readonly slug: string;
  readonly name: string;
  readonly article_count: number;
  readonly last_published_at: string;
}

const topicsOf = (response: Response) => response.body.items as readonly Topic[];
const slugs = (response: Response) => topicsOf(response).map(({ slug }) => slug);

test('200 without a topic: an empty page', async () => {
  assert.deepEqual((await list()).body, { items: [], next_cursor: null });
});

test('200 active: the newest first; size: the largest first; each with its count and date', async () => {
  const human = await server.register();
  await publishedAt(server, human, onDay(1), about('Deep Sea', 'Fish'));
  await publishedAt(server, human, onDay(3), about('deep-SEA'));
  await publishedAt(server, human, onDay(9), about('Birds'));
  await publishedAt(server, human, onDay(20), { ...about('Secret'), visibility: 'unlisted' });
  await untilPlaced(server);
  assert.deepEqual(topicsOf(await list()), [
    {
      slug: 'birds',
      name: 'Birds',
      article_count: 1,
      last_published_at: onDay(9),
      trust: 'untrusted',
    },
    {
      slug: 'deep-sea',
      name: 'Deep Sea',
      article_count: 2,
      last_published_at: onDay(3),
      trust: 'untrusted',
    },
    {
      slug: 'fish',
      name: 'Fish',
      article_count: 1,
      last_published_at: onDay(1),
      trust: 'untrusted',
    },
  ]);
  assert.deepEqual(slugs(await list('?order=size')), ['deep-sea', 'fish', 'birds']);
  await assertTopicsExact(server);
});

test('200 page by page, in both orders, while articles come', async () => {
  const human = await server.register();
  const names = Array.from({ length: 12 }, (_, number) => `paged-${number}`);
  for (const [number, name] of names.entries())
    for (let count = 0; count <= number % 4; count += 1)
      await publishedAt(server, human, onDay(100 + number), about(name));
  await untilPlaced(server);
  for (const order of ['active', 'size']) {
    const read: string[] = [];
    let cursor = '';
    for (let page = 1; page < 50; page += 1) {
      const response = await list(`?order=${order}&limit=2${cursor}`);
      read.push(...slugs(response));
      if (response.body.next_cursor === null) break;
      cursor = `&cursor=${response.body.next_cursor}`;
      await publishedAt(server, human, new Date().toISOString(), about(`new-${order}-${page}`));
      await untilPlaced(server);
    }
    const ofStart = read.filter((slug) => slug.startsWith('paged-'));
    assert.deepEqual(ofStart.toSorted(), names.toSorted(), order);
  }
});

test('200 a topic is gone with its last article, at once and after the subscriber; its name goes with the oldest', async () => {
  const human = await server.register();
  const first = await publishedAt(server, human, onDay(1), about('RUDE words', 'Alone'));
  await publishedAt(server, human, onDay(2), about('rude Words'));
  await untilPlaced(server);
  const seen = async () =>
    topicsOf(await list('?limit=100'))
      .filter(({ slug }) => ['rude-words', 'alone'].includes(slug))
      .map(({ name, article_count }) => [name, article_count]);
  assert.deepEqual(await seen(), [
    ['RUDE words', 2],
    ['Alone', 1],
  ]);
  // Bypasses the pipeline: the count is updated later, the name and the topic at once.
  await setArticleStatus(server, first, 'hidden');
  assert.deepEqual(await seen(), [['rude Words', 2]]);
  await setArticleStatus(server, first, 'published');
  const { status } = await server.ask('DELETE', `/v1/articles/${first}`, { token: human.token });
  assert.equal(status, 204);
  await untilPlaced(server);
  assert.deepEqual(await seen(), [['rude Words', 1]]);
  await assertTopicsExact(server);
});

test('200 anonymous answers may be kept by caches', async () => {
  const first = await list();
  assert.match(first.headers.get('cache-control') ?? '', /public/);
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  assert.equal((await server.ask('GET', '/v1/topics', { headers })).status, 304);
});

test('400 invalid-request for a cursor of another order, or of none', async () => {
  const active = (await list('?limit=1')).body.next_cursor as string;
  const size = (await list('?order=size&limit=1')).body.next_cursor as string;
  assert.notEqual(active, null);
  const refused = await list(`?cursor=${size}`);
  assert.equal(refused.body.errors[0].pointer, '/cursor');
  for (const query of [
    `?order=size&cursor=${active}`,
    `?cursor=${size}`,
    '?cursor=x',
    '?order=name',
    '?q=a',
  ])
    assertProblem(await list(query), 'invalid-request');
});
