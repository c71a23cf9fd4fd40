// The sitemap as it is served: the index of its files, and the addresses in one of them.
import { treatmentSubscribers } from '#articles';
import type { Config } from '#config';
import type { Db } from '#database';
import { nextTurn } from '#lib/pieces';
import { articleUrl } from '#lib/slug';
import { isSettled } from '#outbox';
import { listSitemapEntries, listSitemapFiles } from '../queries/index.ts';
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
  /**
   * Returns whether the tag matches the present content; otherwise some change has not reached the file
   * yet.
   */
  isCurrent(): Promise<boolean>;
  /**
   * Yields batches. Each is queried when the previous one was sent, so visibility is checked at that
   * moment.
   */
  urls(): AsyncIterable<readonly Url[]>;
}

export interface Sitemap {
  index(): Promise<{ readonly tag: string; readonly files: readonly (Url & { number: number })[] }>;
  /** Returns undefined if there is no such file, or if it is empty. */
  file(number: number): Promise<File | undefined>;
}

/**
 * The subscribers whose waiting messages may change a file; the treatment of works changes author names.
 */
const awaited = [...sitemapSubscribers, ...treatmentSubscribers];

const rowsAtOnce = 100;

/** Runs functions one after the other. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/**
 * The sitemap of listed articles. A batch occupies the database as long as hundreds of reads do, so batches
 * are read one at a time, however many clients request them: no other request waits for more than one
 * batch.
 */
export function sitemapOf(db: Db, { baseUrl }: Pick<Config, 'baseUrl'>): Sitemap {
  const next = inTurn();
  /**
   * An address contains the title: a thousand of them in one turn of the event loop would take 50 ms and
   * more.
   */
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
