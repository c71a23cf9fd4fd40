// A thread of 50,000 comments with a chain 10,000 deep: the last page costs no more than the first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { sql } from '#database';
import type { Db, Statement } from '#database';
import { bucketOf, keyOf } from '#lib/id';
import { readsPlans } from '#test/citus/one-server';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { listComments, listOwnIds, listReplies } from './queries/index.ts';
import type { CommentFilters } from './queries/index.ts';

const server = await startServer({ ROLE: 'web' });
const client = new pg.Client(server.services.connection);
after(async () => {
  await client.end();
  await server[Symbol.asyncDispose]();
});

const total = 50_000;
const chain = 10_000;
const wide = 10_000;
const rareEvery = 400;

interface Thread {
  readonly bucket: number;
  readonly id: string;
  /** Id of the nth comment: 1 is the top of the chain, `chain` + 1 that of the many replies. */
  readonly nth: (n: number) => string;
  readonly often: Human;
  readonly rarely: Human;
}

let thread: Thread;

/**
 * A chain from 1 on, each a reply to the previous one; then one comment with `wide` replies; the rest at the
 * top level. Every `rareEvery`th has a stance and another author.
 */
async function plant(): Promise<Thread> {
  const author = await server.register();
  const [often, rarely] = [await server.register(), await server.register()];
  const id = (await server.published(author)).id as string;
  const bucket = bucketOf(id);
  const [head, tail] = [id.slice(0, 10), id.slice(-3)];
  const nth = (n: number) => `${head}${String(n).padStart(13, '0')}${tail}`;
  const idOf = (n: string) => `'${head}' || lpad((${n})::text, 13, '0') || '${tail}'`;
  await client.query(
    `insert into comments
      (bucket, id, article_id, parent_comment_id, root_comment_id, depth, stance, author_id, content, created_at)
    select ${bucket}, ${idOf('n')}, $1,
      case
        when n between 2 and ${chain} then ${idOf('n - 1')}
        when n between ${chain + 2} and ${chain + 1 + wide} then ${idOf(String(chain + 1))}
      end,
      case
        when n between 2 and ${chain} then ${idOf('1')}
        when n between ${chain + 2} and ${chain + 1 + wide} then ${idOf(String(chain + 1))}
      end,
      case when n <= ${chain} then n - 1 when n between ${chain + 2} and ${chain + 1 + wide} then 1 else 0 end,
      case when n % ${rareEvery} = 0 then 'cites' end,
      case when n % ${rareEvery} = 0 then $3 else $2 end,
      'Number ' || n, now()
    from generate_series(1, ${total}) as n`,
    [id, often.id, rarely.id],
  );
  await client.query(
    `insert into comments_by_author (bucket, author_id, comment_id)
    select $1, $2, id from comments where article_id = $3 and author_id = $2`,
    [bucketOf(often.id), often.id, id],
  );
  await client.query('analyze comments, comments_by_author');
  return { bucket, id, nth, often, rarely };
}

before(async () => {
  await client.connect();
  thread = await plant();
});

/** Returns the statement that a query sends. */
async function statementOf(send: (db: Db) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = [];
  const db = {
    rows: (statement: Statement) => {
      sent.push(statement);
      return Promise.resolve([]);
    },
  } as unknown as Db;
  await send(db);
  return sent[0] ?? assert.fail('nothing was sent');
}

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
}

/** Returns the number of database pages that a statement reads, with a custom or a generic plan. */
async function buffersOf(statement: Statement, plan: 'custom' | 'generic') {
  const values = statement.values.map((value) => client.escapeLiteral(String(value)));
  await client.query(`set plan_cache_mode = force_${plan}_plan`);
  await client.query(`prepare measured as ${statement.text}`);
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
      `explain (analyze, buffers, format json) execute measured (${values.join(', ')})`,
    );
    const [{ Plan: found } = assert.fail()] = rows[0]?.['QUERY PLAN'] ?? [];
    return {
      buffers: found['Shared Hit Blocks'] + found['Shared Read Blocks'],
      rows: found['Actual Rows'],
    };
  } finally {
    await client.query('deallocate measured');
  }
}

const limit = 20;
/** One page costs the index's levels, its leaves, and at most one page per row. */
const most = 3 * (limit + 1);

async function assertConstant(
  what: string,
  page: (db: Db, cursor: string | undefined) => Promise<unknown>,
  cursors: readonly string[],
): Promise<void> {
  for (const plan of ['custom', 'generic'] as const) {
    const first = await buffersOf(await statementOf((db) => page(db, undefined)), plan);
    assert.equal(first.rows, limit + 1, `${what}: the first page is full`);
    for (const cursor of cursors) {
      const later = await buffersOf(await statementOf((db) => page(db, cursor)), plan);
      assert.ok(later.rows > 0, `${what}: the page after ${cursor} holds something`);
      for (const [name, { buffers }] of Object.entries({ first, later }))
        assert.ok(buffers <= most, `${what}, ${plan} plan, ${name} page: ${buffers} buffers`);
    }
  }
}

function pages(filters: CommentFilters) {
  return (db: Db, after: string | undefined) => listComments(db, thread, filters, { after, limit });
}

test('the whole thread: first, middle and last page touch as little', readsPlans, async () => {
  const { nth } = thread;
  await assertConstant('all', pages({}), [nth(25_000), nth(total - 3)]);
});

test('below the top of the chain, which is 10,000 deep', readsPlans, async () => {
  const { nth } = thread;
  await assertConstant('root', pages({ root: nth(1) }), [nth(5_000), nth(chain - 3)]);
});

test('of a stance that one in 400 has', readsPlans, async () => {
  const { nth } = thread;
  const filter = pages({ stance: 'cites' });
  await assertConstant('stance', filter, [nth(25_000), nth(total - 3 * rareEvery)]);
});

test(
  'of an author who wrote one in 400, and of the one who wrote the others',
  readsPlans,
  async () => {
    const { nth, often, rarely } = thread;
    const after = [nth(25_000), nth(total - 3 * rareEvery)];
    await assertConstant('rare author', pages({ authorId: rarely.id }), after);
    await assertConstant('frequent author', pages({ authorId: often.id }), after);
  },
);

test('direct replies to a comment that 10,000 answer', readsPlans, async () => {
  const { nth, bucket } = thread;
  const parent = { bucket, id: nth(chain + 1) };
  await assertConstant('replies', (db, after) => listReplies(db, parent, { after, limit }), [
    nth(chain + 5_000),
    nth(chain + wide - 2),
  ]);
});

test(
  'the list of own comments of an account that wrote almost all of them',
  readsPlans,
  async () => {
    const { nth, often } = thread;
    const author = keyOf(often.id);
    await assertConstant('own', (db, cursor) => listOwnIds(db, author, { before: cursor, limit }), [
      nth(25_000),
      nth(4),
    ]);
  },
);

test('200 at the bottom of the chain, with its depth, and 201 below it', async () => {
  const { nth, often } = thread;
  const bottom = await server.ask('GET', `/v1/comments/${nth(chain)}`);
  assert.equal(bottom.body.depth, chain - 1);
  assert.equal(bottom.body.root_comment_id, nth(1));
  const made = await server.ask('POST', `/v1/comments/${nth(chain)}/replies`, {
    token: often.token,
    key: true,
    body: { content: 'Deeper still.' },
  });
  assert.equal(made.status, 201);
  assert.equal(made.body.depth, chain);
  const removed = await server.ask('DELETE', `/v1/comments/${made.body.id as string}`, {
    token: often.token,
  });
  assert.equal(removed.status, 204);
});

test('200 page after page: everybody reads all of it, once and in order', async () => {
  const { id } = thread;
  let last = '';
  let seen = 0;
  for (let query = '?limit=100'; query !== '';) {
    const { status, body } = await server.ask('GET', `/v1/articles/${id}/comments${query}`);
    assert.equal(status, 200);
    for (const item of body.items as readonly { id: string; depth: number }[]) {
      assert.ok(item.id > last);
      last = item.id;
      seen += 1;
    }
    query = body.next_cursor === null ? '' : `?limit=100&cursor=${body.next_cursor as string}`;
  }
  // One more: the reply of the previous test, whose place stays.
  const row = await server.db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from comments
    where bucket = ${thread.bucket} and article_id = ${id}`);
  assert.equal(seen, row?.count);
  assert.ok(seen >= total);
});
