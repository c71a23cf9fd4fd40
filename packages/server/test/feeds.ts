// What tests of the feed and of topics share: articles of certain dates, pages of ids, and what was counted.
import assert from 'node:assert/strict';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import type { Human, Response, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

type Members = Readonly<Record<string, unknown>>;

/** A published article that says when it was published. */
export async function publishedAt(
  server: TestServer,
  human: Human,
  published_at: string,
  members: Members = {},
): Promise<string> {
  const { id } = await server.draft(human, members);
  const { status, body } = await server.ask('POST', `/v1/articles/${id}/publish`, {
    token: human.token,
    key: true,
    body: { published_at },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return id;
}

export function idsOf(response: Response): readonly string[] {
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return (response.body.items as readonly { id: string }[]).map(({ id }) => id);
}

/** Reads a list page by page to its end; `between` runs after each page. */
export async function readAll(
  ask: (query: string) => Promise<Response>,
  query: string,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  for (let page = 1; cursor !== null; page += 1) {
    const response: Response = await ask(cursor === '' ? query : `${query}&cursor=${cursor}`);
    ids.push(...idsOf(response));
    cursor = response.body.next_cursor as string | null;
    if (cursor !== null) await between(page);
  }
  return ids;
}

export interface Counted {
  readonly points: number;
  readonly score: number;
  /** `kind owner`, in their order. */
  readonly supporters: readonly string[];
}

/** What an article's place in what trends is made of; undefined: it has none. */
export async function countedOf(server: TestServer, id: string): Promise<Counted | undefined> {
  const bucket = bucketOf(id);
  const trend = await server.db.first(sql<{ points: number; score: number }>`
    select points, score
    from article_trends
    where bucket = ${bucket} and article_id = ${id}`);
  const rows = await server.db.rows(sql<{ one: string }>`
    select kind || ' ' || owner_id as one
    from article_supporters
    where bucket = ${bucket} and article_id = ${id}
    order by one`);
  if (trend === undefined) {
    assert.deepEqual(rows, []);
    return undefined;
  }
  return { ...trend, supporters: rows.map(({ one }) => one) };
}

/** Every topic counts what has it, and there is none without. */
export async function assertTopicsExact(server: Pick<TestServer, 'db'>): Promise<void> {
  const wrong = await server.db.rows(sql`
    select coalesce(t.slug, a.topic) as slug, t.article_count, a.count
    from topics t
    full join (
      select topic, count(*) as count, max(published_at) as last
      from article_topics
      group by topic
    ) as a on a.topic = t.slug
    where t.article_count is distinct from a.count or t.last_published_at is distinct from a.last
    order by slug`);
  assert.deepEqual(wrong, []);
}

/** Waits until the feed and the topics say what was done until now; the rest of the pipeline may go on. */
export async function untilPlaced(server: Pick<TestServer, 'db'>): Promise<void> {
  const idle = async () => {
    const row = await server.db.first(sql<{ left: number }>`
      select
        (select count(*)::integer from outbox)
        + (
          select count(*)::integer
          from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier ~ '(placeInFeed|weigh[A-Z][a-z]+|forgetFollows|eraseComments|treatWorks|followArticle)$'
            and j.attempts < j.max_attempts
        ) as left`);
    return row?.left === 0;
  };
  // A subscriber may leave a message for another one.
  await until('the feed is settled', async () => (await idle()) && (await idle()));
}
