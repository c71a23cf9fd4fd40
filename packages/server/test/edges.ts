// What tests of edges share: asserting them, and looking at what they leave behind.
import assert from 'node:assert/strict';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import type { Human, Response, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

type Input = Readonly<Record<string, unknown>>;

/** Asks for an edge; the kind is `cites` unless the input says another. */
export function ask(
  server: TestServer,
  human: Pick<Human, 'token'>,
  input: Input,
  query = '',
): Promise<Response> {
  const body = { kind: 'cites', ...input };
  return server.ask('POST', `/v1/edges${query}`, { token: human.token, key: true, body });
}

/** Asserts an edge between two articles and answers its record. */
export async function link(
  server: TestServer,
  human: Pick<Human, 'token'>,
  ends: readonly [source: { readonly id: string }, destination: { readonly id: string }],
  input: Input = {},
): Promise<Response['body']> {
  const [source, destination] = ends;
  const made = await ask(server, human, {
    src_article_id: source.id,
    dst_article_id: destination.id,
    ...input,
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

export interface EventRow {
  readonly type: string;
  readonly actor_principal_id: string | null;
  readonly subject_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What a principal was told, oldest first. */
export function eventsOf(server: TestServer, id: string): Promise<readonly EventRow[]> {
  return server.db.rows(sql<EventRow>`
    select type, actor_principal_id, subject_id, payload
    from events
    where bucket = ${bucketOf(id)} and principal_id = ${id}
    order by number`);
}

interface Unfinished {
  readonly name: string;
  readonly count: number;
  /** A failure of one of them. */
  readonly error: string | null;
}

/** What the pipeline has to do, by the name of the job; messages that are not relayed yet are one of them. */
function listUnfinished(server: TestServer): Promise<readonly Unfinished[]> {
  return server.db.rows(sql<Unfinished>`
    select 'message' as name, count(*)::integer as count, null as error
    from outbox
    having count(*) > 0
    union all
    select task.identifier, count(*)::integer, max(left(job.last_error, 300))
    from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where job.attempts < job.max_attempts
    group by task.identifier`);
}

/** Waits until the pipeline has done all that was asked of it. */
export async function untilSettled(server: TestServer, limitMs?: number): Promise<void> {
  const isDone = async () => {
    const [row] = await server.db.rows(sql<{ left: number }>`
      select
        (select count(*) from outbox)
        + (
          select count(*)
          from graphile_worker._private_jobs
          where attempts < max_attempts
        ) as left`);
    return row?.left === 0;
  };
  try {
    // On several servers the messages are counted later than the jobs, so a message that was made a job in between is missed once.
    await until('the pipeline is done', async () => (await isDone()) && (await isDone()), limitMs);
  } catch (error) {
    const left = await listUnfinished(server);
    throw new Error(`The pipeline has not done ${JSON.stringify(left)}.`, { cause: error });
  }
}

/** Counts of an article as everybody reads them. */
export async function countsOf(
  server: TestServer,
  id: string,
): Promise<{ edges_in: number; edges_out: number }> {
  const { body } = await server.ask('GET', `/v1/articles/${id}`);
  const { edges_in, edges_out } = body.counts as { edges_in: number; edges_out: number };
  return { edges_in, edges_out };
}

/** Ids of the edges of a page. */
export function edgeIds(response: Response): readonly string[] {
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return (response.body.items as readonly { id: string }[]).map(({ id }) => id);
}
