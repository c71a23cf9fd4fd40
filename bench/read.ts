// GET /v1/articles/{id}, 128 articles of 4 KB of Markdown in turn, 32 connections, against a baseline that reads the same
// rows.
import { join } from 'node:path';
import { startChild, startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { prepareReads } from './parts/reading-load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;
const goal = 0.6;

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url());
const { paths, run } = await prepareReads(colophon.url);
await using bare = await startChild({
  program: join(import.meta.dirname, 'bare/read-server.ts'),
  env: { DATABASE_URL: database.url(), BASE_URL: colophon.url },
  ready: '/ready',
});

const [ours, theirs] = await Promise.all(
  [colophon, bare].map(async ({ url }) => (await fetch(url + paths[0])).text()),
);
if (ours !== theirs) throw new Error('The bare route does not answer the same JSON.');

const load = (url: string, withTokens: boolean) => async () =>
  (await run({ url, connections, seconds, withTokens })).perSecond;
const sides = {
  anonymous: load(colophon.url, false),
  'with a token': load(colophon.url, true),
  bare: load(bare.url, false),
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
