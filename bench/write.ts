// Creating, and creating and publishing, 32 clients, against a baseline with the same statements.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Order } from './bare/writer.ts';
import { markdownOf, registerAuthor } from './parts/author.ts';
import { startBare } from './parts/bare.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;
const goal = 0.5;

/** Registers one author for each client, because clients that share an author wait for each other's quota. */
async function registerAuthors(baseUrl: string): Promise<string[]> {
  const tokens = [];
  for (let count = 0; count < connections; count += 1)
    tokens.push((await registerAuthor(baseUrl)).token);
  return tokens;
}

/** Reads authors from the database, for a program that cannot register any. */
async function authorsIn(databaseUrl: string): Promise<string[]> {
  await using colophon = await startColophon(databaseUrl);
  // Awaited here, because the server stops at the end of this block.
  return await registerAuthors(colophon.url);
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
const textFile = join(folder, 'text.md');
await writeFile(textFile, markdownOf(4096));
try {
  await using database = await openBenchDatabase();
  // Each has a database of its own, so that neither is slowed by rows that the other wrote.
  const bareUrl = await database.another('bare');
  const bareAuthors = await authorsIn(bareUrl);
  await using writer = await startBare<Order>('writer.ts', bareUrl);
  await using all = await startColophon(await database.another('everything'));
  await using web = await startColophon(await database.another('web'), { ROLE: 'web' });
  const servers = { all, web };

  const ours = async (role: 'all' | 'web', publishes: boolean) => {
    const { url } = servers[role];
    const authors = await registerAuthors(url);
    const load = { url, authors, textFile, language: 'en', publishes, connections, seconds };
    return async () => (await runLoad(load)).perSecond / (publishes ? 2 : 1);
  };
  const bare = (publishes: boolean) => () =>
    writer.perSecond({ authors: bareAuthors, seconds, clients: connections, publishes });

  const rows = [];
  for (const publishes of [false, true]) {
    const sides = {
      bare: bare(publishes),
      web: await ours('web', publishes),
      all: await ours('all', publishes),
    };
    for (const warmUp of Object.values(sides)) await warmUp();
    const medians = await alternate(rounds, sides);
    for (const role of ['web', 'all'] as const) {
      rows.push({
        write: publishes ? 'create + publish' : 'create',
        pipeline: role === 'all' ? 'in the same process' : 'elsewhere',
        'ours/s': Math.round(medians[role]),
        'bare/s': Math.round(medians.bare),
        ratio: roundToThree(medians[role] / medians.bare),
        goal,
      });
    }
  }
  show('write', rows, { rounds, seconds, connections });
} finally {
  await rm(folder, { recursive: true, force: true });
}
