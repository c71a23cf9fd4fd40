// The page of what changed between two revisions of 100 KB: time to the whole answer, each pair asked for once.
//   npm run bench -- differences
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishArticle, post, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { median, roundToThree, show } from './parts/figures.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 9);
const bytes = 100_000;
const goalMs = 200;

/** Paragraphs of prose in the project's own documents, and of few words that come again in another order. */
const prose = await paragraphsOf(join(import.meta.dirname, '..', 'docs'));
const few = 'the quick brown heron stands where reeds bend and waits until water is quiet'.split(
  ' ',
);

async function paragraphsOf(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) => text.split('\n\n').filter((part) => /^[A-Z].{250}/s.test(part)));
}

function fewWords(number: number): string {
  const at = (place: number) => (number * 7 + place * place + (place % 5) * number) % few.length;
  return `Paragraph ${number} says: ${Array.from({ length: 80 }, (_, place) => few[at(place)]).join(' ')}.`;
}

/** Returns the paragraphs of a text of 100 KB, from a place in the supply. */
function essay(paragraph: (place: number) => string, first: number): string[] {
  const paragraphs: string[] = [];
  for (let length = 0, place = first; length < bytes; place += 1) {
    paragraphs.push(paragraph(place));
    length += (paragraphs.at(-1)?.length ?? 0) + 2;
  }
  return paragraphs;
}

const ofProse = (first: number) => essay((place) => prose[place % prose.length] ?? '', first);
const half = Math.floor(prose.length / 2);
const before = ofProse(0);
const reordered = essay(fewWords, 0);

interface Change {
  readonly from: readonly string[];
  /** Unlike in each round: no two rounds compare the same texts. */
  readonly to: (round: number) => readonly string[];
}

/** What an author may have done to the text; the last is the dearest that was found. */
const changes: Readonly<Record<string, Change>> = {
  'one word': { from: before, to: (round) => before.with(7, `${before[7]} ${round}`) },
  'a word of each paragraph': {
    from: before,
    to: (round) => before.map((text) => text.replace(' ', ` ${round} `)),
  },
  'every other paragraph written new': {
    from: before,
    to: (round) =>
      before.map((text, place) => (place % 2 === 0 ? text : `${round} ${prose[half + place]}`)),
  },
  'the order turned round': { from: before, to: (round) => [`${round}`, ...before.toReversed()] },
  'another text': { from: before, to: (round) => [`${round}`, ...ofProse(half)] },
  'the same words in another order': {
    from: reordered,
    to: (round) => essay(fewWords, 100_000 * (round + 1)),
  },
};

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url());
const { url } = colophon;
const author = await registerAuthor(url);

/** Publishes the text and its change, and returns the address of the comparison. */
async function pairOf(from: readonly string[], after: readonly string[]): Promise<string> {
  const id = await publishArticle(url, author, from.join('\n\n'));
  const article = (await (await fetch(`${url}/v1/articles/${id}`)).json()) as {
    revision_id: string;
    url: string;
  };
  const { revision_id: to = '' } = await post(
    `${url}/v1/articles/${id}/revisions`,
    { expected_revision_id: article.revision_id, content: after.join('\n\n') },
    author.token,
  );
  await post(`${url}/v1/articles/${id}/publish`, {}, author.token);
  return `${article.url}/revisions?from=${article.revision_id}&to=${to}`;
}

/** Milliseconds until the whole page has arrived. */
async function msOf(address: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(address);
  const page = await answer.text();
  const ms = performance.now() - began;
  if (answer.status !== 200 || !page.includes('What changed'))
    throw new Error(`${address} answered ${answer.status} without the changes.`);
  return ms;
}

const rows = [];
for (const [change, { from, to }] of Object.entries(changes))
  for (const view of ['inline', 'sides']) {
    const seen: number[] = [];
    // The first round warms the thread up.
    for (let round = 0; round <= rounds; round += 1) {
      const address = await pairOf(from, to(round));
      const ms = await msOf(view === 'sides' ? `${address}&view=sides` : address);
      if (round > 0) seen.push(ms);
    }
    rows.push({
      change,
      view,
      'median, ms': roundToThree(median(seen)),
      'longest, ms': roundToThree(Math.max(...seen)),
    });
    process.stderr.write('.');
  }
process.stderr.write('\n');
show('differences', rows, { rounds, bytes, goalMs });
