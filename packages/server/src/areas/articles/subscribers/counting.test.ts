// Counts stay correct at every moment while they change and are added up concurrently.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, keyOf } from '#lib/id';
import { ask, comment, countOf } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { poisonRow } from '#test/poisoned-rows';
import { addsTrigger } from '#test/citus/one-server';
import { until } from '#test/throw-away-database';
import { insertCountDelta } from '../index.ts';
import { setCountsFolded, foldedAtOnce } from '../queries/index.ts';
import { foldAllCounts, foldCounts } from './counting.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

interface Truth {
  readonly comments: number;
  readonly added: number;
  readonly ahead: number;
}

/** Returns the true counts, the stored counts and the pending changes, as one statement sees them. */
async function truthOf(id: string): Promise<Truth> {
  const row = await server.db.first(sql<Truth>`
    select
      (
        select count(*)::integer
        from comments c
        where c.bucket = a.bucket and c.article_id = a.id and c.status = 'visible'
      ) as comments,
      a.comments_count as added,
      (
        select coalesce(sum(d.comments), 0)::integer
        from article_count_deltas d
        where d.bucket = a.bucket and d.article_id = a.id
      ) as ahead
    from articles a
    where a.bucket = ${bucketOf(id)} and a.id = ${id}`);
  return row ?? assert.fail('the article is not there');
}

async function anArticle() {
  const author = await server.register();
  return { author, id: (await server.published(author)).id as string };
}

/** Writes changes without the rules, in one transaction. */
async function change(id: string, comments: readonly number[]): Promise<void> {
  await server.db.transaction(async (tx) => {
    for (const by of comments) insertCountDelta(tx, keyOf(id), { comments: by }, new Date());
  });
}

test('adding up changes nothing that a reader sees', async () => {
  const { author, id } = await anArticle();
  for (let n = 0; n < 3; n += 1) await comment(server, author, id);
  assert.equal(await countOf(server, id), 3);
  assert.deepEqual(await truthOf(id), { comments: 3, added: 0, ahead: 3 });
  assert.equal(await foldCounts(keyOf(id), server), 3);
  assert.deepEqual(await truthOf(id), { comments: 3, added: 3, ahead: 0 });
  assert.equal(await countOf(server, id), 3);
  assert.equal(await foldCounts(keyOf(id), server), 0);
});

test('every count is added up by itself', async () => {
  const { id } = await anArticle();
  await server.db.transaction(async (tx) => {
    insertCountDelta(tx, keyOf(id), { edgesIn: 2, edgesOut: 5 }, new Date());
    insertCountDelta(tx, keyOf(id), { comments: 1, edgesIn: -1 }, new Date());
  });
  const counts = { comments: 1, edges_in: 1, edges_out: 5 };
  assert.deepEqual((await server.ask('GET', `/v1/articles/${id}`)).body.counts, counts);
  await foldAllCounts(server);
  assert.deepEqual((await server.ask('GET', `/v1/articles/${id}`)).body.counts, counts);
});

test('adding up that breaks off has done nothing', async () => {
  const { id } = await anArticle();
  await change(id, [1, 1, 1]);
  await server.db.transaction((tx) => setCountsFolded(tx, keyOf(id)), { rollback: true });
  const { added, ahead } = await truthOf(id);
  assert.deepEqual({ added, ahead }, { added: 0, ahead: 3 });
});

test('an article whose row refuses changes holds back no other', addsTrigger, async () => {
  const made = [await anArticle(), await anArticle(), await anArticle()];
  const [first = '', ...others] = made
    .map(({ id }) => id)
    .toSorted((one, other) => bucketOf(one) - bucketOf(other) || (one < other ? -1 : 1));
  for (const id of [first, ...others]) await change(id, [1]);
  {
    await using _poison = await poisonRow(server, 'articles', first);
    await assert.rejects(foldAllCounts(server), /poisoned/);
  }
  assert.deepEqual((await truthOf(first)).ahead, 1);
  for (const id of others) assert.deepEqual((await truthOf(id)).ahead, 0);
  await foldAllCounts(server);
  assert.deepEqual((await truthOf(first)).ahead, 0);
});

test('what is more than one page is added up page by page', async () => {
  const { id } = await anArticle();
  const many = foldedAtOnce * 2 + 10;
  await change(
    id,
    Array.from({ length: many }, () => 1),
  );
  assert.equal(await foldCounts(keyOf(id), server), many);
  const { added, ahead } = await truthOf(id);
  assert.deepEqual({ added, ahead }, { added: many, ahead: 0 });
});

test('many at once add up the same changes, and none of them twice', async () => {
  const { id } = await anArticle();
  await change(
    id,
    Array.from({ length: 300 }, () => 1),
  );
  const folded = await Promise.all(Array.from({ length: 8 }, () => foldCounts(keyOf(id), server)));
  assert.equal(
    folded.reduce((sum, one) => sum + one, 0),
    300,
  );
  const { added, ahead } = await truthOf(id);
  assert.deepEqual({ added, ahead }, { added: 300, ahead: 0 });
});

test('writers, deleters and those who add up, at once: the count is the truth at every moment', async () => {
  // Adds up the changes of earlier tests first.
  await foldAllCounts(server);
  const { id } = await anArticle();
  const people = await Promise.all(Array.from({ length: 6 }, () => server.register()));
  let writing = true;
  let looks = 0;
  const write = async (human: Human) => {
    for (let n = 0; n < 30; n += 1) {
      // Writers on a fast machine do not outrun those who look.
      await until('it was looked at', () => looks > n / 2);
      const made = await ask(server, human, id);
      assert.equal(made.status, 201);
      if (n % 3 !== 0) continue;
      const path = `/v1/comments/${made.body.id as string}`;
      const gone = await server.ask('DELETE', path, { token: human.token });
      assert.equal(gone.status, 204);
    }
  };
  const fold = async () => {
    let folded = 0;
    while (writing) folded += await foldAllCounts(server);
    return folded;
  };
  const look = async () => {
    for (; writing; looks += 1) {
      const { comments, added, ahead } = await truthOf(id);
      assert.equal(added + ahead, comments);
    }
  };
  const others = [fold(), fold(), fold(), look()] as const;
  try {
    await Promise.all(people.map(write));
  } finally {
    writing = false;
  }
  const [first, second, third] = await Promise.all(others);
  assert.ok(looks > 10, `looked ${looks} times`);
  const folded = first + second + third + (await foldAllCounts(server));
  assert.equal(folded, 6 * 30 + 6 * 10);
  assert.deepEqual(await truthOf(id), { comments: 120, added: 120, ahead: 0 });
  assert.equal(await countOf(server, id), 120);
});

test('the pipeline adds up what a hot article gathers, without being asked', async () => {
  await using whole = await startServer();
  const author = await whole.register();
  const { id } = await whole.published(author, { language: 'en' });
  await whole.db.transaction(async (tx) => {
    for (let n = 0; n < 2_000; n += 1) insertCountDelta(tx, keyOf(id), { comments: 1 }, new Date());
  });
  // No other write wakes the relay here; a comment that appends a message does.
  await comment(whole, author, id);
  await until('most of it is added up', async () => {
    const row = await whole.db.first(sql<{ comments_count: number }>`
      select comments_count from articles where bucket = ${bucketOf(id)} and id = ${id as string}`);
    return (row?.comments_count ?? 0) >= 2_000;
  });
  await until('readers see it', async () => (await countOf(whole, id)) === 2_001);
});
