// Counts of topics on a real PostgreSQL, with concurrent publications, changes and removals.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from '#database';
import { bucketOf, keyOf, newId } from '#lib/id';
import { assertTopicsExact } from '#test/feeds';
import { migratedClone } from '#test/migrated-clone';
import { quiet } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { topicKey } from '../rules/topics.ts';
import { rebuildingTopics } from './topics.ts';
import { placeInFeed, rebuildingFeed } from '../subscribers.ts';

const buckets = [3, 4, 5];
let clone: Clone;

before(async () => {
  clone = await migratedClone();
  for (const bucket of buckets)
    await clone.ask(
      "insert into principals (bucket, id, kind, username, created_at) values ($1, $2, 'human', $2, now())",
      [bucket, newId(bucket)],
    );
});

after(async () => {
  await clone[Symbol.asyncDispose]();
});

async function revise(id: string, topics: readonly string[]): Promise<void> {
  const bucket = bucketOf(id);
  const revision = newId(bucket);
  await clone.ask("insert into contents values ($1, $2, 'Title', 'Text', $3, '', now())", [
    bucket,
    revision,
    JSON.stringify({ topics }),
  ]);
  await clone.ask(
    "insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at) values ($1, $2, $3, $3, '', now())",
    [bucket, id, revision],
  );
  await clone.ask(
    'update articles set published_revision_id = $3, latest_revision_id = $3 where bucket = $1 and id = $2',
    [bucket, id, revision],
  );
}

async function publish(topics: readonly string[], publishedAt = new Date()): Promise<string> {
  const bucket = buckets[Math.floor(Math.random() * buckets.length)] ?? 3;
  const id = newId(bucket);
  await clone.ask(
    `insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure,
       latest_revision_id, published_revision_id, published_at, created_at, updated_at)
     select bucket, $2, id, 'human', 'published', 'public', 'en', 'human_authored', '', '', $3, now(), now()
     from principals
     where bucket = $1`,
    [bucket, id, publishedAt],
  );
  await revise(id, topics);
  return id;
}

const services = () => ({ db: clone.db, log: quiet, now: () => new Date() });
const place = (id: string) => placeInFeed([keyOf(id)], services());
const setStatus = (id: string, status: string) =>
  clone.ask('update articles set status = $3 where bucket = $1 and id = $2', [
    bucketOf(id),
    id,
    status,
  ]);

async function counts(): Promise<Readonly<Record<string, number>>> {
  const rows = await clone.ask<{ slug: string; article_count: number }>(
    'select slug, article_count from topics order by slug',
  );
  return Object.fromEntries(rows.map(({ slug, article_count }) => [slug, article_count]));
}

async function empty(): Promise<void> {
  await clone.ask(
    'truncate topics, article_topics, article_trends, article_supporters, articles cascade',
  );
}

test('publishing, revising, hiding, restoring and erasing count, and again change nothing', async () => {
  await empty();
  const [one, other] = [await publish(['Deep Sea', 'Fish']), await publish(['Fish', 'fish'])];
  const step = async (expected: Readonly<Record<string, number>>) => {
    for (const id of [one, other, one]) await place(id);
    assert.deepEqual(await counts(), expected);
    await assertTopicsExact(clone);
  };
  await step({ 'deep-sea': 1, fish: 2 });
  await revise(one, ['fish', 'Birds']);
  await step({ birds: 1, fish: 2 });
  await setStatus(one, 'hidden');
  await step({ fish: 1 });
  await setStatus(one, 'published');
  await step({ birds: 1, fish: 2 });
  await setStatus(one, 'erased');
  await setStatus(other, 'unpublished');
  await step({});
  await place(newId(3));
  assert.deepEqual(await clone.ask('select article_id from article_trends'), []);
});

test('another spelling is kept, and a topic lives where its slug says', async () => {
  await empty();
  const id = await publish(['deep sea']);
  await place(id);
  await revise(id, ['DEEP SEA']);
  await place(id);
  assert.deepEqual(await clone.ask('select topic, name from article_topics'), [
    { topic: 'deep-sea', name: 'DEEP SEA' },
  ]);
  assert.deepEqual(await clone.ask('select bucket, slug from topics'), [
    { bucket: topicKey('deep-sea').bucket, slug: 'deep-sea' },
  ]);
});

/** More would wait in line, and a slow machine refuses those. */
async function eightAtOnce(
  ids: readonly string[],
  work: (id: string, number: number) => Promise<void>,
): Promise<void> {
  const left = ids.entries();
  const lane = async () => {
    for (const [number, id] of left) await work(id, number);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

test('articles with the same topics in opposite orders, 8 at once: no deadlock', async () => {
  await empty();
  const topics = Array.from({ length: 10 }, (_, number) => `topic-${number}`);
  const db = openDatabase({
    connection: clone.connection,
    readers: 1,
    writers: 8,
    patience: 12,
    onError: () => undefined,
  });
  const placeThere = (id: string) => placeInFeed([keyOf(id)], { ...services(), db });
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      publish(number % 2 === 0 ? topics : topics.toReversed()),
    ),
  );
  await eightAtOnce(ids, placeThere);
  assert.deepEqual(await counts(), Object.fromEntries(topics.map((slug) => [slug, 40])));
  // Each removes some topics while others add them again: rows are deleted and inserted again.
  for (let round = 0; round < 5; round += 1) {
    await eightAtOnce(ids, async (id, number) => {
      await revise(id, (number + round) % 3 === 0 ? topics.slice(0, round) : topics.slice(round));
      await setStatus(id, (number + round) % 4 === 0 ? 'hidden' : 'published');
      await Promise.all([placeThere(id), placeThere(id)]);
    });
    await assertTopicsExact(clone);
  }
  for (const id of ids) await setStatus(id, 'removed');
  await eightAtOnce(ids, placeThere);
  assert.deepEqual(await counts(), {});
  await db[Symbol.asyncDispose]();
});

test('everything is rebuilt from the articles: what was lost, what is wrong and what is too much', async () => {
  await empty();
  const ids = await Promise.all([publish(['a-a', 'b-b']), publish(['b-b']), publish(['c-c'])]);
  for (const id of ids) await place(id);
  const rows =
    'select bucket, article_id, topic, name, published_at from article_topics order by article_id, topic';
  const [before, counted] = [await clone.ask(rows), await counts()];
  await clone.ask("delete from article_topics where topic = 'a-a'");
  await clone.ask("update topics set article_count = 7 where slug = 'b-b'");
  await clone.ask("delete from topics where slug = 'c-c'");
  await clone.ask("insert into topics (bucket, slug, article_count) values ($1, 'gone', 3)", [
    topicKey('gone').bucket,
  ]);
  for (const one of [rebuildingFeed, rebuildingTopics])
    for (const walk of [one.next, one.stale])
      for (const id of await walk(clone.db, '', 100)) await one.rebuild(id, services());
  assert.deepEqual(await clone.ask(rows), before);
  assert.deepEqual(await counts(), counted);
  assert.equal(await rebuildingTopics.count(clone.db), 3);
  assert.deepEqual(await rebuildingTopics.next(clone.db, 'a-a', 1), ['b-b']);
  assert.deepEqual(await rebuildingTopics.stale(clone.db, '', 10), []);
});
