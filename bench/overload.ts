// Overload: four times the requests that the server can answer. What is taken stays fast, and the rest is refused early.
import { setTimeout as wait } from 'node:timers/promises';
import { publishArticle, markdownOf, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import { runOpenLoad } from './parts/open-loop.ts';
import type { OpenFigures, OpenLoad } from './parts/open-loop.ts';
import { processorMs } from './parts/processor.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 8);
const times = 4;
/** As many connections as reach the peak, and as an overload opens. */
const [enough, many] = [64, 1_000];
const goal = 0.7;
const calmMs = 5_000;

type Input = Pick<OpenLoad, 'paths' | 'body' | 'tokens'>;

interface Measured {
  readonly figures: OpenFigures;
  /** Good answers for each second of the server's processor time: other programs on the machine cost none. */
  readonly perProcessorSecond: number;
}

await using database = await openBenchDatabase();
await using server = await startColophon(database.url());
const authors = await Promise.all(Array.from({ length: 40 }, () => registerAuthor(server.url)));
const [author = await registerAuthor(server.url)] = authors;
const ids = await Promise.all(
  Array.from({ length: 30 }, () => publishArticle(server.url, author, markdownOf(2_000))),
);
const cases: Readonly<Record<string, Input>> = {
  reads: { paths: ['/v1/feed', ...ids.map((id) => `/v1/articles/${id}`)] },
  writes: {
    paths: ids.map((id) => `/v1/articles/${id}/comments`),
    body: JSON.stringify({ content: 'A comment.' }),
    tokens: authors.map(({ token }) => token),
  },
};

async function measure(load: OpenLoad): Promise<Measured> {
  const before = await processorMs(server.pid);
  const figures = await runOpenLoad(load);
  const used = ((await processorMs(server.pid)) - before) / 1_000;
  return { figures, perProcessorSecond: figures.good.count / used };
}

async function oneRead(): Promise<number> {
  const since = performance.now();
  const answer = await fetch(`${server.url}/v1/feed`, { headers: { connection: 'close' } });
  await answer.arrayBuffer();
  return answer.status === 200 ? performance.now() - since : Number.POSITIVE_INFINITY;
}

async function usualMs(): Promise<number> {
  const seen: number[] = [];
  for (let n = 0; n < 15; n += 1) seen.push(await oneRead());
  return median(seen);
}

/** Returns the milliseconds until single reads take no longer than three times what they took before. */
async function untilCalm(before: number): Promise<number> {
  const since = performance.now();
  while ((await usualMs()) > before * 3 && performance.now() - since < 60_000) await wait(50);
  return performance.now() - since;
}

function unexpectedStatuses({ statuses }: OpenFigures): number {
  return Object.entries(statuses)
    .filter(([status]) => !['200', '201', '429', '503'].includes(status))
    .reduce((sum, [, count]) => sum + count, 0);
}

const rows = [];
let missed = false;
for (const [name, input] of Object.entries(cases)) {
  const base = { url: server.url, ...input, seconds };
  await runOpenLoad({ ...base, connections: enough, seconds: 3 });
  const shares: number[] = [];
  const efficiency: number[] = [];
  const calm: number[] = [];
  const [peaks, overloads]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const before = await usualMs();
    const peak = await measure({ ...base, connections: enough });
    const perSecond = Math.round(peak.figures.goodPerSecond * times);
    const overload = await measure({ ...base, connections: many, perSecond });
    calm.push(await untilCalm(before));
    peaks.push(peak);
    overloads.push(overload);
    shares.push(overload.figures.goodPerSecond / peak.figures.goodPerSecond);
    efficiency.push(overload.perProcessorSecond / peak.perProcessorSecond);
    process.stderr.write(`${JSON.stringify({ name, peak, overload })}\n`);
  }
  const others = overloads.reduce((sum, { figures }) => sum + unexpectedStatuses(figures), 0);
  const middle = (of: (one: Measured) => number, from: readonly Measured[]) =>
    roundToThree(median(from.map(of)));
  rows.push({
    load: name,
    'peak per s': middle(({ figures }) => figures.goodPerSecond, peaks),
    'at 4 times per s': middle(({ figures }) => figures.goodPerSecond, overloads),
    share: roundToThree(median(shares)),
    'share by processor time': roundToThree(median(efficiency)),
    'p99 at peak, ms': middle(({ figures }) => figures.good.p99, peaks),
    'taken p50, ms': middle(({ figures }) => figures.good.p50, overloads),
    'taken p99, ms': middle(({ figures }) => figures.good.p99, overloads),
    'refused p50, ms': middle(({ figures }) => figures.refused.p50, overloads),
    'other answers': others,
    'usual after, ms': Math.round(Math.max(...calm)),
  });
  if (median(shares) < goal || others > 0 || Math.max(...calm) > calmMs) missed = true;
}
show('overload', rows, { goal: { share: goal, usual_after_ms: calmMs } });
if (missed) process.exitCode = 1;
