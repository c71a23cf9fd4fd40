// From the response of publish until each surface shows the article, one publication after another.
import { setTimeout as wait } from 'node:timers/promises';
import { rareWord } from '../packages/server/test/discovery-words.ts';
import { everySurface } from '../packages/server/test/everywhere.ts';
import type { Published } from '../packages/server/test/everywhere.ts';
import { post, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openCorpus } from './parts/corpus.ts';
import { openBenchDatabase } from './parts/database.ts';
import { fillFeed } from './parts/feed-rows.ts';
import { median, show } from './parts/figures.ts';
import { fill } from './parts/fill.ts';
import { quiet } from './parts/quiet.ts';
import { fillSearch } from './parts/search-rows.ts';
import { fillSitemap } from './parts/sitemap-rows.ts';

const publications = Number(process.env['BENCH_ROUNDS'] ?? 30);
/** One in eleven of them is a draft. */
const before = Number(process.env['BENCH_ARTICLES'] ?? 1_100);
const goal = 2_000;
const pollMs = 10;
const patienceMs = 60_000;
const surfaces = Object.entries(everySurface);

const corpus = await openCorpus();
await using database = await openBenchDatabase();
await database.asOwner(async (client) => {
  await fill(client, before, 50, corpus.textOf);
  await fillFeed(client);
  await fillSearch(client);
  await fillSitemap(client);
});
await using server = await startColophon(database.url());
const baseUrl = server.url;
const author = await registerAuthor(baseUrl);

async function publish(n: number): Promise<Published> {
  const [topic, word] = [rareWord(`topic ${n}`), rareWord(`text ${n}`)];
  const { title, content } = corpus.textOf(before + n);
  const body = { title, content: `${content}\n\n${word}`, language: 'en' };
  const { id = '' } = await post(
    `${baseUrl}/v1/articles`,
    { ...body, metadata: { topics: [topic] } },
    author.token,
  );
  const { url = '' } = await post(`${baseUrl}/v1/articles/${id}/publish`, {}, author.token);
  return { baseUrl, id, url, author: author.username, topic, word };
}

/** All surfaces are polled concurrently: the time that they wait for each other is part of the figure. */
async function shownAfter(article: Published): Promise<readonly number[]> {
  const since = performance.now();
  return Promise.all(
    surfaces.map(async ([place, isThere]) => {
      while (!(await isThere(article))) {
        if (performance.now() - since > patienceMs)
          throw new Error(`${place} did not show ${article.id} within ${patienceMs} ms.`);
        await wait(pollMs);
      }
      return performance.now() - since;
    }),
  );
}

/** The first use of the server and of the drawing process takes longer, and is reported separately. */
const first = await shownAfter(await publish(0));
const times: (readonly number[])[] = [];
for (let n = 1; n <= publications; n += 1) {
  await quiet();
  times.push(await shownAfter(await publish(n)));
  process.stderr.write('.');
}
process.stderr.write('\n');
show(
  'everywhere',
  surfaces.map(([surface], place) => {
    const seen = times.map((one) => one[place] ?? Number.NaN);
    return {
      surface,
      'median ms': Math.round(median(seen)),
      'worst ms': Math.round(Math.max(...seen)),
      'very first ms': Math.round(first[place] ?? Number.NaN),
      goal,
    };
  }),
  { publications, before },
);
