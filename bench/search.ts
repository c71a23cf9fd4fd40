// Searching 10,000, 100,000 and 1,000,000 articles: time per page, index size, and index build time.
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { indexArticle } from '../packages/server/src/areas/search/subscribers/documents.ts';
import { searchStatistics } from '../packages/server/src/areas/search/subscribers/search-statistics.ts';
import { openDatabase } from '../packages/server/src/database/index.ts';
import { bucketOf } from '../packages/server/src/lib/id.ts';
import { startColophon } from './parts/child.ts';
import { openCorpus } from './parts/corpus.ts';
import type { Corpus } from './parts/corpus.ts';
import { openBenchDatabase, quietLog } from './parts/database.ts';
import { fill } from './parts/fill.ts';
import { roundToThree, show } from './parts/figures.ts';
import type { Row } from './parts/figures.ts';
import { openProcessorTime } from './parts/processor-time.ts';
import type { ProcessorTime } from './parts/processor-time.ts';
import { quiet } from './parts/quiet.ts';
import { fillSearch } from './parts/search-rows.ts';

const sizes = (process.env['BENCH_ARTICLES'] ?? '10000,100000,1000000').split(',').map(Number);
const connections = 8;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const goalMs = 60;
const queryCount = 400;

/** Returns numbers that are the same in every run. */
function pick(n: number, from: number, to: number): number {
  return from + ((Math.imul(n + 1, 2_654_435_761) >>> 0) % (to - from));
}

function withTypo(title: string, n: number): string {
  const words = title.split(' ');
  const longest = words.reduce(
    (best, word, at) => (word.length > (words[best] ?? '').length ? at : best),
    0,
  );
  const word = words[longest] ?? '';
  const at = 1 + pick(n, 0, Math.max(1, word.length - 2));
  words[longest] = `${word.slice(0, at)}${word.slice(at + 1)}`;
  return words.join(' ');
}

/** Ranks of words: in nearly all articles, in one in ten, in few. */
const bands = { common: [10, 120], middle: [120, 1_500], rare: [3_000, 20_000] } as const;
type Band = keyof typeof bands;

function queriesOf({ words, topics, textOf }: Corpus, articles: number) {
  const word = (n: number, band: Band) => words[pick(n, bands[band][0], bands[band][1])] ?? '';
  const together = (n: number) => {
    const topic = topics[pick(n, 0, topics.length)] ?? [];
    return `${topic[pick(n * 3, 0, 10)]} ${topic[pick(n * 5, 10, 40)]}`;
  };
  const published = (n: number) => {
    const number = pick(n, 0, articles);
    return number % 11 === 0 ? number - 1 + (number === 0 ? 2 : 0) : number;
  };
  const kinds: Record<string, (n: number) => string> = {
    'one word, common': (n) => word(n, 'common'),
    'one word, middle': (n) => word(n, 'middle'),
    'one word, rare': (n) => word(n, 'rare'),
    'two words, both common': (n) => `${word(n, 'common')} ${word(n * 7 + 1, 'common')}`,
    'two words, common and middle': (n) => `${word(n, 'common')} ${word(n * 7, 'middle')}`,
    'two words, both middle': (n) => `${word(n, 'middle')} ${word(n * 7 + 1, 'middle')}`,
    'two words, middle and rare': (n) => `${word(n, 'middle')} ${word(n * 7, 'rare')}`,
    'two words of one topic': together,
    'a title with a typo': (n) => withTypo(textOf(published(n)).title, n),
    'beginning of a title': (n) => textOf(published(n)).title.slice(0, -2),
    'two words, one language': (n) => `${together(n)}&language=de`,
    'common words, one topic': (n) =>
      `${word(n, 'common')} ${word(n * 7 + 1, 'common')}&topic=topic-3`,
  };
  return Object.entries(kinds).map(([kind, make]) => {
    const paths = Array.from({ length: queryCount }, (_, n) => {
      const [q = '', filter] = make(n).split('&');
      return `/v1/search?q=${encodeURIComponent(q)}${filter === undefined ? '' : `&${filter}`}`;
    });
    return { kind, paths };
  });
}

interface Answered {
  readonly ms: number;
  readonly items: number;
}

async function ask(agent: Agent, address: string): Promise<Answered> {
  const since = performance.now();
  const request = get(address, { agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  if (response.statusCode !== 200) throw new Error(`${address}: ${response.statusCode} ${text}`);
  const items = text.split('"type":"article"').length - 1;
  return { ms: performance.now() - since, items };
}

async function measureSearches(
  url: string,
  paths: readonly string[],
  time: () => Promise<ProcessorTime>,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Answered[] = [];
  const worst: { path: string; ms: number }[] = [];
  const run = async (until: number, kept: boolean) => {
    let next = 0;
    const work = async () => {
      while (performance.now() < until) {
        const path = paths[next++ % paths.length] ?? '';
        const answer = await ask(agent, url + path);
        if (kept) {
          answers.push(answer);
          worst.push({ path, ms: answer.ms });
        }
      }
    };
    await Promise.all(Array.from({ length: connections }, work));
  };
  await run(performance.now() + seconds * 250, false);
  await quiet();
  const before = await time();
  await run(performance.now() + seconds * 1000, true);
  const spent = await time();
  agent.destroy();
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) =>
    roundToThree(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  const items = answers.reduce((sum, answer) => sum + answer.items, 0) / answers.length;
  if (process.env['BENCH_WORST'] === '1') {
    const slow = worst.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
    for (const { path, ms } of slow) process.stderr.write(`  ${Math.round(ms)} ms ${path}\n`);
  }
  const each = (side: 'server' | 'database') =>
    roundToThree((spent[side] - before[side]) / answers.length);
  const perSecond = Math.round(answers.length / seconds);
  return {
    p50: at(0.5),
    p95: at(0.95),
    perSecond,
    items,
    cpu: { server: each('server'), database: each('database') },
  };
}

/** Returns the milliseconds of reading an article, one read after another, while all connections search. */
async function readsBeside(url: string, paths: readonly string[], ids: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections + 1 });
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  let next = 0;
  const search = async () => {
    while (performance.now() < until) await ask(agent, url + (paths[next++ % paths.length] ?? ''));
  };
  const read = async () => {
    await wait(seconds * 100);
    while (performance.now() < until) {
      const { ms } = await ask(agent, `${url}/v1/articles/${ids[times.length % ids.length]}`);
      times.push(ms);
    }
  };
  await Promise.all([read(), ...Array.from({ length: connections }, search)]);
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => roundToThree(times[Math.floor(times.length * share)] ?? 0);
  return { 'p50 ms': at(0.5), 'p95 ms': at(0.95), reads: times.length };
}

const rows: Row[] = [];
const made: Row[] = [];
const beside: Row[] = [];
const corpus = await openCorpus();
for (const articles of sizes) {
  await using database = await openBenchDatabase({ max_wal_size: '4GB' });
  const began = performance.now();
  const filled = await database.asOwner((client) => fill(client, articles, 1_000, corpus.textOf));
  const index = await database.asOwner(fillSearch);
  const db = openDatabase({
    connection: database.connection,
    readers: 1,
    writers: 4,
    onError: () => undefined,
  });
  const services = { db, log: quietLog, now: () => new Date() };
  await searchStatistics.run(services);
  const sizesOf = await database.asOwner(async (client) => {
    const { rows: found } = await client.query<Record<string, string>>(`
      select pg_relation_size('article_search_document_idx') as index,
        pg_table_size('article_search') as rows, pg_total_relation_size('search_words') as words,
        pg_table_size('contents') as texts`);
    return found[0] ?? {};
  });
  const again = filled.sample.slice(0, 400);
  const rebuilding = performance.now();
  const waiting = again.values();
  const work = async () => {
    for (const id of waiting) await indexArticle({ bucket: bucketOf(id), id }, services);
  };
  await Promise.all([work(), work(), work(), work()]);
  const perSecond = Math.round(again.length / ((performance.now() - rebuilding) / 1000));
  await db[Symbol.asyncDispose]();
  const mb = (name: string) => Math.round(Number(sizesOf[name]) / 1_000_000);
  made.push({
    articles,
    'fill s': Math.round((performance.now() - began) / 1000),
    'index built in s': roundToThree(index.indexSeconds),
    'pipeline, articles per s': perSecond,
    'index MB': mb('index'),
    'rows MB': mb('rows'),
    'title words': index.words,
    'their MB': mb('words'),
    'texts MB': mb('texts'),
  });
  await database.asOwner((client) => client.query('checkpoint'));
  await using server = await startColophon(database.url());
  const time = await openProcessorTime(database, server.pid);
  await wait(1_000);
  for (const { kind, paths } of queriesOf(corpus, articles)) {
    process.stderr.write(`${articles} ${kind} `);
    const {
      p50,
      p95,
      perSecond: rate,
      items,
      cpu,
    } = await measureSearches(server.url, paths, time);
    process.stderr.write(`${p50} ${p95}\n`);
    rows.push({
      articles,
      query: kind,
      'p50 ms': p50,
      'p95 ms': p95,
      'per s': rate,
      'server ms': cpu.server,
      'database ms': cpu.database,
      found: roundToThree(items),
      goal: goalMs,
    });
  }
  for (const { kind, paths } of queriesOf(corpus, articles)) {
    if (kind !== 'two words, both common' && kind !== 'a title with a typo') continue;
    beside.push({
      articles,
      'searches for': kind,
      ...(await readsBeside(server.url, paths, filled.sample)),
    });
  }
  if (process.env['BENCH_KEEP'] === '1') {
    process.stderr.write(`Kept at ${database.url()} and ${server.url} until Enter is pressed.\n`);
    await new Promise((pressed) => process.stdin.once('data', pressed));
    process.stdin.pause();
  }
}
show('search', rows, { made, 'reading an article beside': beside, connections, seconds });
