// Reads of many articles by many readers, none of whom share a row with another by chance.
import { markdownOf, publishArticle, registerAuthor } from './author.ts';
import { runLoad } from './load.ts';
import type { LoadFigures } from './load.ts';

/** As many as the most connections of a benchmark: requests for the same row at the same time share it. */
const articlesMade = 128;
const readersMade = 32;

export interface ReadingLoad {
  readonly paths: readonly string[];
  /** GETs the articles in turn; with tokens, those of the readers in turn. */
  readonly run: (at: {
    readonly url: string;
    readonly connections: number;
    readonly seconds: number;
    readonly withTokens?: boolean;
  }) => Promise<LoadFigures>;
}

/** Publishes the articles, of 4 KB each, and registers the readers. */
export async function prepareReads(url: string): Promise<ReadingLoad> {
  const readers = [];
  for (let n = 0; n < readersMade; n += 1) readers.push(await registerAuthor(url));
  const paths: string[] = [];
  for (let n = 0; n < articlesMade; n += 1) {
    const author = readers[n % readersMade];
    if (author !== undefined)
      paths.push(`/v1/articles/${await publishArticle(url, author, markdownOf(4096))}`);
  }
  const people = readers.map(({ token }) => ({ token }));
  return {
    paths,
    run: ({ withTokens = false, ...load }) => {
      const headers: Readonly<Record<string, string>> = withTokens
        ? { authorization: 'Bearer {token}' }
        : {};
      return runLoad({ ...load, steps: [{ method: 'GET', paths, headers }], people });
    },
  };
}
