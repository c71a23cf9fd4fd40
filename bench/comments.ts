// Commenting on one popular article and on 1,000, 32 clients, against a baseline (same statements).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Order } from './bare/commenter.ts';
import { markdownOf, publishArticle, registerAuthor } from './parts/author.ts';
import { startBare } from './parts/bare.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;
const goal = 0.5;
const spread = 1_000;
const atOnce = 8;

interface Stage {
  /**
   * Tokens of the commenters: one for each client, because clients that share a quota wait for each other.
   */
  readonly authors: readonly string[];
  readonly hot: readonly string[];
  readonly many: readonly string[];
}

async function articlesAt(url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  const loop = async () => {
    while (ids.length < count) {
      const place = ids.push('') - 1;
      ids[place] = await publishArticle(url, await registerAuthor(url), 'A text to comment on.');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return ids;
}

async function setStage(url: string): Promise<Stage> {
  const authors = [];
  for (let count = 0; count < connections; count += 1)
    authors.push((await registerAuthor(url)).token);
  return { authors, hot: await articlesAt(url, 1), many: await articlesAt(url, spread) };
}

/** Reads the stage from the database, for a program that cannot create one. */
async function stageIn(databaseUrl: string): Promise<Stage> {
  await using colophon = await startColophon(databaseUrl);
  // Awaited here, because the server stops at the end of this block.
  return await setStage(colophon.url);
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
const textFile = join(folder, 'text.md');
const text = markdownOf(512);
await writeFile(textFile, text);
try {
  await using database = await openBenchDatabase();
  // Each has a database of its own, so that neither is slowed by rows that the other wrote.
  const bareUrl = await database.another('bare');
  const bareStage = await stageIn(bareUrl);
  await using bare = await startBare<Order>('commenter.ts', bareUrl);
  await using all = await startColophon(await database.another('everything'));
  const stage = await setStage(all.url);

  const rows = [];
  for (const where of ['hot', 'many'] as const) {
    const order = { authors: bareStage.authors, articles: bareStage[where], text };
    const load = { url: all.url, authors: stage.authors, comments: stage[where], textFile };
    const sides = {
      bare: () => bare.perSecond({ ...order, seconds, clients: connections }),
      ours: async () => (await runLoad({ ...load, connections, seconds })).perSecond,
    };
    for (const warmUp of Object.values(sides)) await warmUp();
    const medians = await alternate(rounds, sides);
    rows.push({
      comments: where === 'hot' ? 'on one article' : `on ${spread} articles in turn`,
      'ours/s': Math.round(medians.ours),
      'bare/s': Math.round(medians.bare),
      ratio: roundToThree(medians.ours / medians.bare),
      goal,
    });
  }
  show('comments', rows, { rounds, seconds, connections });
} finally {
  await rm(folder, { recursive: true, force: true });
}
