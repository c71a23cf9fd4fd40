// What each thing costs to keep: rows, bytes on disk, WAL and flushes for one account, article, comment and so on.
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { registerAuthor } from './parts/author.ts';
import type { Registered } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openCorpus } from './parts/corpus.ts';
import { openBenchDatabase } from './parts/database.ts';
import { roundToThree, show } from './parts/figures.ts';
import { ask, inParallel } from './parts/pipeline-load.ts';
import { countWaiting } from './parts/waiting.ts';

/** How many of each. */
const count = Number(process.env['BENCH_COUNT'] ?? 2_000);
const settleMs = 3_000;

interface Sizes {
  readonly rows: number;
  /** With indexes and long values. */
  readonly bytes: number;
}

/** Rows that are there for a day at most. */
const passing = new Set(['idempotency_keys', 'quota_uses']);

async function sizesOf(client: pg.Client): Promise<ReadonlyMap<string, Sizes>> {
  await client.query('vacuum (analyze)');
  const { rows } = await client.query<{ name: string; bytes: string; sql: string }>(`
    select c.relname as name, pg_total_relation_size(c.oid)::text as bytes,
      format('select count(*)::integer as rows from %I', c.relname) as sql
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`);
  const sizes = new Map<string, Sizes>();
  for (const { name, bytes, sql } of rows) {
    const counted = await client.query<{ rows: number }>(sql);
    sizes.set(name, { bytes: Number(bytes), rows: counted.rows[0]?.rows ?? 0 });
  }
  return sizes;
}

/** Position in the WAL, and how often it was flushed. */
async function walOf(client: pg.Client) {
  const { rows } = await client.query<{ bytes: string; flushes: string }>(`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as bytes,
      (select coalesce(sum(fsyncs), 0)::text from pg_stat_io where object = 'wal') as flushes`);
  return { bytes: Number(rows[0]?.bytes), flushes: Number(rows[0]?.flushes) };
}

/** Waits until the pipeline has nothing left, and the statistics of all sessions have arrived. */
async function untilSettled(client: pg.Client): Promise<void> {
  for (;;) {
    const { messages, jobs } = await countWaiting(client);
    if (messages + jobs === 0) break;
    await wait(100);
  }
  await wait(settleMs);
}

/** Updated and deleted rows of each table, and the share of updates that touch no index. */
async function churnOf(client: pg.Client) {
  const { rows } = await client.query<Record<string, number | string>>(`
    select relname as name, n_tup_ins::integer as inserted, n_tup_upd::integer as updated,
      round(n_tup_hot_upd::numeric / nullif(n_tup_upd, 0), 2)::real as hot, n_tup_del::integer as deleted
    from pg_stat_user_tables
    where n_tup_upd + n_tup_del > 0
    order by n_tup_upd + n_tup_del desc`);
  return rows;
}

const corpus = await openCorpus();

/** Returns text number `n` with about `bytes` bytes. */
function textOf(n: number, bytes: number) {
  const { title, content } = corpus.textOf(n);
  return { title, content: content.repeat(Math.ceil(bytes / content.length)).slice(0, bytes) };
}

/** Returns what makes one of each kind. Later kinds build on the earlier ones. */
function makersFor(url: string): Readonly<Record<string, (n: number) => Promise<unknown>>> {
  const authors: Registered[] = [];
  const articles: { readonly id: string; readonly revision: string }[] = [];
  const authorOf = (n: number) => authors[n % count] as Registered;
  const write = (n: number, path: string, body: unknown) =>
    ask(`POST /v1/${path}`, url, authorOf(n).token, { body });
  return {
    account: async (n) => {
      authors[n] = await registerAuthor(url);
    },
    'draft of 4 KB': async (n) => {
      const made = await write(n, 'articles', { ...textOf(n, 4_096), language: 'en' });
      articles[n] = { id: String(made['id']), revision: String(made['revision_id']) };
    },
    publication: (n) => write(n, `articles/${articles[n]?.id ?? ''}/publish`, {}),
    'revision of 4 KB': (n) => {
      const expected = { expected_revision_id: articles[n]?.revision };
      const text = textOf(n + count, 4_096);
      return write(n, `articles/${articles[n]?.id ?? ''}/revisions`, { ...text, ...expected });
    },
    'comment of 300 bytes': (n) =>
      write(n + 1, `articles/${articles[n]?.id ?? ''}/comments`, {
        content: textOf(n, 300).content,
      }),
    follow: (n) => write(n, 'follows', { principal_id: authorOf(n + 1).id }),
    edge: (n) =>
      write(n, 'edges', {
        src_article_id: articles[n]?.id,
        kind: 'cites',
        dst_article_id: articles[(n + 7) % count]?.id,
      }),
  };
}

interface Growth {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Returns by how much each table grew for one of a kind. */
function grownBetween(
  before: ReadonlyMap<string, Sizes>,
  after: ReadonlyMap<string, Sizes>,
): readonly Growth[] {
  return [...after].map(([name, { rows, bytes }]) => ({
    name,
    rows: (rows - (before.get(name)?.rows ?? 0)) / count,
    bytes: (bytes - (before.get(name)?.bytes ?? 0)) / count,
  }));
}

const sumOf = (all: readonly Growth[], what: 'rows' | 'bytes') =>
  all.reduce((total, one) => total + one[what], 0);

async function measure(client: pg.Client, kind: string, make: (n: number) => Promise<unknown>) {
  await untilSettled(client);
  const [sizes, wal] = [await sizesOf(client), await walOf(client)];
  await inParallel(count, make);
  await untilSettled(client);
  const walAfter = await walOf(client);
  const grown = grownBetween(sizes, await sizesOf(client));
  const kept = grown.filter(({ name }) => !passing.has(name));
  process.stderr.write('.');
  return {
    row: {
      kind,
      'rows kept': roundToThree(sumOf(kept, 'rows')),
      'bytes kept': Math.round(sumOf(kept, 'bytes')),
      'bytes for a day': Math.round(sumOf(grown, 'bytes') - sumOf(kept, 'bytes')),
      'bytes of WAL': Math.round((walAfter.bytes - wal.bytes) / count),
      flushes: roundToThree((walAfter.flushes - wal.flushes) / count),
    },
    tables: grown
      .filter(({ bytes }) => bytes >= 1)
      .toSorted((left, right) => right.bytes - left.bytes)
      .map(({ name, rows, bytes }) => [name, roundToThree(rows), Math.round(bytes)]),
  };
}

/** Returns the WAL that deleting one idempotency key costs, in bytes. */
async function sweepingCost(client: pg.Client): Promise<number> {
  const keys = (await sizesOf(client)).get('idempotency_keys');
  const before = await walOf(client);
  await client.query('delete from idempotency_keys');
  await client.query('vacuum idempotency_keys');
  return Math.round(((await walOf(client)).bytes - before.bytes) / (keys?.rows ?? 0));
}

// Full-page images depend on when the last checkpoint was: without them the figures are the same each time.
await using database = await openBenchDatabase({ full_page_writes: 'off' });
const figures = await database.asOwner(async (client) => {
  await using server = await startColophon(database.url());
  const measured = [];
  for (const [kind, make] of Object.entries(makersFor(server.url)))
    measured.push(await measure(client, kind, make));
  process.stderr.write('\n');
  return { measured, churn: await churnOf(client), swept: await sweepingCost(client) };
});
process.stdout.write(`Sweeping an idempotency key: ${figures.swept} bytes of WAL.\n`);
show(
  'growth',
  figures.measured.map(({ row }) => row),
  { count, ...figures },
);
