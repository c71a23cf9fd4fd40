// The queue of 100,000 open reports: a page, its filters and its counts read as many database pages as with few reports.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { reportCategories, targetTypes } from '@colophon/contract';
import pg from 'pg';
import type { Db, Statement } from '#database';
import { startServer } from '#test/harness';
import {
  countOpenReports,
  countQueue,
  findNextOpen,
  listReports,
  listReportStates,
} from './index.ts';
import type { ReportFilters } from './index.ts';

const server = await startServer({ ROLE: 'web' });
const client = new pg.Client(server.services.connection);
after(async () => {
  await client.end();
  await server[Symbol.asyncDispose]();
});

const open = 100_000;
const closed = 50_000;
/** One in so many is of a rare category, or about a rare type; most of these are closed. */
const rareEvery = 4_000;
const most = 1001;

/** Ids as the service makes them: the time, then digits that end with the bucket. */
async function plant(): Promise<void> {
  await client.query(
    `insert into reports (
      bucket, id, target_type, target_id, category, status, claimed_by, claimed_at, action_id,
      created_at, closed_at
    )
    select n % 4096, lpad(n::text, 10, '0') || '0000000000000' || lpad((n % 999)::text, 3, '0'),
      case when n % ${rareEvery} = 0 then 'media' else 'article' end,
      '01M7Z3KJBG7YHCVKQDVW6J2001',
      case when n % ${rareEvery} = 0 or n > $1 then 'copyright' else 'spam' end,
      case when n > $1 then 'rejected' else 'open' end, null, null, null, now(),
      case when n > $1 then now() end
    from generate_series(1, $2) as n`,
    [open, open + closed],
  );
  await client.query('vacuum (analyze) reports');
}

before(async () => {
  await client.connect();
  await plant();
});

/** Returns the statement that a query sends. */
async function statementOf(send: (db: Db) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = [];
  const note = (statement: Statement) => {
    sent.push(statement);
    return Promise.resolve([]);
  };
  await send({ rows: note, first: note } as unknown as Db);
  return sent[0] ?? assert.fail('nothing was sent');
}

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
}

function literalOf(value: unknown): string {
  const text = Array.isArray(value) ? `{${value.join(',')}}` : String(value);
  return client.escapeLiteral(text);
}

async function buffersOf(statement: Statement, plan: 'custom' | 'generic') {
  const values = statement.values.map(literalOf);
  await client.query(`set plan_cache_mode = force_${plan}_plan`);
  await client.query(`prepare measured as ${statement.text}`);
  try {
    const run = values.length === 0 ? 'measured' : `measured (${values.join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
      `explain (analyze, buffers, format json) execute ${run}`,
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

const lapsed = new Date(Date.now() - 86_400_000);
const limit = 30;

function pageOf(input: Partial<ReportFilters>, cursor?: string) {
  const filters = {
    status: 'open' as const,
    category: undefined,
    targetType: undefined,
    claimedBy: undefined,
    lapsed,
    ...input,
  };
  return (db: Db) => listReports(db, filters, { cursor, limit });
}

const late = `${String(open - 5_000).padStart(10, '0')}0000000000000000`;

const pages = {
  'the first page': pageOf({}),
  'a late page': pageOf({}, late),
  'a category': pageOf({ category: 'spam' }),
  'a rare category': pageOf({ category: 'copyright' }),
  'a rare category, late': pageOf({ category: 'copyright' }, late),
  'a rare type': pageOf({ targetType: 'media' }),
  'both rare': pageOf({ category: 'copyright', targetType: 'media' }),
  'a category without reports': pageOf({ category: 'abuse' }),
  'claimed by me': pageOf({ status: undefined, claimedBy: '01M7Z3KJBG7YHCVKQDVW6J2001' }),
} as const;

for (const [what, page] of Object.entries(pages))
  test(`${what} of ${open} open reports reads few database pages`, async (t) => {
    for (const plan of ['custom', 'generic'] as const) {
      const { buffers, rows } = await buffersOf(await statementOf(page), plan);
      t.diagnostic(`${plan}: ${rows} rows, ${buffers} buffers`);
      assert.ok(buffers <= 3 * (limit + 1) + 20, `${plan} plan: ${buffers} buffers`);
    }
  });

test('the next open report is found by one walk down an index', async () => {
  const input = { category: undefined, targetType: undefined, lapsed };
  for (const filters of [input, { ...input, category: 'copyright' as const }]) {
    const { buffers } = await buffersOf(
      await statementOf((db) => findNextOpen(db, late, filters)),
      'generic',
    );
    assert.ok(buffers <= 40, `${buffers} buffers`);
  }
});

test('what open desks ask for every five seconds reads few database pages', async (t) => {
  const ids = Array.from({ length: 30 }, (_, at) => {
    const n = 3 * at + 1;
    return `${String(n).padStart(10, '0')}0000000000000${String(n % 999).padStart(3, '0')}`;
  });
  const states = await buffersOf(await statementOf((db) => listReportStates(db, ids)), 'generic');
  const count = await buffersOf(await statementOf((db) => countOpenReports(db, most)), 'generic');
  t.diagnostic(`${states.buffers} buffers for 30 reports, ${count.buffers} for the count`);
  assert.ok(states.buffers <= 4 * ids.length + 20, `${states.buffers} buffers`);
  assert.ok(count.buffers <= most + 20, `${count.buffers} buffers`);
});

test('the counts stop at their maximum, and cost the same for ten times as many reports', async (t) => {
  const counts = await statementOf((db) =>
    countQueue(db, '01M7Z3KJBG7YHCVKQDVW6J2001', {
      lapsed,
      most,
      categories: reportCategories,
      types: targetTypes,
    }),
  );
  const all = await buffersOf(counts, 'generic');
  await client.query('delete from reports where id > $1', [
    `${String(open / 10).padStart(10, '0')}`,
  ]);
  await client.query('vacuum (analyze) reports');
  const few = await buffersOf(counts, 'generic');
  t.diagnostic(`${all.buffers} buffers for ${open}, ${few.buffers} for ${open / 10}`);
  // Of each of the 13 counts at most `most` rows, each on a page of its own before the next vacuum.
  for (const { buffers } of [all, few]) assert.ok(buffers <= 3_000, `${buffers} buffers`);
});
