// Search quality: queries made from the seed documents must find the document that they were made from.
import { join } from 'node:path';
import { findDocuments } from '../scripts/seed/documents.ts';
import { articleOf } from '../scripts/seed/packages.ts';
import { post, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { roundToThree, show } from './parts/figures.ts';
import type { Row } from './parts/figures.ts';

const perKind = 300;
const depth = 10;
const queryMax = 200;
const inFlight = 4;

/** Returns the same numbers in every run, so that the queries are the same as long as the documents are. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

interface Known {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

const cut = (text: string) => [...text].slice(0, queryMax).join('');

/** Omits, doubles, replaces or swaps a character, anywhere in a word of four letters or more. */
function withTypo(title: string, random: () => number): string | undefined {
  const words = [...title.matchAll(/\p{L}{4,}/gu)];
  const word = words[Math.floor(random() * words.length)];
  if (word === undefined) return undefined;
  const at = word.index + Math.floor(random() * (word[0].length - 1));
  const [before, letter, next, after] = [
    title.slice(0, at),
    title.charAt(at),
    title.charAt(at + 1),
    title.slice(at + 2),
  ];
  const other = 'abcdefghijklmnopqrstuvwxyz'.charAt(Math.floor(random() * 26));
  const edits = [next, `${letter}${letter}${next}`, `${other}${next}`, `${next}${letter}`];
  return `${before}${edits[Math.floor(random() * edits.length)]}${after}`;
}

/** Returns lines of prose outside of code. */
function proseOf(content: string): readonly string[] {
  return content
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .split('\n')
    .map((line) => line.trim());
}

function headingsOf(content: string): readonly string[] {
  return proseOf(content)
    .filter((line) => /^#{2,6} /.test(line))
    .map((line) => line.replaceAll(/^#+ |[*`[\]]|\(http[^)]*\)/g, '').trim())
    .filter((heading) => heading.split(/\s+/).length >= 2);
}

function sentencesOf(content: string): readonly string[] {
  return proseOf(content)
    .filter((line) => !/^[#>|<\-*\d[!]/.test(line) && !/[`<>[\]|]|http/.test(line))
    .flatMap((line) => line.match(/[A-Z](?:[^.!?]|[.!?](?!\s|$)){30,190}[.!?](?=\s|$)/g) ?? [])
    .filter((sentence) => sentence.split(/\s+/).length >= 6);
}

type Make = (known: Known, random: () => number) => string | undefined;

const oneOf = (texts: readonly string[], random: () => number) =>
  texts[Math.floor(random() * texts.length)];

const kinds: Readonly<Record<string, Make>> = {
  'exact title': ({ title }) => title,
  'title with one typo': ({ title }, random) => withTypo(title, random),
  'beginning of the title': ({ title }, random) => {
    const most = [...title].length;
    return most < 8 ? undefined : cut(title).slice(0, Math.ceil(most * (0.5 + random() / 2)));
  },
  'heading of the text': ({ content }, random) => oneOf(headingsOf(content), random),
  'title and heading': ({ title, content }, random) => {
    const heading = oneOf(headingsOf(content), random);
    return heading && `${title} ${heading}`;
  },
  'sentence of the text': ({ content }, random) => oneOf(sentencesOf(content), random),
  'sentence in quotes': ({ content }, random) => {
    const sentence = oneOf(sentencesOf(content), random);
    return sentence && `"${sentence.slice(0, queryMax - 2)}"`;
  },
};

/** Shuffles in the same way each time. */
function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

async function publishAll(url: string): Promise<readonly Known[]> {
  const root = join(import.meta.dirname, '..', 'node_modules');
  const { documents } = await findDocuments([root]);
  const { token } = await registerAuthor(url);
  const published: Known[] = [];
  const waiting = documents.values();
  const work = async () => {
    for (const document of waiting) {
      const { title, content, metadata } = articleOf(document);
      const { id = '' } = await post(`${url}/v1/articles`, { title, content, metadata }, token);
      await post(`${url}/v1/articles/${id}/publish`, {}, token);
      published.push({ id, title, content });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return published.toSorted((a, b) => (a.title + a.content < b.title + b.content ? -1 : 1));
}

async function untilIndexed(url: string, articles: readonly Known[]): Promise<void> {
  for (const { id } of articles) {
    for (;;) {
      const response = await fetch(`${url}/v1/articles/${id}/processing`);
      const steps = (await response.json()) as { search_indexed: boolean };
      if (steps.search_indexed) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Returns the rank of the article among the first ten, from 1; 0 when it is not among them. */
async function placeOf(url: string, query: string, id: string): Promise<number> {
  const address = `${url}/v1/search?limit=${depth}&q=${encodeURIComponent(cut(query))}`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const { items } = (await response.json()) as { items: { article: { id: string } }[] };
  return items.findIndex(({ article }) => article.id === id) + 1;
}

await using database = await openBenchDatabase();
await using server = await startColophon(database.url());
const articles = await publishAll(server.url);
await untilIndexed(server.url, articles);
const rows: Row[] = [];
for (const [number, [kind, make]] of Object.entries(kinds).entries()) {
  const random = randomFrom(number + 1);
  const queries = shuffle(articles, random)
    .flatMap((known) => {
      const query = make(known, random)?.trim();
      return query === undefined || query === '' ? [] : [{ query, id: known.id }];
    })
    .slice(0, perKind);
  let [reciprocal, found, first] = [0, 0, 0];
  for (const { query, id } of queries) {
    const place = await placeOf(server.url, query, id);
    if (place > 0) reciprocal += 1 / place;
    if (place > 0) found += 1;
    if (place === 1) first += 1;
    if (place === 0 && process.env['BENCH_MISSES'] === '1')
      process.stderr.write(`${kind}: ${query}\n`);
  }
  rows.push({
    query: kind,
    queries: queries.length,
    'MRR at 10': roundToThree(reciprocal / queries.length),
    'recall at 10': roundToThree(found / queries.length),
    first: roundToThree(first / queries.length),
  });
}
show('search-quality', rows, { articles: articles.length });
