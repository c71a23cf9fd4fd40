// Comments at full speed, concurrently with each other and with changes of their article.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { countedDeadlocks } from '#test/citus/one-server';
import { ask, askReply, comment, countOf, eventsOf } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertGone } from '#test/problem-checks';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

async function visibleOn(articleId: string): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from comments
    where bucket = ${bucketOf(articleId)} and article_id = ${articleId} and status = 'visible'`);
  return row?.count ?? -1;
}

test('201 or 410 of comments while the article is deleted: after its 204 there is none', async () => {
  for (let round = 0; round < 5; round += 1) {
    const author = await server.register();
    const { id } = await server.published(author);
    const people = await Promise.all(Array.from({ length: 6 }, () => server.register()));
    const answers = await Promise.all([
      ...people.slice(0, 3).map((human) => ask(server, human, id)),
      server.ask('DELETE', `/v1/articles/${id as string}`, { token: author.token }),
      ...people.slice(3).map((human) => ask(server, human, id)),
    ]);
    assert.equal(answers[3]?.status, 204);
    const comments = answers.filter((_, place) => place !== 3).map((one) => one.status);
    assert.ok(comments.every((status) => status === 201 || status === 410));
    const made = comments.filter((status) => status === 201).length;
    assert.equal(await visibleOn(id), made);
    assert.equal((await eventsOf(server, author.id)).length, made);
    for (const human of people) assertGone(await ask(server, human, id));
    assert.equal(await visibleOn(id), made);
  }
});

test('201 does not wait for an author who is changing the article', async () => {
  const [author, reader] = [await server.register(), await server.register()];
  const { id } = await server.published(author);
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      update articles set status = 'removed', removed_at = now()
      where bucket = ${bucketOf(id)} and id = ${id as string}`);
    assert.equal((await ask(server, reader, id)).status, 201);
  });
  assertGone(await ask(server, reader, id));
  assert.equal(await visibleOn(id), 1);
});

test('201 once for one key that is sent many times at once', async () => {
  const [author, reader] = [await server.register(), await server.register()];
  const { id } = await server.published(author);
  const sent = { token: reader.token, key: 'many-at-once', body: { content: 'Once.' } };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      server.ask('POST', `/v1/articles/${id as string}/comments`, sent),
    ),
  );
  assert.ok(answers.every(({ status }) => status === 201 || status === 409));
  const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
  assert.equal(new Set(ids).size, 1);
  assert.equal(await visibleOn(id), 1);
  assert.equal((await eventsOf(server, author.id)).length, 1);
});

/** Counts the deadlocks that PostgreSQL resolved; a session reports its count when it ends. */
async function deadlocks(): Promise<number> {
  await server.db[Symbol.asyncDispose]();
  const client = new pg.Client(server.services.connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.deadlocks);
  } finally {
    await client.end();
  }
}

/** Two transactions that wait for each other: the count must include this deadlock. */
async function provoke(one: string, other: string): Promise<void> {
  const lock = (id: string) => sql`
    select id from articles where bucket = ${bucketOf(id)} and id = ${id} for update`;
  const { promise: bothHold, resolve } = Promise.withResolvers<void>();
  let holding = 0;
  const grab = (first: string, second: string) =>
    server.db.transaction(async (tx) => {
      await tx.run(lock(first));
      holding += 1;
      if (holding === 2) resolve();
      await bothHold;
      await tx.run(lock(second));
    });
  await Promise.all([grab(one, other), grab(other, one)]);
}

test('two authors who comment, answer and delete on each other’s articles at full speed: no deadlock', async () => {
  const people = [await server.register(), await server.register()] as const;
  const articles = await Promise.all(
    people.map(async (human) => (await server.published(human)).id as string),
  );
  const roots = await Promise.all(
    articles.map(async (id, place) => {
      const made = await comment(server, people[place === 0 ? 0 : 1], id);
      return made.id as string;
    }),
  );
  const each = 40;
  const act = async (human: Human, article: string, root: string) => {
    for (let n = 0; n < each; n += 1) {
      const made = await (n % 2 === 0
        ? ask(server, human, article)
        : askReply(server, human, root));
      assert.equal(made.status, 201, JSON.stringify(made.body));
      if (n % 4 !== 0) continue;
      const gone = await server.ask('DELETE', `/v1/comments/${made.body.id as string}`, {
        token: human.token,
      });
      assert.equal(gone.status, 204, JSON.stringify(gone.body));
    }
  };
  const loops = [0, 1, 0, 1, 0, 1, 0, 1].map((who) =>
    act(people[who === 0 ? 0 : 1], articles[1 - who] ?? '', roots[1 - who] ?? ''),
  );
  await Promise.all(loops);
  for (const [place, id] of articles.entries()) {
    const expected = 1 + 4 * each - 4 * (each / 4);
    assert.equal(await visibleOn(id), expected);
    assert.equal(await countOf(server, id), expected);
    assert.equal((await eventsOf(server, people[place]?.id ?? '')).length, 4 * each);
  }
  await provoke(articles[0] ?? '', articles[1] ?? '');
  const counted = await deadlocks();
  const onlyProvoked = counted <= 1 && counted >= countedDeadlocks(1);
  assert.ok(onlyProvoked, `${counted} deadlocks, one of which was provoked`);
});
