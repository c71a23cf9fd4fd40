// The speed at which the pipeline updates every surface, and the cost of each subscriber.
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { registerAuthor } from './parts/author.ts';
import { startColophon, startWorker } from './parts/child.ts';
import { openCorpus } from './parts/corpus.ts';
import { openBenchDatabase } from './parts/database.ts';
import { fillFeed } from './parts/feed-rows.ts';
import { roundToThree, show } from './parts/figures.ts';
import { fill } from './parts/fill.ts';
import { openWriters } from './parts/pipeline-load.ts';
import { openProcessorTime } from './parts/processor-time.ts';
import { quiet } from './parts/quiet.ts';
import { measureSubscribers } from './parts/subscriber-costs.ts';
import { fillSearch } from './parts/search-rows.ts';
import { fillSitemap } from './parts/sitemap-rows.ts';
import { countWaiting } from './parts/waiting.ts';

const publications = Number(process.env['BENCH_ARTICLES'] ?? 1_500);
const mixed = Number(process.env['BENCH_MIXED'] ?? 1_500);
/** The number of articles that each subscriber is measured with, one subscriber after another. */
const measured = Number(process.env['BENCH_MEASURED'] ?? 200);
/** Articles that exist at the start. */
const before = 2_200;
const goal = 300;
const pollMs = 50;
const patienceMs = 300_000;

/** Counts the publications on each surface; share images are drawn when no other work is waiting. */
const surfaces = {
  search: `select count(*) from article_search where document <> ''`,
  readable: `select count(*) from renderings`,
  feed: 'select count(*) from article_trends where points is not null',
  topics: 'select count(distinct article_id) from article_topics',
  sitemap: 'select count(*) from sitemap_entries where file is not null',
} as const;

type Surface = keyof typeof surfaces;
const names = Object.keys(surfaces) as Surface[];

async function countSurfaces(client: pg.Client): Promise<Record<Surface, number>> {
  const text = `select ${names.map((name) => `(${surfaces[name]})::integer as ${name}`).join(', ')}`;
  const { rows } = await client.query<Record<Surface, number>>(text);
  return rows[0] as Record<Surface, number>;
}

const corpus = await openCorpus();
await using database = await openBenchDatabase();
await database.asOwner(async (client) => {
  await fill(client, before, 50, corpus.textOf);
  await fillFeed(client);
  await fillSearch(client);
  await fillSitemap(client);
});

type Counts = Record<Surface, number>;

/**
 * Waits until no work is left and every surface has the wanted count; returns when each reached it, in
 * seconds.
 */
async function untilDone(
  client: pg.Client,
  wanted: Counts | undefined,
  seconds: () => number,
): Promise<ReadonlyMap<Surface, number>> {
  const seen = new Map<Surface, number>();
  const look = async () => {
    if (wanted === undefined) return true;
    const now = await countSurfaces(client);
    for (const name of names)
      if (now[name] >= wanted[name] && !seen.has(name)) seen.set(name, roundToThree(seconds()));
    return seen.size === names.length;
  };
  for (;;) {
    const hasAll = await look();
    const left = await countWaiting(client);
    if (hasAll && left.messages + left.jobs === 0) return seen;
    if (seconds() * 1_000 > patienceMs) throw new Error(`Not carried: ${JSON.stringify(left)}`);
    await wait(pollMs);
  }
}

/** From the first message that leaves the outbox until only image jobs are left. */
async function drain(client: pg.Client, wanted?: Counts) {
  const { messages } = await countWaiting(client);
  await using worker = await startWorker(database.url());
  while ((await countWaiting(client)).messages === messages) await wait(2);
  const processor = await openProcessorTime(database, worker.pid);
  const [since, used] = [performance.now(), await processor()];
  const seconds = () => (performance.now() - since) / 1_000;
  const seen = await untilDone(client, wanted, seconds);
  const passed = seconds();
  const end = await processor();
  return {
    messages,
    seconds: passed,
    seen: Object.fromEntries(seen),
    server: end.server - used.server,
    database: end.database - used.database,
  };
}

const figures = await database.asOwner(async (client) => {
  await using server = await startColophon(database.url(), { ROLE: 'web' });
  const authors = await Promise.all(Array.from({ length: 12 }, () => registerAuthor(server.url)));
  const writers = openWriters({
    url: server.url,
    authors,
    textOf: (n) => corpus.textOf(before + n),
  });
  await drain(client);

  const base = await countSurfaces(client);
  const ids = await writers.publish(publications);
  await quiet();
  const wanted = Object.fromEntries(
    names.map((name) => [name, base[name] + publications]),
  ) as typeof base;
  const carried = await drain(client, wanted);
  process.stderr.write(`carried: ${JSON.stringify(carried)}\n`);

  await writers.mix(mixed, ids);
  await quiet();
  const drained = await drain(client);
  process.stderr.write(`drained: ${JSON.stringify(drained)}\n`);

  await writers.publish(measured);
  const subscribers = await measureSubscribers(database, client);
  return { carried, drained, subscribers };
});

const { carried, drained, subscribers } = figures;
const each = (ms: number, count: number) => roundToThree(ms / count);
show('pipeline', subscribers, {
  publications,
  'publications a second': roundToThree(publications / carried.seconds),
  goal,
  'server ms of processor time for each': each(carried.server, publications),
  'database ms of processor time for each': each(carried.database, publications),
  seconds_until: carried.seen,
  mixed: drained.messages,
  'mixed messages a second': roundToThree(drained.messages / drained.seconds),
  'mixed, server ms for each': each(drained.server, drained.messages),
  'mixed, database ms for each': each(drained.database, drained.messages),
});
