// Whether autovacuum keeps up: 500 writes a second for 20 minutes, and what each table holds of rows that are gone.
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { roundToThree, show } from './parts/figures.ts';
import { openProcessorTime } from './parts/processor-time.ts';
import { startSteadyLoad } from './parts/steady-load.ts';
import { countWaiting } from './parts/waiting.ts';
import { writingTurns } from './parts/writing-requests.ts';

const minutes = Number(process.env['BENCH_MINUTES'] ?? 20);
const perSecond = Number(process.env['BENCH_RATE'] ?? 500);
const risesForMs = 60_000;
const sampleMs = 10_000;
/** Smaller tables are vacuumed late and cost nothing: their rows that are gone do not count. */
const rowsMin = 5_000;
const tablesShown = 12;

interface TableFigures {
  readonly live: number;
  readonly dead: number;
  /** Rows that were changed or deleted, all in all. */
  readonly changed: number;
  readonly vacuums: number;
  readonly bytes: number;
}
type Sample = ReadonlyMap<string, TableFigures>;

async function sampleOf(client: pg.Client): Promise<Sample> {
  const { rows } = await client.query<TableFigures & { readonly name: string }>(`
    select relname as name, n_live_tup::float8 as live, n_dead_tup::float8 as dead,
      (n_tup_upd + n_tup_del)::float8 as changed, autovacuum_count::float8 as vacuums, pg_table_size(relid)::float8 as bytes
    from pg_stat_user_tables`);
  return new Map(rows.map(({ name, ...figures }) => [name, figures]));
}

async function walBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as bytes`,
  );
  return Number(rows[0]?.bytes);
}

function percentile(numbers: readonly number[], share: number): number {
  return roundToThree(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0);
}

/** The share of a table's rows that are gone and not yet removed, 0 to 1. */
function deadShare({ live, dead }: TableFigures): number {
  return live + dead < rowsMin ? 0 : dead / (live + dead);
}

/** The largest share that a table reached in a part of the run. */
function worstIn(samples: readonly Sample[], name: string): number {
  return Math.max(0, ...samples.map((sample) => shareIn(sample, name)));
}

function shareIn(sample: Sample, name: string): number {
  const figures = sample.get(name);
  return figures === undefined ? 0 : deadShare(figures);
}

function rowOf(name: string, samples: readonly Sample[]) {
  const half = samples.slice(0, Math.ceil(samples.length / 2));
  const [middle, last] = [half.at(-1)?.get(name), samples.at(-1)?.get(name)];
  const bytesEach = (at: TableFigures | undefined) =>
    at === undefined ? 0 : Math.round(at.bytes / Math.max(1, at.live));
  return {
    table: name,
    rows: last?.live ?? 0,
    'changed or deleted': last?.changed ?? 0,
    vacuums: last?.vacuums ?? 0,
    'gone, most of the first half, %': roundToThree(worstIn(half, name) * 100),
    'of the second half, %': roundToThree(worstIn(samples.slice(half.length), name) * 100),
    'bytes a row, half-way': bytesEach(middle),
    'at the end': bytesEach(last),
  };
}

await using database = await openBenchDatabase();
await database.asOwner(async (client) => {
  await using server = await startColophon(database.url(), { TRUSTED_PROXIES: '127.0.0.1' });
  const authors = await Promise.all(Array.from({ length: 60 }, () => registerAuthor(server.url)));
  const processor = await openProcessorTime(database, server.pid);
  const samples: Sample[] = [];
  const [used, wal] = [await processor(), await walBytes(client)];
  const since = performance.now();
  const load = startSteadyLoad({
    url: server.url,
    authors,
    perSecond,
    risesForMs,
    random: Math.random,
    turn: writingTurns(),
  });
  let sentBefore = 0;
  while (performance.now() - since < minutes * 60_000) {
    await wait(sampleMs);
    samples.push(await sampleOf(client));
    const rate = Math.round(((load.requests - sentBefore) * 1_000) / sampleMs);
    sentBefore = load.requests;
    const { messages, jobs } = await countWaiting(client);
    process.stderr.write(`${rate} a second, ${messages + jobs} wait for the pipeline\n`);
  }
  const [spent, walAfter] = [await processor(), await walBytes(client)];
  const elapsedMs = performance.now() - since;
  await load.stop();

  const names = [...(samples.at(-1) ?? new Map<string, TableFigures>()).keys()];
  const rows = names
    .map((name) => rowOf(name, samples))
    .toSorted((a, b) => b['changed or deleted'] - a['changed or deleted'])
    .slice(0, tablesShown);
  const failed = [...load.statuses].filter(([status]) => status === 0 || status >= 500);
  const half = Math.floor(load.writeMs.length / 2);
  show('vacuum', rows, {
    minutes,
    writes: load.requests,
    'per second': roundToThree((load.requests * 1_000) / elapsedMs),
    skipped: load.skipped,
    statuses: Object.fromEntries(load.statuses),
    failures: load.failures,
    'WAL, MB a second': roundToThree((walAfter - wal) / 1_000 / elapsedMs),
    'server, % of a core': roundToThree(((spent.server - used.server) / elapsedMs) * 100),
    'database, % of a core': roundToThree(((spent.database - used.database) / elapsedMs) * 100),
    'p50 and p99 of a write in the first half, ms': [0.5, 0.99].map((share) =>
      percentile(load.writeMs.slice(0, half), share),
    ),
    'and in the second half, ms': [0.5, 0.99].map((share) =>
      percentile(load.writeMs.slice(half), share),
    ),
  });
  if (failed.length > 0) process.exitCode = 1;
});
