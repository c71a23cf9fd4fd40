// What somebody who publishes and deletes sees of it: the article comes up everywhere, and is gone everywhere.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createClient, isProblem } from '@colophon/sdk';
import sharp from 'sharp';
import { rareWord } from '#test/discovery-words';
import { imageAddress, everySurface, shareImage } from '#test/everywhere';
import type { Published } from '#test/everywhere';
import { freshName, startServer } from '#test/harness';
import { until } from '#test/throw-away-database';

const server = await startServer({}, {}, { drawsAhead: true });
after(() => server[Symbol.asyncDispose]());

function untilAll(article: Published, there: boolean): Promise<unknown> {
  return Promise.all(
    Object.entries(everySurface).map(([place, isThere]) =>
      until(
        `${place} ${there ? 'shows' : 'no longer shows'} the article`,
        async () => (await isThere(article)) === there,
      ),
    ),
  );
}

test('an article comes up on every surface after publishing, and is gone from all after its deletion', async () => {
  const { baseUrl } = server;
  const visitor = createClient({ baseUrl });
  const { token, username } = await visitor.registerHuman({ username: freshName() });
  const client = createClient({ baseUrl, token });
  const [topic, word] = [rareWord('topic'), rareWord('text')];
  const members = { title: 'Rivers at night', content: `A ${word} by the water.`, language: 'en' };
  // Pages and feeds of the author are not empty before and after.
  const other = await client.createArticle({ ...members, content: 'Another text.' });
  await client.publishArticle({ id: other.id });

  const draft = await client.createArticle({ ...members, metadata: { topics: [topic] } });
  const { id, url, processing } = await client.publishArticle({ id: draft.id });
  assert.deepEqual(processing, { search_indexed: false, sitemap: 'pending', og_image: 'pending' });
  const article = { baseUrl, id, url, author: username, topic, word };
  await untilAll(article, true);

  const image = await shareImage(article);
  assert.ok(image);
  const { format, width, height } = await sharp(image).metadata();
  assert.deepEqual([format, width, height], ['png', 1200, 630]);
  const address = (await imageAddress(article)) ?? '';

  await client.deleteArticle({ id });
  await untilAll(article, false);
  const still = await Promise.all(Object.values(everySurface).map((isThere) => isThere(article)));
  assert.ok(!still.includes(true), 'what was gone has not come back with what was processed later');
  assert.equal((await fetch(address)).status, 410);
  assert.equal((await fetch(url)).status, 410);
  await assert.rejects(visitor.readProcessing({ id }), (error) => isProblem(error, 'gone'));
  await assert.rejects(visitor.readTopic({ slug: topic }), (error) =>
    isProblem(error, 'not-found'),
  );
  const { items } = await visitor.readFeed({ author: username });
  assert.deepEqual(
    items.map((one) => one.id),
    [other.id],
  );
});
