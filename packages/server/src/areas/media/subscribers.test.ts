// Recurring jobs and subscribers of media: expired reservations, media of erased accounts and articles.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, keyOf } from '#lib/id';
import { eraseMediaOf, mediaIdsIn } from './index.ts';
import { appendMessage } from '#outbox';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import {
  aRecord,
  fetchBytes,
  pngOf,
  put,
  storedNames,
  upload,
  variantsMade,
} from '#test/media-files';
import { quiet, until } from '#test/throw-away-database';
import { reconcileShare } from './service/reconcile-store.ts';
import { makeVariants, removeUnfilled } from './subscribers.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const own = { db: server.db, now: () => new Date() };
const inHours = (hours: number) => ({
  db: server.db,
  now: () => new Date(Date.now() + hours * 3_600_000),
});
let shade = 0;
/** Returns an image whose bytes differ from every other one's. */
const anImage = async (human: Human): Promise<string> =>
  (await upload(server, human, 'image', pngOf(3, (shade += 1)))).body.id;
const statusOf = async (human: Human, id: string) =>
  (await server.ask('GET', `/v1/media/${id}`, { token: human.token })).status;

function close(human: Human, treatment: 'pseudonymise' | 'unpublish' | 'erase') {
  const payload = { principal_id: human.id, treatment };
  const message = { bucket: bucketOf(human.id), type: 'principal.closed' as const, payload };
  return server.db.transaction((tx) => appendMessage(tx, message));
}

test('a reservation that was not filled goes after 24 hours, and nothing else', async () => {
  const human = await server.register();
  const pending = await aRecord(server, human, 'image');
  const ready = await anImage(human);
  assert.equal(await removeUnfilled(inHours(23.9)), 0);
  assert.ok((await removeUnfilled(inHours(24.1))) >= 1);
  assert.equal(await statusOf(human, pending.id), 404);
  assert.equal(await statusOf(human, ready), 200);
  assertProblem(await put(server, human, pending.id, pngOf(1, 1)), 'not-found');
});

test('variants are made once, however often and however many at once', async () => {
  const human = await server.register();
  const id = await anImage(human);
  const place = keyOf(id);
  await variantsMade(server, id);
  await server.db.transaction(async (tx) => {
    await tx.run(sql`delete from media_variants where bucket = ${place.bucket}`);
    await tx.run(sql`update blobs set decoded = null where bucket = ${place.bucket}`);
  });
  const { store, images } = server.services;
  const before = new Set(await storedNames(server, id));
  await Promise.all([1, 2, 3].map(() => makeVariants(place, { store, images }, own)));
  await makeVariants(place, { store, images }, own);
  const made = (await storedNames(server, id)).filter((name) => !before.has(name));
  assert.equal(made.length, 3);
  assert.equal((await fetchBytes(server, `/media/${id}?w=640`)).status, 200);
});

test('an account that is closed with erase takes its media with it, and those of its agents', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, human);
  const theirs = [await anImage(human), await anImage(human), await anImage(agent)];
  const pending = await aRecord(server, human, 'image', { alt_text: 'A secret.' });
  const stays = await anImage(other);
  await close(human, 'erase');
  await until('all are gone', async () => {
    const statuses = await Promise.all(
      theirs.map(async (id) => (await fetchBytes(server, `/media/${id}`)).status),
    );
    return statuses.every((status) => status === 410);
  });
  await until('no bytes are left', async () => (await storedNames(server, human.id)).length === 0);
  const rows = await server.db.rows(sql<{ alt_text: string | null; status: string }>`
    select alt_text, status
    from media
    where bucket = ${bucketOf(pending.id)} and owner_principal_id in (${human.id}, ${agent.id})`);
  assert.equal(rows.length, 4);
  for (const row of rows) assert.deepEqual(row, { alt_text: null, status: 'removed' });
  assert.equal((await fetchBytes(server, `/media/${stays}`)).status, 200);
});

test('an account that is closed otherwise leaves its media where they are', async () => {
  const human = await server.register();
  const id = await anImage(human);
  await close(human, 'pseudonymise');
  await close(human, 'unpublish');
  await until('the messages were carried', async () => {
    const left = await server.db.rows(sql`
      select id
      from outbox
      where bucket = ${bucketOf(human.id)}`);
    return left.length === 0;
  });
  assert.equal((await fetchBytes(server, `/media/${id}`)).status, 200);
});

test('an article that is erased takes the media that nothing else of its author names', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const [alone, shared, featured, both] = [
    await anImage(human),
    await anImage(human),
    await anImage(human),
    await anImage(human),
  ];
  const foreign = await anImage(other);
  const names = (ids: readonly string[]) =>
    ids.map((id) => `![](${server.baseUrl}/media/${id})`).join(' ');
  const content = names([alone, shared, featured, both, foreign]);
  const article = await server.published(human, { content });
  await server.draft(human, { content: names([shared]) });
  const another = await server.draft(human, { content: 'Nothing in the text.' });
  const path = `/v1/articles/${another.id}`;
  const body = { featured_media_id: both };
  assert.equal((await server.ask('PATCH', path, { token: human.token, body })).status, 200);
  const erased = {
    bucket: bucketOf(article.id),
    articleId: article.id as string,
    authorId: human.id,
    mediaIds: mediaIdsIn(content),
  };
  assert.equal(erased.mediaIds.length, 5);
  const erase = () => server.db.transaction((tx) => eraseMediaOf(tx, erased, new Date()));
  assert.equal(await erase(), 2);
  assert.equal(await erase(), 0);
  const statuses = await Promise.all(
    [alone, featured, shared, both, foreign].map(
      async (id) => (await fetchBytes(server, `/media/${id}`)).status,
    ),
  );
  assert.deepEqual(statuses, [410, 410, 200, 200, 200]);
});

/** A file that its owner has deleted, and what is stored of its texts. */
async function deletedImage(human: Human, texts: object) {
  const asked = { token: human.token, key: true, body: { kind: 'image', ...texts } } as const;
  const { id } = (await server.ask('POST', '/v1/media', asked)).body as Human;
  assert.equal((await put(server, human, id, pngOf(2, 2))).status, 200);
  const removed = await server.ask('DELETE', `/v1/media/${id}`, { token: human.token });
  assert.equal(removed.status, 204);
  const read = () =>
    server.db.first(sql<{ alt_text: string | null; generation_metadata: unknown }>`
      select alt_text, generation_metadata
      from media
      where bucket = ${bucketOf(id)} and id = ${id}`);
  return { id, read };
}

const noTexts = { alt_text: null, generation_metadata: null };

test('an account that is closed with erase takes what generated a file that was deleted before', async () => {
  const human = await server.register();
  const { read } = await deletedImage(human, { generation_metadata: { prompt: 'My house' } });
  await close(human, 'erase');
  await until('its texts are gone', async () => (await read())?.generation_metadata === null);
});

test('an article that is erased takes the description of a file that its author had deleted before', async () => {
  const human = await server.register();
  const texts = { alt_text: 'My house', generation_metadata: { prompt: 'My house' } };
  const { id, read } = await deletedImage(human, texts);
  const article = await server.published(human, { content: `![](${server.baseUrl}/media/${id})` });
  const { id: articleId } = article;
  const named = { bucket: bucketOf(id), articleId, authorId: human.id, mediaIds: [id] };
  const erase = () => server.db.transaction((tx) => eraseMediaOf(tx, named, new Date()));
  assert.equal(await erase(), 1);
  assert.equal(await erase(), 0);
  assert.deepEqual(await read(), noTexts);
});

test('a folder that cannot be listed does not keep the other buckets from being compared', async () => {
  const { store } = server.services;
  const listed: number[] = [];
  const broken: typeof store = {
    ...store,
    list: (bucket, use) => {
      listed.push(bucket);
      if (listed.length === 1) throw new Error('the folder cannot be read');
      return store.list(bucket, use);
    },
  };
  const services = { db: server.db, log: quiet, now: () => new Date() };
  await assert.rejects(reconcileShare(broken, services), /cannot be read/);
  assert.ok(listed.length > 100, `${listed.length} buckets`);
});
