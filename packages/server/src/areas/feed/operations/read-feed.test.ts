// GET /v1/feed: the latest articles, filters and pages, and the rules common to every kind.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent } from '#test/agents';
import { idsOf, untilPlaced, publishedAt, readAll } from '#test/feeds';
import { assertProblem, startServer } from '#test/harness';
import type { Response } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const feed = (query = ''): Promise<Response> => server.ask('GET', `/v1/feed${query}`);
const onDay = (day: number) => new Date(Date.UTC(2020, 0, day)).toISOString();

test('200 latest is the default: by published_at, newest first, and a backdated article has its place', async () => {
  const human = await server.register();
  const by = `?author=${human.username}`;
  const [first, third] = [
    await publishedAt(server, human, onDay(1)),
    await publishedAt(server, human, onDay(3)),
  ];
  const second = await publishedAt(server, human, onDay(2));
  assert.deepEqual(idsOf(await feed(by)), [third, second, first]);
  assert.deepEqual(idsOf(await feed(`${by}&kind=latest`)), [third, second, first]);
  const { body } = await feed(by);
  assert.equal(body.next_cursor, null);
  assert.equal(body.items[0].published_at, onDay(3));
  assert.equal(body.items[0].content, undefined);
});

test('200 each filter, for each kind', async () => {
  const human = await server.register();
  const agent = await createAgent(server, human);
  const follower = await server.register();
  for (const one of [human, agent])
    await server.ask('POST', '/v1/follows', {
      token: follower.token,
      body: { principal_id: one.id },
    });
  const wide = { language: 'de', authorship_disclosure: 'ai_assisted' };
  const one = await publishedAt(server, human, onDay(1), {
    ...wide,
    metadata: { topics: ['Deep Sea'] },
  });
  const two = await publishedAt(server, agent, onDay(2), {
    language: 'pt-BR',
    authorship_disclosure: 'ai_generated',
    metadata: { topics: ['Deep Sea', 'Fish'] },
  });
  await untilPlaced(server);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [`author=${human.username}`, [one]],
    [`author=${agent.id}`, [two]],
    [`author=@${human.username}`, [one]],
    ['author=nobody-at-all', []],
    ['topic=DEEP%20sea', [two, one]],
    ['topic=fish', [two]],
    ['topic=none', []],
    [`topic=deep-sea&author=${human.username}`, [one]],
    ['language=PT-br&topic=deep-sea', [two]],
    ['disclosure=ai_assisted&topic=deep-sea', [one]],
    ['author_kind=agent&topic=deep-sea', [two]],
    ['author_kind=human&topic=deep-sea', [one]],
    ['signed=true&topic=deep-sea', []],
    ['signed=false&topic=deep-sea', [two, one]],
    [`since=${onDay(2)}&topic=deep-sea`, [two]],
    [`until=${onDay(2)}&topic=deep-sea`, [one]],
    [`since=${onDay(1)}&until=${onDay(2)}&author=${human.id}`, [one]],
  ];
  for (const kind of ['latest', 'trending', 'following'])
    for (const [query, expected] of rows) {
      const asked = { token: follower.token };
      const response = await server.ask('GET', `/v1/feed?kind=${kind}&${query}`, asked);
      assert.deepEqual(idsOf(response), expected, `${kind} ${query}`);
    }
});

test('200 latest, page by page while others are published, backdated ones included: no gap, no repeat', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, human);
  const there: string[] = [];
  const members = { metadata: { topics: ['Paging'] } };
  for (let count = 0; count < 30; count += 1)
    there.push(await publishedAt(server, human, onDay(100 + (count % 10)), members));
  await untilPlaced(server);
  for (const filter of ['topic=paging', `author=${human.id}`, 'since=2020-02-01T00:00:00.000Z']) {
    const read = await readAll(feed, `?limit=4&${filter}`, async (page) => {
      await publishedAt(server, other, onDay(100 + page), members);
      await publishedAt(server, agent, new Date().toISOString(), members);
      await untilPlaced(server);
    });
    assert.equal(new Set(read).size, read.length, 'nothing comes twice');
    const ofStart = read.filter((id) => there.includes(id));
    assert.deepEqual(ofStart.toSorted(), there.toSorted(), filter);
  }
});

test('200 the article that a cursor was made of is removed: the page goes on behind it', async () => {
  const human = await server.register();
  const ids: string[] = [];
  for (const day of [1, 2, 3, 4]) ids.unshift(await publishedAt(server, human, onDay(day)));
  const by = `?author=${human.id}&limit=2`;
  const { body } = await feed(by);
  const asked = { token: human.token };
  assert.equal((await server.ask('DELETE', `/v1/articles/${ids[1]}`, asked)).status, 204);
  assert.deepEqual(idsOf(await feed(`${by}&cursor=${body.next_cursor}`)), [ids[2], ids[3]]);
});

test('200 without an article: an empty page', async () => {
  for (const kind of ['latest', 'trending']) {
    const { body } = await feed(`?kind=${kind}&language=tlh`);
    assert.deepEqual(body, { items: [], next_cursor: null });
  }
});

test('200 anonymous answers may be kept by caches and are revalidated; those to a token may not', async () => {
  const human = await server.register();
  await untilPlaced(server);
  for (const kind of ['latest', 'trending']) {
    const first = await feed(`?kind=${kind}`);
    assert.match(first.headers.get('cache-control') ?? '', /public/, kind);
    const etag = first.headers.get('etag') ?? '';
    const again = await server.ask('GET', `/v1/feed?kind=${kind}`, {
      headers: { 'if-none-match': etag },
    });
    assert.equal(again.status, 304, kind);
  }
  for (const kind of ['latest', 'trending', 'following']) {
    const own = await server.ask('GET', `/v1/feed?kind=${kind}`, { token: human.token });
    assert.doesNotMatch(own.headers.get('cache-control') ?? '', /public/, kind);
  }
});

test('400 invalid-request for a cursor of another list, or of none', async () => {
  const human = await server.register();
  await publishedAt(server, human, onDay(1));
  await publishedAt(server, human, onDay(2));
  await untilPlaced(server);
  const latest = (await feed('?limit=1')).body.next_cursor as string;
  const trending = (await feed('?kind=trending&limit=1')).body.next_cursor as string;
  assert.notEqual(latest, null);
  for (const query of [
    `?kind=trending&cursor=${latest}`,
    `?cursor=${trending}`,
    `?cursor=${human.id}`,
    '?cursor=x',
    `?cursor=${'A'.repeat(512)}`,
    '?cursor=',
    '?kind=best',
    '?limit=0',
    '?status=draft',
  ])
    assertProblem(await feed(query), 'invalid-request');
});
