// PATCH /v1/articles/{id} over HTTP: the featured image.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { eraseMediaOf } from '#media';
import { storeAgent } from '#test/accounts';
import { blockedByLock, untilWaiting } from '#test/blocked-by-lock';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { aRecord, pngOf, setMedia, upload } from '#test/media-files';
import { assertFault } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const patch = (human: Pick<Human, 'token'>, id: string, body: object) =>
  server.ask('PATCH', `/v1/articles/${id}`, { token: human.token, body });

test('200 with a ready image of the author; readers see it while it is there', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const media = (await upload(server, human, 'image', pngOf(2, 2))).body.id;
  const shown = async () => (await server.ask('GET', `/v1/articles/${id}`)).body.featured_media_id;
  const { body } = await patch(human, id, { featured_media_id: media });
  assert.equal(body.featured_media_id, media);
  assert.equal(await shown(), media);
  await setMedia(server, media, { hidden: true });
  assert.equal(await shown(), null);
  await setMedia(server, media, { hidden: false });
  assert.equal(await shown(), media);
  await server.ask('DELETE', `/v1/media/${media}`, { token: human.token });
  assert.equal(await shown(), null);
  assertFault(await patch(human, id, { featured_media_id: media }), '/featured_media_id');
});

test('200 for null while the image is hidden: it is not featured again once restored', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const media = (await upload(server, human, 'image', pngOf(2, 2))).body.id;
  await patch(human, id, { featured_media_id: media });
  await setMedia(server, media, { hidden: true });
  assert.equal((await patch(human, id, { featured_media_id: null })).status, 200);
  await setMedia(server, media, { hidden: false });
  const { body } = await server.ask('GET', `/v1/articles/${id}`);
  assert.equal(body.featured_media_id, null);
});

test('422 validation-failed for what is not a ready image of the author', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, human);
  const { id } = await server.draft(human);
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n');
  const media = [
    (await aRecord(server, human, 'image')).id,
    (await upload(server, human, 'video', pngOf(1, 1))).body.id,
    (await upload(server, human, 'document', pdf)).body.id,
    (await upload(server, other, 'image', pngOf(1, 1))).body.id,
    (await upload(server, agent, 'image', pngOf(1, 1))).body.id,
    id,
  ];
  for (const one of media)
    assertFault(await patch(human, id, { featured_media_id: one }), '/featured_media_id');
});

test('200 while an article that names the image is erased: the image stays', async () => {
  // Without a pipeline, whose work this test does itself.
  await using web = await startServer({ ROLE: 'web' });
  const human = await web.register();
  const mediaId = (await upload(web, human, 'image', pngOf(2, 2))).body.id as string;
  const { id } = await web.published(human);
  const erased = await web.published(human, { content: `See ${mediaId}.` });
  await web.ask('POST', `/v1/articles/${erased.id}/erase`, {
    token: human.token,
    body: { confirm: 'erase' },
  });
  const bucket = bucketOf(erased.id);
  let erasing: Promise<number> | undefined;
  const atTheMessages = sql`lock table outbox in access exclusive mode`;
  const body = { featured_media_id: mediaId };
  const feature = () => web.ask('PATCH', `/v1/articles/${id}`, { token: human.token, body });
  const [featured] = await blockedByLock(web, atTheMessages, [feature], async () => {
    const named = { bucket, articleId: erased.id, authorId: human.id, mediaIds: [mediaId] };
    erasing = web.db.transaction((tx) => eraseMediaOf(tx, named, new Date()));
    await untilWaiting(web, 2);
  });
  assert.equal(featured?.status, 200);
  assert.equal(await erasing, 0);
  const shown = await web.ask('GET', `/v1/articles/${id}`);
  assert.equal(shown.body.featured_media_id, mediaId);
});
