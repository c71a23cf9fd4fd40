// The points for comments, weighed for several people and articles in one job.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keyOf, newId } from '#lib/id';
import { createAgent } from '#test/agents';
import { comment, setArticleStatus } from '#test/comments';
import { countedOf } from '#test/feeds';
import { startServer } from '#test/harness';
import { placeInFeed } from '../subscribers.ts';
import { weighCommenters } from './commenters.ts';

// Nothing else weighs what this file does.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

test('a batch gives and takes each point once, counts new articles, and skips what is not listed', async () => {
  const people = [await server.register(), await server.register(), await server.register()];
  const [author, ann, ben] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
  const agent = await createAgent(server, ann);
  const ids: string[] = [];
  for (let place = 0; place < 4; place += 1) ids.push((await server.published(author)).id);
  const [counted = '', both = '', fresh = '', hidden = ''] = ids;
  await placeInFeed([counted, both, hidden].map(keyOf), server);
  const first = await comment(server, ann, counted);
  await comment(server, agent, both);
  await comment(server, ben, both);
  await comment(server, author, both);
  await comment(server, ben, fresh);
  await comment(server, ben, hidden);
  await setArticleStatus(server, hidden, 'hidden');
  const pairs = [...ids, newId(7)].flatMap((article_id) =>
    people.map(({ id: owner_id }) => ({ article_id, owner_id })),
  );
  const weigh = () => server.db.transaction((tx) => weighCommenters(tx, pairs));
  const support = async () =>
    Promise.all(ids.map(async (id) => (await countedOf(server, id))?.supporters));
  const byBoth = [`comment ${ann.id}`, `comment ${ben.id}`].toSorted();
  for (let run = 0; run < 2; run += 1) {
    await weigh();
    assert.deepEqual(await support(), [
      [`comment ${ann.id}`],
      byBoth,
      [`comment ${ben.id}`],
      undefined,
    ]);
  }
  await server.ask('DELETE', `/v1/comments/${first.id}`, { token: ann.token });
  await Promise.all([weigh(), weigh()]);
  const points = await Promise.all(ids.map(async (id) => (await countedOf(server, id))?.points));
  assert.deepEqual(points, [0, 2, 1, undefined]);
  assert.deepEqual((await support())[0], []);
});
