// Share images in a media store: stored beside media, made again if lost, and deleted with what they show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf } from '#lib/id';
import { reconcile } from '../../src/areas/media/service/reconcile-store.ts';
import { closeAccount } from '../closing.ts';
import type { TestServer } from '../harness.ts';
import { askImage, keptImage } from '../og-images.ts';
import type { KeptRow } from '../og-images.ts';
import { until } from '../throw-away-database.ts';

async function untilMade(server: TestServer, id: string): Promise<KeptRow> {
  await until('the image is made', async () => (await keptImage(server, id)) !== undefined);
  const row = await keptImage(server, id);
  assert.ok(row);
  return row;
}

async function untilGone(server: TestServer, { name }: KeptRow): Promise<void> {
  await until('the bytes are gone', async () => !(await server.services.store.exists(name)));
}

/** Tests on the server that `get` answers, which runs the pipeline. */
export function testOgImages(
  store: string,
  get: () => TestServer,
  skip: string | false = false,
): void {
  test(`${store}: 200 the share image that the pipeline kept`, { skip }, async () => {
    const server = get();
    const human = await server.register();
    const { id } = await server.published(human, { title: 'Kept' });
    const row = await untilMade(server, id);
    const { status, bytes } = await askImage(server, id);
    assert.deepEqual([status, bytes.length], [200, row.byte_size]);
    assert.equal((await keptImage(server, id))?.name, row.name);
  });

  test(
    `${store}: comparing store and rows keeps the image that a row names`,
    { skip },
    async () => {
      const server = get();
      const human = await server.register();
      const { id } = await server.published(human, { title: 'Compared' });
      const row = await untilMade(server, id);
      const { db, store: kept } = server.services;
      const later = () => new Date(Date.now() + 2 * 3_600_000);
      const found = await reconcile(bucketOf(id), kept, { db, now: later });
      assert.deepEqual(found.lost, []);
      assert.equal(await kept.exists(row.name), true);
      await kept.delete(row.name);
      const { lost } = await reconcile(bucketOf(id), kept, { db, now: later });
      assert.deepEqual(lost, [row.name]);
    },
  );

  test(`${store}: erasing an article deletes the bytes of its image`, { skip }, async () => {
    const server = get();
    const human = await server.register();
    const { id } = await server.published(human, { title: 'Erased' });
    const row = await untilMade(server, id);
    await server.ask('POST', `/v1/articles/${id}/erase`, {
      token: human.token,
      body: { confirm: 'erase' },
    });
    await untilGone(server, row);
    assert.equal(await keptImage(server, id), undefined);
  });

  for (const treatment of ['erase', 'unpublish', 'pseudonymise']) {
    test(
      `${store}: an account that closes with ${treatment} leaves no image that shows its name`,
      { skip },
      async () => {
        const server = get();
        const human = await server.register();
        const { id } = await server.published(human, { title: 'Left' });
        const row = await untilMade(server, id);
        const closed = await closeAccount(server, human, treatment);
        assert.equal(closed.status, 200, JSON.stringify(closed.body));
        await untilGone(server, row);
        if (treatment !== 'pseudonymise')
          return assert.equal(await keptImage(server, id), undefined);
        assert.notEqual((await untilMade(server, id)).key, row.key);
      },
    );
  }
}
