// GET /v1/feed?kind=following: articles of followed authors, in any number.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { createAgent } from '#test/agents';
import { setArticleStatus } from '#test/comments';
import { idsOf, publishedAt, readAll, untilPlaced } from '#test/feeds';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const readFollowing = ({ token }: Human, query = ''): Promise<Response> =>
  server.ask('GET', `/v1/feed?kind=following${query}`, { token });
const onDay = (day: number) => new Date(Date.UTC(2020, 0, day)).toISOString();

async function follow({ token }: Human, ...followed: readonly Human[]): Promise<void> {
  for (const { id } of followed) {
    const { status } = await server.ask('POST', '/v1/follows', {
      token,
      body: { principal_id: id },
    });
    assert.equal(status, 201);
  }
}

test('200 by those followed only, newest first; agents are followed for themselves', async () => {
  const [reader, ann, ben] = [
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  const agent = await createAgent(server, ben);
  await follow(reader, ann, agent);
  const old = await publishedAt(server, ann, onDay(1));
  const ofAgent = await publishedAt(server, agent, onDay(2));
  await publishedAt(server, ben, onDay(3));
  await publishedAt(server, reader, onDay(4));
  const fresh = await publishedAt(server, ann, onDay(5));
  assert.deepEqual(idsOf(await readFollowing(reader)), [fresh, ofAgent, old]);
  assert.deepEqual(idsOf(await readFollowing(ann)), []);
  await server.ask('DELETE', `/v1/follows/${ann.id}`, { token: reader.token });
  assert.deepEqual(idsOf(await readFollowing(reader)), [ofAgent]);
});

test('200 nothing that is not listed, at once', async () => {
  const [reader, ann] = [await server.register(), await server.register()];
  await follow(reader, ann);
  const shown = await publishedAt(server, ann, onDay(1));
  await publishedAt(server, ann, onDay(2), { visibility: 'unlisted' });
  await publishedAt(server, ann, onDay(3), { visibility: 'private' });
  const hidden = await publishedAt(server, ann, onDay(4));
  const deindexed = await publishedAt(server, ann, onDay(5));
  await server.draft(ann);
  await setArticleStatus(server, hidden, 'hidden');
  await server.db.transaction((tx) =>
    tx.run(sql`
      update articles set deindexed = true
      where bucket = ${bucketOf(deindexed)} and id = ${deindexed}`),
  );
  assert.deepEqual(idsOf(await readFollowing(reader)), [shown]);
});

test('200 page by page while others are published: no gap, no repeat', async () => {
  const reader = await server.register();
  const authors = await Promise.all(Array.from({ length: 5 }, () => server.register()));
  await follow(reader, ...authors);
  const there: string[] = [];
  for (let count = 0; count < 25; count += 1)
    there.push(
      await publishedAt(server, authors[(count * count) % 5] ?? reader, onDay(100 - (count % 7))),
    );
  const read = await readAll(
    (query) => readFollowing(reader, query),
    '&limit=3',
    async (page) => {
      await publishedAt(server, authors[page % 5] ?? reader, onDay(90 + page));
    },
  );
  assert.equal(new Set(read).size, read.length);
  assert.deepEqual(read.filter((id) => there.includes(id)).toSorted(), there.toSorted());
});

/** Accounts that the reader follows, beyond the quota; one in ten has an article. */
async function followMany(reader: Human, count: number): Promise<readonly string[]> {
  const people = Array.from({ length: count }, (_, number) => ({
    id: newId((number * 37) % 4096),
    articleId: newId((number * 37) % 4096),
    number,
  }));
  const columns = {
    buckets: people.map(({ id }) => bucketOf(id)),
    ids: people.map(({ id }) => id),
    follows: people.map(() => newId(bucketOf(reader.id))),
  };
  const writers = people.filter(({ number }) => number % 10 === 0);
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into principals (bucket, id, kind, username, created_at)
      select bucket, id, 'human', 'many-' || id, now()
      from unnest(${columns.buckets}::smallint[], ${columns.ids}::text[]) as g (bucket, id)`);
    await tx.run(sql`
      insert into follows (bucket, follower_id, followee_id, follow_id, created_at)
      select ${bucketOf(reader.id)}::smallint, ${reader.id}, id, follow_id, now()
      from unnest(${columns.ids}::text[], ${columns.follows}::text[]) as g (id, follow_id)`);
    for (const [table, statement] of Object.entries({
      contents: sql`
        insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
        select bucket, id, 'Title', 'Text', '{}', 'Text', now()`,
      articles: sql`
        insert into articles (
          bucket, id, author_id, author_kind, status, visibility, language, disclosure,
          latest_revision_id, published_revision_id, published_at, created_at, updated_at
        )
        select bucket, id, author_id, 'human', 'published', 'public', 'en', 'human_authored',
          id, id, at, now(), now()`,
      revisions: sql`
        insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at, published_at)
        select bucket, id, id, id, '', now(), now()`,
    })) {
      assert.ok(table);
      await tx.run(sql`${statement}
        from unnest(
          ${writers.map(({ id }) => bucketOf(id))}::smallint[],
          ${writers.map(({ articleId }) => articleId)}::text[],
          ${writers.map(({ id }) => id)}::text[],
          ${writers.map(({ number }) => timestamp(Date.UTC(2010, 0, 1) + ((number * 7919) % 100_003) * 1000))}::timestamptz[]
        ) as g (bucket, id, author_id, at)`);
    }
  });
  return writers
    .toSorted((one, other) => ((other.number * 7919) % 100_003) - ((one.number * 7919) % 100_003))
    .map(({ articleId }) => articleId);
}

test('200 of 10,000 that are followed', async () => {
  const reader = await server.register();
  const expected = await followMany(reader, 10_000);
  assert.equal(expected.length, 1000);
  const read = await readAll((query) => readFollowing(reader, query), '&limit=100');
  assert.deepEqual(read, expected);
});

test('401 unauthenticated without a token', async () => {
  assertProblem(await server.ask('GET', '/v1/feed?kind=following'), 'unauthenticated');
});

test('400 invalid-request for a cursor of the feed of all articles, and the other way round', async () => {
  const [reader, ann] = [await server.register(), await server.register()];
  await follow(reader, ann);
  const ids = [await publishedAt(server, ann, onDay(8)), await publishedAt(server, ann, onDay(9))];
  await untilPlaced(server);
  const own = (await readFollowing(reader, '&limit=1')).body.next_cursor;
  assert.deepEqual(idsOf(await readFollowing(reader, `&cursor=${own}`)), [ids[0]]);
  const latest = (await server.ask('GET', '/v1/feed?limit=1')).body.next_cursor;
  for (const refused of [
    await server.ask('GET', `/v1/feed?cursor=${own}`),
    await server.ask('GET', `/v1/feed?kind=trending&cursor=${own}`),
    await readFollowing(reader, `&cursor=${latest}`),
  ]) {
    assertProblem(refused, 'invalid-request');
    assert.equal(refused.body.errors[0].pointer, '/cursor');
  }
});
