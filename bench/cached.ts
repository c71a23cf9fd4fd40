// Processor time of a page, of the same page compressed, and of 304: 32 connections, signed out.
import { markdownOf, post, publishArticle, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import { openProcessorTime } from './parts/processor-time.ts';
import { askAgain } from './parts/wrk.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url());
const { url } = colophon;
const author = await registerAuthor(url);
const id = await publishArticle(url, author, markdownOf(4096));
const content = markdownOf(256);
for (let count = 0; count < 100; count += 1)
  await post(`${url}/v1/articles/${id}/comments`, { content }, author.token);
for (let count = 0; count < 30; count += 1) await publishArticle(url, author, markdownOf(4096));

const article = (await (await fetch(`${url}/v1/articles/${id}`)).json()) as {
  readonly url: string;
};
const paths = {
  'article, JSON': `/v1/articles/${id}`,
  'article, page': new URL(article.url).pathname,
  'page of 20, JSON': '/v1/articles',
  'front page': '/',
  'feed, Atom': '/feed.atom',
} as const;
const spent = await openProcessorTime(database, colophon.pid);

interface Cost {
  readonly server: number;
  readonly database: number;
}

/** Returns the processor time of a request in milliseconds. */
async function costOf(path: string, headers: Readonly<Record<string, string>>): Promise<Cost> {
  const before = await spent();
  const { requests } = await askAgain({ url: url + path, headers, connections, seconds });
  const after = await spent();
  return {
    server: (after.server - before.server) / requests,
    database: (after.database - before.database) / requests,
  };
}

interface Way {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly costs: Cost[];
}

async function waysOf(path: string): Promise<readonly Way[]> {
  const tag = (await fetch(url + path)).headers.get('etag') ?? '';
  return [
    { name: 'plain', headers: {}, costs: [] },
    { name: 'br', headers: { 'accept-encoding': 'br, gzip' }, costs: [] },
    { name: 'gzip', headers: { 'accept-encoding': 'gzip' }, costs: [] },
    { name: '304', headers: { 'if-none-match': tag }, costs: [] },
  ];
}

const all = await Promise.all(
  Object.entries(paths).map(async ([name, path]) => ({ name, path, ways: await waysOf(path) })),
);
for (let round = -1; round < rounds; round += 1) {
  for (const { path, ways } of all) {
    for (const { headers, costs } of ways) {
      const cost = await costOf(path, headers);
      // The first round warms up.
      if (round >= 0) costs.push(cost);
    }
  }
  process.stderr.write('.');
}
process.stderr.write('\n');

const sumOf = ({ costs }: Way) => median(costs.map((cost) => cost.server + cost.database));
show(
  'cached',
  all.flatMap(({ name, ways }) =>
    ways.map((way) => ({
      read: name,
      way: way.name,
      'server ms': roundToThree(median(way.costs.map((cost) => cost.server))),
      'PostgreSQL ms': roundToThree(median(way.costs.map((cost) => cost.database))),
      'of plain': roundToThree(sumOf(way) / sumOf(ways[0] ?? way)),
    })),
  ),
  { rounds, seconds, connections },
);
