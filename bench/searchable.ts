// From the response of publish to being found by search, at 50 publications a second.
import { setTimeout as wait } from 'node:timers/promises';
import { post, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openCorpus } from './parts/corpus.ts';
import { openBenchDatabase } from './parts/database.ts';
import { fill } from './parts/fill.ts';
import { roundToThree, show } from './parts/figures.ts';
import { fillSearch } from './parts/search-rows.ts';

const perSecond = Number(process.env['BENCH_RATE'] ?? 50);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20);
const before = Number(process.env['BENCH_ARTICLES'] ?? 10_000);
/** Every fifth article is searched for: searching for all would be most of the load. */
const watchedEvery = 5;
const pollMs = 10;
const patienceMs = 30_000;

/** Returns a word that no other article contains. */
const wordOf = (n: number) =>
  `zq${n.toString(36).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}q${n % 2 ? 'x' : 'y'}v`;

async function searchableAfter(url: string, word: string): Promise<number> {
  const since = performance.now();
  for (;;) {
    const response = await fetch(`${url}/v1/search?limit=1&q="${word}"`);
    const { items } = (await response.json()) as { items: readonly unknown[] };
    const passed = performance.now() - since;
    if (items.length > 0) return passed;
    if (passed > patienceMs) throw new Error(`${word} was not found within ${patienceMs} ms.`);
    await wait(pollMs);
  }
}

const corpus = await openCorpus();
await using database = await openBenchDatabase();
await database.asOwner((client) => fill(client, before, 1_000, corpus.textOf));
await database.asOwner(fillSearch);
await using server = await startColophon(database.url());
const { url } = server;
const authors = await Promise.all(Array.from({ length: 8 }, () => registerAuthor(url)));
const count = perSecond * seconds;
const drafts: { readonly id: string; readonly token: string; readonly word: string }[] = [];
for (let n = 0; n < count; n += 1) {
  const token = authors[n % authors.length]?.token ?? '';
  const { content } = corpus.textOf(before + n);
  const body = { title: `A title ${n}`, content: `${content}\n\n${wordOf(n)}`, language: 'en' };
  const { id = '' } = await post(`${url}/v1/articles`, body, token);
  drafts.push({ id, token, word: wordOf(n) });
}
process.stderr.write(`${count} drafts\n`);
const began = performance.now();
const times: number[] = [];
let latest = 0;
const publishing = drafts.map(async ({ id, token, word }, n) => {
  const due = (n * 1000) / perSecond;
  await wait(Math.max(0, began + due - performance.now()));
  await post(`${url}/v1/articles/${id}/publish`, {}, token);
  latest = Math.max(latest, performance.now() - began - due);
  if (n % watchedEvery === 0) times.push(await searchableAfter(url, word));
});
await Promise.all(publishing);
const sorted = times.toSorted((a, b) => a - b);
const at = (share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
show(
  'searchable',
  [
    { what: 'median', ms: at(0.5), goal: 500 },
    { what: '99th of a hundred', ms: at(0.99), goal: 2_000 },
    { what: 'longest', ms: at(1), goal: '' },
  ],
  { perSecond, seconds, watched: times.length, before, latest_publish_ms: roundToThree(latest) },
);
