// A soak: mixed load for 20 minutes, at a fixed rate after the first one. Memory, connections, answers, and what the pipeline has left.
import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import { memoryMiB } from './parts/memory.ts';
import { mixedTurn } from './parts/mixed-requests.ts';
import { openProcessorTime } from './parts/processor-time.ts';
import { startSteadyLoad } from './parts/steady-load.ts';
import { countWaiting } from './parts/waiting.ts';

const minutes = Number(process.env['BENCH_MINUTES'] ?? 20);
const perSecond = Number(process.env['BENCH_RATE'] ?? 150);
/** Until then caches fill and the compiler works: what memory grows by afterwards counts. */
const warmUp = 0.25;
const sampleMs = 5_000;
const drainSeconds = 60;
const risesForMs = 60_000;
/** What the pools of a process that runs everything may open, as docs/scaling.md says. */
const connectionsMax = 30;

interface Connections {
  readonly open: number;
  readonly in_transaction: number;
}

async function connectionsOf(client: pg.Client): Promise<Connections> {
  const { rows } = await client.query<Connections>(`
    select count(*)::integer as open,
      (count(*) filter (where state like 'idle in transaction%'))::integer as in_transaction
    from pg_stat_activity
    where application_name like 'colophon%'`);
  return rows[0] as Connections;
}

async function filesOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Returns the seconds until nothing waits, images included; undefined if some work was left. */
async function drain(client: pg.Client): Promise<number | undefined> {
  const since = performance.now();
  while (performance.now() - since < drainSeconds * 1_000) {
    const { messages, jobs } = await countWaiting(client);
    if (messages + jobs === 0) return roundToThree((performance.now() - since) / 1_000);
    await wait(100);
  }
  return undefined;
}

function percentile(numbers: readonly number[], share: number): number {
  return roundToThree(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0);
}

const terms = { perSecond, risesForMs, random: Math.random, turn: mixedTurn };

await using database = await openBenchDatabase();
await database.asOwner(async (client) => {
  await using server = await startColophon(database.url(), { TRUSTED_PROXIES: '127.0.0.1' });
  const authors = await Promise.all(Array.from({ length: 40 }, () => registerAuthor(server.url)));
  const processor = await openProcessorTime(database, server.pid);
  const samples: number[] = [];
  let [mostOpen, filesWarm] = [0, 0];
  const load = startSteadyLoad({ url: server.url, authors, ...terms });
  const [since, used] = [performance.now(), await processor()];
  const durationMs = minutes * 60_000;
  while (performance.now() - since < durationMs) {
    await wait(sampleMs);
    samples.push(await memoryMiB(server.pid, 'VmRSS'));
    mostOpen = Math.max(mostOpen, (await connectionsOf(client)).open);
    if (filesWarm === 0 && performance.now() - since > durationMs * warmUp)
      filesWarm = await filesOf(server.pid);
  }
  const spent = await processor();
  await load.stop();
  const drained = await drain(client);
  // Connections of clients are closed 10 s after their last request.
  await wait(12_000);
  const [left, files] = [await connectionsOf(client), await filesOf(server.pid)];

  const warm = samples.slice(Math.floor(samples.length * warmUp));
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const [first, last] = [median(warm.slice(0, tenth)), median(warm.slice(-tenth))];
  const growth = (last - first) / first;
  const seconds = (performance.now() - since) / 1_000;
  const failed = [...load.statuses].filter(([status]) => status === 0 || status >= 500);
  const checks = {
    'memory grows by less than 10 %': growth < 0.1,
    'no 5xx and no lost answer': failed.length === 0,
    'no connection of the database leaked': left.in_transaction === 0 && mostOpen <= connectionsMax,
    'no open file leaked': files <= filesWarm,
    [`the pipeline is empty within ${drainSeconds} s`]: drained !== undefined,
  };
  const row = {
    minutes,
    'per second': roundToThree(load.requests / (seconds - 12)),
    'MiB warm': first,
    'MiB at the end': last,
    'growth, %': roundToThree(growth * 100),
    'connections, most': mostOpen,
    'drained after, s': drained ?? 'not',
    'GET p50/p99, ms': `${percentile(load.readMs, 0.5)}/${percentile(load.readMs, 0.99)}`,
    'writes p50/p99, ms': `${percentile(load.writeMs, 0.5)}/${percentile(load.writeMs, 0.99)}`,
    'server, % of a core': roundToThree((spent.server - used.server) / durationMs / 0.01),
    'database, % of a core': roundToThree((spent.database - used.database) / durationMs / 0.01),
  };
  show('soak', [row], {
    statuses: Object.fromEntries(load.statuses),
    failures: load.failures,
    skipped: load.skipped,
    memory: samples,
    open_at_the_end: left.open,
    files: { warm: filesWarm, end: files },
    checks,
  });
  if (Object.values(checks).includes(false)) process.exitCode = 1;
});
