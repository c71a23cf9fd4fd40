// Pages a second from nginx with the configuration of deploy/, by the headers of the service: 64 connections.
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../packages/server/src/http/index.ts';
import { startNginx } from '../packages/server/test/nginx.ts';
import { markdownOf, post, publishArticle, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import { childrenMs, openProcessorTime } from './parts/processor-time.ts';
import { askAgain } from './parts/wrk.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);
const connections = 64;
const goal = 40_000;

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url());
const author = await registerAuthor(colophon.url);
const id = await publishArticle(colophon.url, author, markdownOf(4096));
for (let count = 0; count < 10; count += 1)
  await post(
    `${colophon.url}/v1/articles/${id}/comments`,
    { content: markdownOf(256) },
    author.token,
  );
const json = `/v1/articles/${id}`;
const article = (await (await fetch(colophon.url + json)).json()) as { readonly url: string };

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
await chmod(folder, 0o755);
await using nginx = await startNginx(folder, {
  upstreams: [new URL(colophon.url).host],
  name: 'localhost',
  mediaName: 'media.localhost',
  port: await freePort('127.0.0.1'),
  plainPort: await freePort('127.0.0.1'),
});
const spent = await openProcessorTime(database, colophon.pid);
const paths = {
  'article, page': new URL(article.url).pathname,
  'article, JSON': json,
  'front page': '/',
  'feed, Atom': '/feed.atom',
};

interface Figures {
  readonly perSecond: number;
  /** Requests for each second of nginx's processor time: what one core of its own would serve. */
  readonly perCore: number;
  /** Processor time of the service and its database, of what one core has, in percent. */
  readonly service: number;
}

async function measureReads(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Figures> {
  const [own, others] = [await childrenMs(nginx.pid), await spent()];
  const asked = { url: nginx.baseUrl + path, headers, connections, seconds };
  const { requests, perSecond } = await askAgain(asked);
  const [ownAfter, after] = [await childrenMs(nginx.pid), await spent()];
  const used = after.server - others.server + after.database - others.database;
  return {
    perSecond,
    perCore: (requests * 1000) / (ownAfter - own),
    service: used / (seconds * 10),
  };
}

const rows = [];
for (const [name, path] of Object.entries(paths)) {
  for (const coding of ['none', 'br']) {
    const headers = coding === 'none' ? {} : { 'accept-encoding': coding };
    const figures = [];
    for (let round = 0; round < rounds; round += 1) figures.push(await measureReads(path, headers));
    rows.push({
      read: name,
      coding,
      'a second': Math.round(median(figures.map((one) => one.perSecond))),
      'a second of a core': Math.round(median(figures.map((one) => one.perCore))),
      goal,
      'service, % of a core': roundToThree(median(figures.map((one) => one.service))),
    });
  }
}
await rm(folder, { recursive: true, force: true });
show('shared-cache', rows, { rounds, seconds, connections, load: loadavg() });
