// GET /v1/articles/{id}, 4 KB of Markdown, 32 connections, against a baseline that reads the same row.
import { join } from 'node:path';
import { markdownOf, publishArticle, registerAuthor } from './parts/author.ts';
import { startChild, startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;
const goal = 0.6;

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url());
const author = await registerAuthor(colophon.url);
const id = await publishArticle(colophon.url, author, markdownOf(4096));
await using bare = await startChild({
  program: join(import.meta.dirname, 'bare/read-server.ts'),
  env: { DATABASE_URL: database.url(), BASE_URL: colophon.url },
  ready: '/ready',
});

const path = `/v1/articles/${id}`;
const [ours, theirs] = await Promise.all(
  [colophon, bare].map(async ({ url }) => (await fetch(url + path)).text()),
);
if (ours !== theirs) throw new Error('The bare route does not answer the same JSON.');

const load = (url: string, token?: string) => async () =>
  (await runLoad({ url, paths: [path], connections, seconds, token })).perSecond;
const sides = {
  anonymous: load(colophon.url),
  'with a token': load(colophon.url, author.token),
  bare: load(bare.url),
};
for (const warmUp of Object.values(sides)) await warmUp();
const medians = await alternate(rounds, sides);

show(
  'read',
  (['anonymous', 'with a token'] as const).map((name) => ({
    read: name,
    'ours/s': Math.round(medians[name]),
    'bare/s': Math.round(medians.bare),
    ratio: roundToThree(medians[name] / medians.bare),
    goal,
  })),
  { rounds, seconds, connections },
);
