// Reading, creating and listing with a hundred thousand or a million articles, against the same with a thousand.
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
import { plot } from './parts/plot.ts';
import type { Bar } from './parts/plot.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 2);
const many = (process.env['BENCH_ARTICLES'] ?? '1000000').split(',').map(Number);
const connections = 32;
const goal = 1.3;
/** The maximum cost of an item of a feed page, relative to reading one article. */
const itemGoal = 0.8;
const pageItems = 20;
const followed = 20;

const few = 1_000;
const sizes = [...new Set([few, ...many])];
const label = (articles: number) => articles.toLocaleString('en');
const picture = {
  title: 'Requests a second beside more and more articles',
  heading: 'Requests a second (logarithmic)',
};

/** Every page is full with a thousand articles too; otherwise the smaller database would return less. */
const authorsOf = (articles: number) => (articles === few ? 20 : 1_000);

interface Site {
  readonly articles: number;
  readonly databaseUrl: string;
  readonly filled: Filled;
}

interface Side extends Site {
  readonly url: string;
  readonly token: string;
}

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

/** A row of the table: the medians of each size, and how much slower they are than `reference` at that size. */
function rowOf(
  what: string,
  medians: readonly number[],
  reference: (at: number) => number = () => medians[0] ?? Number.NaN,
): Row {
  const row: Record<string, string | number> = { what };
  for (const [at, articles] of sizes.entries())
    row[`per s at ${label(articles)}`] = Math.round(medians[at] ?? Number.NaN);
  for (const [at, articles] of sizes.entries())
    if (at > 0)
      row[`times slower at ${label(articles)}`] = roundToThree(reference(at) / (medians[at] ?? 0));
  return { ...row, goal };
}

const barsOf = (measured: ReadonlyMap<string, readonly number[]>): Bar[] =>
  [...measured].flatMap(([title, medians]) =>
    sizes.map((articles, at) => ({
      title,
      side: label(articles),
      perSecond: medians[at] ?? Number.NaN,
    })),
  );

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
const textFile = join(folder, 'text.md');
await writeFile(textFile, markdownOf(1024));
try {
  // Filling writes faster than the default allows. Reading and creating are not affected.
  await using database = await openBenchDatabase({ max_wal_size: '4GB' });
  const open = async (articles: number): Promise<Site> => {
    const name = `articles_${articles}`;
    const databaseUrl = await database.another(name);
    const filled = await database.asOwner(
      (client) => fill(client, articles, authorsOf(articles)),
      name,
    );
    await database.asOwner(fillFeed, name);
    return { articles, databaseUrl, filled };
  };
  const since = performance.now();
  const sites: Site[] = [];
  for (const articles of sizes) sites.push(await open(articles));
  const fillSeconds = roundToThree((performance.now() - since) / 1000);
  await database.asOwner((client) => client.query('checkpoint'));
  await using servers = new AsyncDisposableStack();
  const sides: Side[] = [];
  for (const site of sites) {
    const { url } = servers.use(await startColophon(site.databaseUrl));
    const { token } = await registerAuthor(url);
    // The reader follows the same number of principals at each size.
    for (const principal_id of site.filled.authors.slice(0, followed))
      await post(`${url}/v1/follows`, { principal_id }, token);
    sides.push({ ...site, url, token });
  }

  const medianOf = new Map<string, readonly number[]>();
  const compare = async (name: string, perSecond: (side: Side) => Promise<number>) => {
    process.stderr.write(`${name} `);
    for (const side of sides) await perSecond(side);
    const medians = await alternate(
      rounds,
      Object.fromEntries(sides.map((side) => [`of ${side.articles}`, () => perSecond(side)])),
    );
    medianOf.set(name, Object.values(medians));
  };
  for (const [name, paths] of Object.entries(queries))
    await compare(name, async ({ url, token, filled }) => {
      const load = { url, paths: paths(filled), connections, seconds };
      const { perSecond } = await runLoad({
        ...load,
        token: name === 'feed, following' ? token : undefined,
      });
      return perSecond;
    });
  await compare('create', async ({ url, token }) => {
    const load = { url, authors: [token], textFile, language: 'en', connections, seconds };
    return (await runLoad(load)).perSecond;
  });

  const rows = [...medianOf].map(([name, medians]) => rowOf(name, medians));
  const [page, one] = [medianOf.get('feed, latest'), medianOf.get('read')];
  if (page !== undefined && one !== undefined) {
    const items = page.map((perSecond) => perSecond * pageItems);
    const row = rowOf('feed, latest: an item, against a read', items, (at) => one[at] ?? 0);
    rows.push({ ...row, goal: itemGoal });
  }
  show('million', rows, { rounds, seconds, connections, fill_seconds: fillSeconds });
  const plotFile = process.env['BENCH_PLOT'];
  if (plotFile !== undefined) await writeFile(plotFile, plot(picture, barsOf(medianOf)));
  if (process.env['BENCH_KEEP'] === '1') {
    process.stderr.write(`Kept at ${sites.at(-1)?.databaseUrl} until Enter is pressed.\n`);
    await new Promise((pressed) => process.stdin.once('data', pressed));
    process.stdin.pause();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
