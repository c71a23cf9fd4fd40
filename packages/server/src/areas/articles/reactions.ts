// What follows a change: the published text is rendered. What follows an erasure: the ledger keeps it, and what is left goes.
import type { Database } from '#database';
import type { Erasure, Ledger } from '#ledger';
import { bucketOf } from '#lib/id';
import type { ArticleChanged, ArticleErased, Log, Reaction, ReactionServices } from '#outbox';
import { preformatted, rendererFor } from '#text';
import type { Rendered, Site, TextWork } from '#text';
import { articlesErased } from './outbox.ts';
import {
  deleteFreedContents,
  eraseWorks,
  findRendering,
  findUnrendered,
  insertRendering,
  listNotErased,
} from './queries/index.ts';
import type { ContentKey, RenderingRow } from './queries/index.ts';

/** What an erasure had too much of for one transaction, in short ones. */
async function freeContents(db: Database, works: { bucket: number; ids: string[] }): Promise<void> {
  let freed: number;
  do freed = await db.transaction((tx) => deleteFreedContents(tx, works));
  while (freed > 0);
}

/** The reactions to erasures, which are kept in this ledger. */
export function reactionsWith(ledger: Ledger): readonly Reaction[] {
  const onErased: readonly Reaction<ArticleErased>[] = [
    {
      type: 'article.erased',
      name: 'freeContents',
      run: ({ bucket, payload }, { db }) => freeContents(db, { bucket, ids: [payload.article_id] }),
    },
    {
      type: 'article.erased',
      name: 'keepInLedger',
      run: ({ payload, created_at }) =>
        ledger.append({ article_id: payload.article_id, erased_at: created_at }),
    },
  ];
  return onErased as readonly Reaction[];
}

/** Looked for in one statement. */
const batchSize = 1_000;

async function eraseAgain(db: Database, ids: readonly string[], now: Date): Promise<number> {
  const left = await listNotErased(db, ids);
  for (const [bucket, own] of Map.groupBy(left, bucketOf)) {
    await db.transaction(async (tx) =>
      articlesErased(tx, bucket, await eraseWorks(tx, bucket, own, now), now),
    );
  }
  return left.length;
}

async function* batches(erasures: AsyncIterable<Erasure>): AsyncGenerator<readonly string[]> {
  let ids = new Set<string>();
  for await (const { article_id } of erasures) {
    ids.add(article_id);
    if (ids.size < batchSize) continue;
    yield [...ids];
    ids = new Set();
  }
  if (ids.size > 0) yield [...ids];
}

/**
 * Erases whatever the ledger names and the database still has: it was restored from a copy that is older
 * than the erasure. To be done before anybody may read. Answers how many articles it were.
 */
export async function applyLedger(
  { db, log, now }: Pick<ReactionServices, 'db' | 'now'> & { readonly log: Log },
  ledger: Ledger,
): Promise<number> {
  let erased = 0;
  const onBroken = (line: number) =>
    log.warn({ path: ledger.path, line }, 'A line of the ledger of erasures is broken.');
  for await (const ids of batches(ledger.read(onBroken)))
    erased += await eraseAgain(db, ids, now());
  if (erased > 0) log.warn({ erased }, 'Erased again what the database did not know as erased.');
  return erased;
}

/** What rendering works with. */
interface RenderingServices {
  readonly db: Database;
  readonly text: Pick<TextWork, 'render'>;
  readonly site: Site;
  now(): Date;
}

async function renderAndKeep(
  { db, text, site, now }: RenderingServices,
  key: ContentKey,
  markdown: string,
): Promise<Rendered> {
  const rendered = await text.render(markdown, { site });
  // What was only not tried is worth another try.
  if (rendered.reason !== 'busy') {
    const kept = { ...rendered, version: rendererFor(site), now: now() };
    await db.transaction(async (tx) => void insertRendering(tx, key, kept));
  }
  return rendered;
}

/** Renders what an article has published, once for each text; a text that is done is not touched. */
export function renderingReaction(text: TextWork, { baseUrl, mediaBaseUrl }: Site): Reaction {
  const site = { baseUrl, mediaBaseUrl };
  const onChanged: Reaction<ArticleChanged> = {
    type: 'article.changed',
    name: 'renderContent',
    run: async ({ bucket, payload }, { db, now }) => {
      const place = { bucket, id: payload.article_id };
      const content = await findUnrendered(db, place, rendererFor(site));
      if (content === undefined) return;
      const key = { bucket, hash: content.hash };
      const { reason } = await renderAndKeep({ db, text, site, now }, key, content.content);
      if (reason === 'busy') throw new Error('Too many texts wait to be rendered.');
    },
  };
  return onChanged as Reaction;
}

export interface ShownContent extends RenderingRow {
  /** Safe in any page; of a text that cannot be rendered, the text as it was written. */
  readonly html: string;
}

/** A content for a page: what is kept of it, or else rendered now and kept. */
export async function renderedContent(
  services: RenderingServices,
  key: ContentKey,
  markdown: string,
): Promise<ShownContent> {
  const kept = await findRendering(services.db, key, rendererFor(services.site));
  const rendered = kept ?? (await renderAndKeep(services, key, markdown));
  return { ...rendered, html: rendered.html ?? preformatted(markdown) };
}
