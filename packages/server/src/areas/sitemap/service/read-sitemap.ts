// The sitemap as it is told: the index of its files, and the addresses in one of them.
import { articleUrl, treatmentSubscribers } from '#articles';
import type { Config } from '#config';
import type { Db } from '#database';
import { nextTurn } from '#lib/pieces';
import { isSettled } from '#outbox';
import { listSitemapEntries, listSitemapFiles } from '../queries.ts';
import { sitemapTag } from '../rules.ts';
import { sitemapSubscribers } from '../subscribers.ts';

interface Url {
  readonly loc: string;
  /** RFC 3339. */
  readonly lastmod: string;
}

interface File {
  /** An entity tag without its quotes. */
  readonly tag: string;
  /** Whether the tag stands for what would be told now: else some change has not reached the file. */
  isCurrent(): Promise<boolean>;
  /** Batches, each asked for when the one before is gone: who may be seen is asked at that moment. */
  urls(): AsyncIterable<readonly Url[]>;
}

export interface Sitemap {
  index(): Promise<{ readonly tag: string; readonly files: readonly (Url & { number: number })[] }>;
  /** undefined: there is no such file, or nothing in it. */
  file(number: number): Promise<File | undefined>;
}

/** What a file has not heard of while one of these waits; the treatment of works tells it of new names. */
const awaited = [...sitemapSubscribers, ...treatmentSubscribers];

const rowsAtOnce = 100;

/** Runs what it is given one after the other. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/**
 * The sitemap of what is listed. A batch takes the database as long as hundreds of reads, so they are read
 * one at a time, however many ask: nobody else waits for more than one.
 */
export function sitemapOf(db: Db, { baseUrl }: Pick<Config, 'baseUrl'>): Sitemap {
  const next = inTurn();
  /** An address is made of a title: a thousand of them in one turn would take 50 ms and more. */
  async function urlsOf(rows: Awaited<ReturnType<typeof listSitemapEntries>>): Promise<Url[]> {
    const urls: Url[] = [];
    for (const [at, { id, username, title, lastmod }] of rows.entries()) {
      if (username === null) continue;
      urls.push({ loc: articleUrl(baseUrl, { id, username, title }), lastmod });
      if (at % rowsAtOnce === rowsAtOnce - 1) await nextTurn();
    }
    return urls;
  }

  async function* urls(number: number): AsyncGenerator<readonly Url[]> {
    for (let after = ''; ;) {
      const from = after;
      const rows = await next(() => listSitemapEntries(db, number, from));
      const last = rows.at(-1);
      if (last === undefined) return;
      yield await urlsOf(rows);
      after = last.id;
    }
  }

  return {
    index: async () => {
      const files = await listSitemapFiles(db);
      return {
        tag: sitemapTag(baseUrl, files),
        files: files.map(({ number, changed_at }) => ({
          number,
          loc: `${baseUrl}/sitemaps/${number}.xml`,
          lastmod: changed_at,
        })),
      };
    },
    file: async (number) => {
      const files = await listSitemapFiles(db, number);
      if (files.length === 0) return undefined;
      return {
        tag: sitemapTag(baseUrl, files),
        isCurrent: () => isSettled(db, awaited),
        urls: () => urls(number),
      };
    },
  };
}
