// Reading, creating and listing with a million articles, against the same with a thousand.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markdownOf, post, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { fillFeed } from './parts/feed-rows.ts';
import { fill } from './parts/fill.ts';
import type { Filled } from './parts/fill.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import type { Row } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 2);
const many = Number(process.env['BENCH_ARTICLES'] ?? 1_000_000);
const connections = 32;
const goal = 1.3;
/** The maximum cost of an item of a feed page, relative to reading one article. */
const itemGoal = 0.8;
const pageItems = 20;
const followed = 20;

/** Every page is full with a thousand articles too; otherwise the smaller database would return less. */
const sizes = {
  few: { articles: 1_000, authors: 20 },
  many: { articles: many, authors: 1_000 },
} as const;
type Size = keyof typeof sizes;

const queries: Readonly<Record<string, (filled: Filled) => readonly string[]>> = {
  read: ({ sample }) => sample.map((id) => `/v1/articles/${id}`),
  'list, newest': () => ['/v1/articles'],
  'list, from the middle': ({ sample }) => [`/v1/articles?cursor=${sample[sample.length >> 1]}`],
  'list, by author': ({ authors }) => authors.slice(0, 20).map((id) => `/v1/articles?author=${id}`),
  'list, by language': () => ['/v1/articles?language=de'],
  'list, by topic': () => ['/v1/articles?topic=topic-3'],
  'list, since': ({ timeAt }) => [`/v1/articles?since=${timeAt(0.5)}`],
  'list, until': ({ timeAt }) => [`/v1/articles?until=${timeAt(0.1)}`],
  'list, since and until': ({ timeAt }) => [
    `/v1/articles?since=${timeAt(0.3)}&until=${timeAt(0.5)}`,
  ],
  'feed, latest': () => ['/v1/feed'],
  'feed, latest by author': ({ authors }) =>
    authors.slice(0, 20).map((id) => `/v1/feed?author=${id}`),
  'feed, latest by topic': () => ['/v1/feed?topic=topic-3'],
  'feed, latest by language': () => ['/v1/feed?language=de'],
  'feed, following': () => ['/v1/feed?kind=following'],
  'feed, trending': () => ['/v1/feed?kind=trending'],
  'topics, active': () => ['/v1/topics'],
  'topics, by size': () => ['/v1/topics?order=size'],
};

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
const textFile = join(folder, 'text.md');
await writeFile(textFile, markdownOf(1024));
try {
  // Filling writes faster than the default allows. Reading and creating are not affected.
  await using database = await openBenchDatabase({ max_wal_size: '4GB' });
  const urls = { few: await database.another('few'), many: await database.another('many') };
  const since = performance.now();
  const filled = {
    few: await database.asOwner(
      (client) => fill(client, sizes.few.articles, sizes.few.authors),
      'few',
    ),
    many: await database.asOwner(
      (client) => fill(client, sizes.many.articles, sizes.many.authors),
      'many',
    ),
  };
  const fillSeconds = roundToThree((performance.now() - since) / 1000);
  await database.asOwner(fillFeed, 'few');
  await database.asOwner(fillFeed, 'many');
  await database.asOwner((client) => client.query('checkpoint'));
  await using few = await startColophon(urls.few);
  await using large = await startColophon(urls.many);
  const servers = { few, many: large };
  const tokens = {
    few: (await registerAuthor(few.url)).token,
    many: (await registerAuthor(large.url)).token,
  };

  // The reader follows the same number of principals at both sizes.
  for (const size of ['few', 'many'] as const)
    for (const principal_id of filled[size].authors.slice(0, followed))
      await post(`${servers[size].url}/v1/follows`, { principal_id }, tokens[size]);

  const rows: Row[] = [];
  const medianOf = new Map<string, Readonly<Record<Size, number>>>();
  const compare = async (name: string, sides: Record<Size, () => Promise<number>>) => {
    process.stderr.write(`${name} `);
    for (const warmUp of Object.values(sides)) await warmUp();
    const medians = await alternate(rounds, sides);
    medianOf.set(name, medians);
    rows.push({
      what: name,
      'per s at 1,000': Math.round(medians.few),
      [`per s at ${many.toLocaleString('en')}`]: Math.round(medians.many),
      'times slower': roundToThree(medians.few / medians.many),
      goal,
    });
  };
  for (const [name, paths] of Object.entries(queries)) {
    const side = (size: Size) => async () =>
      (
        await runLoad({
          url: servers[size].url,
          paths: paths(filled[size]),
          connections,
          seconds,
          token: name === 'feed, following' ? tokens[size] : undefined,
        })
      ).perSecond;
    await compare(name, { few: side('few'), many: side('many') });
  }
  const create = (size: Size) => async () => {
    const load = {
      url: servers[size].url,
      authors: [tokens[size]],
      textFile,
      language: 'en',
      connections,
      seconds,
    };
    return (await runLoad(load)).perSecond;
  };
  await compare('create', { few: create('few'), many: create('many') });
  const [page, one] = [medianOf.get('feed, latest'), medianOf.get('read')];
  if (page !== undefined && one !== undefined) {
    rows.push({
      what: 'feed, latest: an item, against a read',
      'per s at 1,000': Math.round(page.few * pageItems),
      [`per s at ${many.toLocaleString('en')}`]: Math.round(page.many * pageItems),
      'times slower': roundToThree(one.many / (page.many * pageItems)),
      goal: itemGoal,
    });
  }
  show('million', rows, { rounds, seconds, connections, fill_seconds: fillSeconds });
  if (process.env['BENCH_KEEP'] === '1') {
    process.stderr.write(`Kept at ${urls.many} until Enter is pressed.\n`);
    await new Promise((pressed) => process.stdin.once('data', pressed));
    process.stdin.pause();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
