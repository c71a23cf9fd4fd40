// Texts for search benchmarks: word frequencies of the seed documents, with a long tail of rare words.
import { join } from 'node:path';
import { findDocuments } from '../../scripts/seed/documents.ts';

/** The number of different words: those of the documents, then invented ones. */
const vocabularySize = 400_000;
const topicCount = 500;
const topicWords = 300;
/** Half of the texts have fewer words. Fewer than the usual 150 let a small disk take more articles. */
const medianWords = Number(process.env['BENCH_WORDS'] ?? 150);

export interface Corpus {
  /** From the most frequent to the rarest. */
  readonly words: readonly string[];
  readonly topics: readonly (readonly string[])[];
  /** Returns text number `n`, the same each time. */
  readonly textOf: (n: number) => { readonly title: string; readonly content: string };
}

/** Mulberry32: returns the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables =
  'ba be bi bo bu da de di do du fa fe fi ga ge gi ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi xa zo'.split(
    ' ',
  );

/** Returns an invented word, different for every number. */
function madeWord(number: number): string {
  let word = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return `${word}n`;
}

async function seedWords(): Promise<readonly (readonly [string, number])[]> {
  const { documents } = await findDocuments([
    join(import.meta.dirname, '..', '..', 'node_modules'),
  ]);
  const counts = new Map<string, number>();
  for (const { content } of documents) {
    for (const word of content.toLowerCase().match(/\b[a-z]{2,20}\b/g) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/** Returns indexes of a list with probabilities that fall with the rank. */
function zipf(size: number, weightOf: (rank: number) => number): (random: number) => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) sums[rank] = sum += weightOf(rank);
  return (random) => {
    const wanted = random * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function paragraphs(words: readonly string[]): string {
  const lines: string[] = [];
  for (let from = 0; from < words.length; from += 60) {
    const text = words.slice(from, from + 60).join(' ');
    lines.push(from % 240 === 180 ? `## ${text.slice(0, 40)}\n\n${text.slice(41)}.` : `${text}.`);
  }
  return lines.join('\n\n');
}

/**
 * Opens the corpus. Every article has a topic whose words are a third of its text, so words co-occur as in
 * real texts.
 */
export async function openCorpus(): Promise<Corpus> {
  const known = await seedWords();
  const words = known.map(([word]) => word);
  for (let number = 1; words.length < vocabularySize; number += 1) words.push(madeWord(number));
  const last = known.at(-1)?.[1] ?? 1;
  const anyRank = zipf(
    vocabularySize,
    (rank) => known[rank]?.[1] ?? last / (rank - known.length + 2),
  );
  const topicRank = zipf(topicWords, (rank) => 1 / (rank + 3));
  const topics = Array.from({ length: topicCount }, (_, topic) => {
    const random = randomFrom(topic * 7919 + 1);
    return Array.from(
      { length: topicWords },
      () => words[100 + Math.floor(random() ** 2 * 20_000)] ?? '',
    );
  });
  const textOf: Corpus['textOf'] = (n) => {
    const random = randomFrom(n + 1);
    const topic = topics[Math.floor(random() * topicCount)] ?? [];
    const aWord = (share: number) =>
      random() < share ? (topic[topicRank(random())] ?? '') : (words[anyRank(random())] ?? '');
    // Between 40 and 1,500 words.
    const bell = random() + random() + random() - 1.5;
    const length = Math.min(1500, Math.max(40, Math.round(medianWords * Math.exp(bell * 1.6))));
    const title = Array.from({ length: 3 + Math.floor(random() * 6) }, () => aWord(0.6)).join(' ');
    return { title, content: paragraphs(Array.from({ length }, () => aWord(0.33))) };
  };
  return { words, topics, textOf };
}
