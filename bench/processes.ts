// PROCESSES=2 against 1 when processors are free for them: each process that serves requests has a fixed share of
// one, and the database and the load generator have the rest.
import { markdownOf, publishArticle, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import type { Child } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';
import { environmentOf, withChildren } from './parts/process-tree.ts';
import { openQuota } from './parts/quota.ts';
import type { Quota } from './parts/quota.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
/** Of one processor, for each process: two of them, the database and the generator need less than two. */
const share = Number(process.env['BENCH_SHARE'] ?? 0.25);
/** With few, a process has fewer requests in each turn of its event loop, and what they share costs more of each. */
const numbersOfConnections = [32, 96];
/** So that no process keeps most of the connections, which one that is idle for a moment accepts. */
const requestsPerConnection = 20;
const goal = 1.6;

await using database = await openBenchDatabase();
await using parts = new AsyncDisposableStack();

/** Returns the processes of a server that serve requests. */
async function servingPids({ pid }: Child): Promise<readonly number[]> {
  const found: number[] = [];
  for (const one of await withChildren([pid]))
    if (/^COLOPHON_PROCESS=web-/m.test(await environmentOf(one))) found.push(one);
  return found.length > 0 ? found : [pid];
}

interface Limited {
  readonly server: Child;
  /** Gives each serving process its share. */
  limit(): Promise<void>;
}

/** Starts a server with groups for its serving processes, which end after it. */
async function startWith(processes: number): Promise<Limited> {
  const quotas: Quota[] = [];
  for (let index = 0; index < processes; index += 1)
    quotas.push(parts.use(await openQuota(`${processes}-${index}`, share)));
  const server = parts.use(
    await startColophon(database.url(), { PROCESSES: String(processes), ROLE: 'web' }),
  );
  const pids = await servingPids(server);
  if (pids.length !== processes)
    throw new Error(`${pids.length} processes serve, not ${processes}`);
  return {
    server,
    limit: async () => {
      for (const [index, pid] of pids.entries()) await quotas[index]?.add(pid);
    },
  };
}

await using filler = await startColophon(database.url());
const author = await registerAuthor(filler.url);
const ids: string[] = [];
for (let count = 0; count < 30; count += 1)
  ids.push(await publishArticle(filler.url, author, markdownOf(4096)));
const paths = ids.map((id) => `/v1/articles/${id}`);
const jobs = {
  'read, JSON': { paths },
  'read with a token': { paths, token: author.token },
  'page of 20': { paths: ['/v1/articles?limit=20'] },
  'front page': { paths: ['/'] },
} as const;
type Job = (typeof jobs)[keyof typeof jobs];

const perSecond = async (
  { server: { url } }: Limited,
  job: Job,
  connections = Math.max(...numbersOfConnections),
): Promise<number> =>
  (await runLoad({ url, connections, seconds, requestsPerConnection, ...job })).perSecond;

const one = await startWith(1);
const two = await startWith(2);
// With a quarter of a processor, a process would compile its code for most of a round.
for (const side of [one, two]) {
  for (const job of Object.values(jobs)) await perSecond(side, job);
  await side.limit();
}

const rows = [];
for (const connections of numbersOfConnections) {
  for (const [name, job] of Object.entries(jobs)) {
    const medians = await alternate(rounds, {
      one: () => perSecond(one, job, connections),
      two: () => perSecond(two, job, connections),
    });
    const ratio = roundToThree(medians.two / medians.one);
    rows.push({
      job: name,
      connections,
      'one process/s': Math.round(medians.one),
      'two processes/s': Math.round(medians.two),
      ratio,
      goal,
    });
    if (ratio < goal) process.exitCode = 1;
  }
}
show('processes', rows, { rounds, seconds, requestsPerConnection, share });
