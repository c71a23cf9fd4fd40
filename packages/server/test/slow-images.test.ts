// Images that take long to decode: what the pipeline does meanwhile for everybody else.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { subscribers } from '#search';
import type { ImageWork } from '#images';
import { subscribersWith } from '#media';
import { startOutbox } from '#outbox';
import { startServer } from './harness.ts';
import { pngOf, upload, variantsMade } from './media-files.ts';
import { until } from './throw-away-database.ts';

/** As many subscribers run at once as in the service. */
const concurrency = 4;

test('an article is found while the images of another account are still being decoded, and all of these get variants', async () => {
  await using server = await startServer({ ROLE: 'web' });
  const { connection, db, log, store, images } = server.services;
  const go = Promise.withResolvers<void>();
  after(() => go.resolve());
  let decoding = 0;
  const slow: ImageWork = {
    makeVariants: async (original, widths) => {
      decoding += 1;
      await go.promise;
      return images.makeVariants(original, widths);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  await using _pipeline = startOutbox({
    connection,
    db,
    log,
    subscribers: [...subscribersWith({ store, images: slow }), ...subscribers],
    concurrency,
  });
  const [uploader, author] = [await server.register(), await server.register()];
  const ids: string[] = [];
  for (let shade = 1; shade <= 2 * concurrency; shade += 1)
    ids.push((await upload(server, uploader, 'image', pngOf(3, shade))).body.id);
  await until('an image is being decoded', () => decoding > 0);
  await server.published(author, { title: 'Zanzibar', content: 'A river.', language: 'en' });
  const found = async () => (await server.ask('GET', '/v1/search?q=zanzibar')).body.items.length;
  await until('the article is found', async () => (await found()) === 1);
  assert.equal(decoding, 1);
  go.resolve();
  for (const id of ids) await variantsMade(server, id);
});
