// GET /v1/feed?kind=trending: the order, its changes, and visibility.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent } from '#test/agents';
import { comment, setArticleStatus } from '#test/comments';
import { link } from '#test/edges';
import { idsOf, untilPlaced, publishedAt, readAll } from '#test/feeds';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const readTrending = (query = ''): Promise<Response> =>
  server.ask('GET', `/v1/feed?kind=trending${query}`);
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const people = (count: number) =>
  Promise.all(Array.from({ length: count }, () => server.register()));

test('200 without any activity it is the order of dates', async () => {
  const human = await server.register();
  const [old, fresh] = [
    await publishedAt(server, human, hoursAgo(3)),
    await publishedAt(server, human, hoursAgo(1)),
  ];
  await untilPlaced(server);
  assert.deepEqual(idsOf(await readTrending(`&author=${human.id}`)), [fresh, old]);
});

test('200 three people make up for a day, two do not; more of the same person or its agents change nothing', async () => {
  const author = await server.register();
  const [ann, ben, cem] = (await people(3)) as [Human, Human, Human];
  const old = await publishedAt(server, author, hoursAgo(24));
  const fresh = await publishedAt(server, author, hoursAgo(0.1));
  const order = async () => {
    await untilPlaced(server);
    return idsOf(await readTrending(`&author=${author.id}`));
  };
  for (const one of [ann, ben, ann, await createAgent(server, ann), author])
    await comment(server, one, old);
  assert.deepEqual(await order(), [fresh, old]);
  for (const one of [cem, await server.register()]) await comment(server, one, old);
  assert.deepEqual(await order(), [old, fresh]);
});

test('200 a link counts two, a follow one', async () => {
  const author = await server.register();
  const [ann, ben] = (await people(2)) as [Human, Human];
  const linked = await publishedAt(server, author, hoursAgo(30));
  const commented = await publishedAt(server, author, hoursAgo(29));
  await comment(server, ben, commented);
  await link(server, ann, [await server.published(ann), { id: linked }]);
  await untilPlaced(server);
  assert.deepEqual(idsOf(await readTrending(`&author=${author.id}`)), [linked, commented]);
});

test('200 nothing that is not listed, at any moment: neither before the subscriber nor after', async () => {
  const author = await server.register();
  const ids: string[] = [];
  for (let hour = 1; hour <= 4; hour += 1)
    ids.push(await publishedAt(server, author, hoursAgo(hour)));
  await publishedAt(server, author, hoursAgo(1), { visibility: 'unlisted' });
  await untilPlaced(server);
  const all = async () => [
    idsOf(await readTrending(`&author=${author.id}`)),
    idsOf(await readTrending('&limit=100')).filter((id) => ids.includes(id)),
  ];
  assert.deepEqual(await all(), [ids, ids]);
  // Bypasses the pipeline: the derived rows still list both articles.
  await setArticleStatus(server, ids[0] ?? '', 'hidden');
  await setArticleStatus(server, ids[1] ?? '', 'removed');
  assert.deepEqual(await all(), [ids.slice(2), ids.slice(2)]);
  const { status } = await server.ask('PATCH', `/v1/articles/${ids[2]}`, {
    token: author.token,
    body: { visibility: 'unlisted' },
  });
  assert.equal(status, 200);
  assert.deepEqual(await all(), [ids.slice(3), ids.slice(3)]);
  await untilPlaced(server);
  assert.deepEqual(await all(), [ids.slice(3), ids.slice(3)]);
});

test('200 page by page while others are published: no gap, no repeat', async () => {
  const [author, other, ann] = (await people(3)) as [Human, Human, Human];
  const members = { metadata: { topics: ['Ranked'] } };
  const there: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    there.push(await publishedAt(server, author, hoursAgo(count * 5), members));
    if (count % 3 === 0) await comment(server, ann, there.at(-1) ?? '');
  }
  await untilPlaced(server);
  for (const filter of ['&topic=ranked', `&author=${author.id}`, '']) {
    const read = await readAll(readTrending, `&limit=6${filter}`, async (page) => {
      const made = await publishedAt(server, other, hoursAgo(page * 7), members);
      await comment(server, ann, made);
      await untilPlaced(server);
    });
    assert.equal(new Set(read).size, read.length, 'nothing comes twice');
    assert.deepEqual(read.filter((id) => there.includes(id)).toSorted(), there.toSorted(), filter);
  }
});
