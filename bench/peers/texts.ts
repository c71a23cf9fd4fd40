// The same texts for every server: an article of a stated size, documents to search in, and queries.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pngOfLength } from '../../packages/server/test/media-files.ts';
import { markdownOf } from '../parts/author.ts';
import { openCorpus } from '../parts/corpus.ts';
import type { TextOf } from '../parts/fill.ts';
import { articleBytes, documents } from './jobs.ts';

const MiB = 1024 * 1024;
const queryCount = 200;

export interface Texts {
  readonly title: string;
  /** Markdown of `articleBytes` bytes. */
  readonly article: string;
  readonly comment: string;
  /** The text of a document by its number, 0 to `documents`. */
  readonly textOf: TextOf;
  /** Two words of one document each, encoded for an address. */
  readonly queries: readonly string[];
  /** Images of 1 and 20 MiB. */
  readonly files: Readonly<Record<'upload1' | 'upload20', string>>;
}

/** Returns two words of one document, from different places in it. */
function wordsOf(textOf: TextOf, n: number): string {
  const words = textOf(n).content.match(/\p{Letter}{4,}/gu) ?? [];
  const at = (share: number) => words[Math.floor(words.length * share)] ?? '';
  return `${at(0.2)} ${at(0.7)}`;
}

export async function makeTexts(folder: string): Promise<Texts> {
  const { textOf } = await openCorpus();
  const step = Math.floor(documents / queryCount);
  const files = { upload1: join(folder, 'one.png'), upload20: join(folder, 'twenty.png') };
  await writeFile(files.upload1, pngOfLength(MiB));
  await writeFile(files.upload20, pngOfLength(20 * MiB));
  return {
    title: 'An article to measure with',
    article: markdownOf(articleBytes),
    comment: markdownOf(256),
    textOf,
    // Each eleventh document of ours is a draft.
    queries: Array.from({ length: queryCount }, (_, n) =>
      encodeURIComponent(wordsOf(textOf, n * step + ((n * step) % 11 === 0 ? 1 : 0))),
    ),
    files,
  };
}
