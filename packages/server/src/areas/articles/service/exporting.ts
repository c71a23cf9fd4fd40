// The works of an author for an export: every revision, as reads of the author show them.
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import type { RowKey } from '#lib/id';
import { yieldAfterPieces } from '#lib/pieces';
import { listProofsOf, listRevisionsOf, listShownOf, listWorksBefore } from '../queries/index.ts';
import type { RevisionsPage, WorkRow } from '../queries/index.ts';
import { withFrontMatter } from '../rules/front-matter.ts';
import { articleView } from '../views/articles.ts';
import { proofView, revisionView } from '../views/revisions.ts';

interface Reading {
  readonly db: Db;
  readonly config: Config;
  /** The author. */
  readonly caller: Caller;
}

/** Consecutive works of an author. */
export interface Works {
  readonly works: readonly WorkRow[];
  /** Whether their texts fit together; otherwise it is one work, whose revisions are read in pages. */
  readonly fits: boolean;
  readonly isLast: boolean;
}

const worksAtOnce = 250;
const revisionsAtOnce = 5_000;
/** Of the texts that are in memory at the same time, about. */
const bytesAtOnce = 4 * 1024 * 1024;
/** Each may have a text of 1 MiB. */
const longRevisionsAtOnce = 4;
const proofsAtOnce = 100;
/** The work of a view without metadata, as UTF-16 units of text. */
const viewUnits = 512;

/** Returns the next works, newest first, as many as fit in memory together, and one at least. */
export async function nextWorks(
  db: Db,
  author: RowKey,
  before: string | undefined,
): Promise<Works> {
  const rows = await listWorksBefore(db, author, before, worksAtOnce);
  let [bytes, revisions, count] = [0, 0, 0];
  for (const row of rows) {
    bytes += row.bytes;
    revisions += row.revisions;
    if (bytes > bytesAtOnce || revisions > revisionsAtOnce) break;
    count += 1;
  }
  const works = rows.slice(0, Math.max(count, 1));
  return {
    works,
    fits: count > 0,
    isLast: rows.length < worksAtOnce && works.length === rows.length,
  };
}

const isGone = ({ status }: WorkRow) => ['unpublished', 'removed', 'erased'].includes(status);

/** Returns what a removed article still reveals to its author. */
function tombstone({ id, status, removed_at, reason_code }: WorkRow) {
  return { id, status, removed_at, ...(reason_code === null ? {} : { reason_code }) };
}

/** Returns those of these works that have a text for their author. */
function readable({ caller }: Reading, works: readonly WorkRow[]) {
  const ids = works.flatMap((work) => (isGone(work) ? [] : [work.id]));
  return { bucket: caller.bucket, ids };
}

/** Returns the records of these works, in their order; a removed one has no text. */
export async function exportedArticles(reading: Reading, works: readonly WorkRow[]) {
  const { db, config, caller } = reading;
  const rows = await listShownOf(db, readable(reading, works));
  const shown = new Map(rows.map((row) => [row.id, row]));
  return works.map((work) => {
    const row = shown.get(work.id);
    // It may have been removed between the two statements.
    if (row === undefined || isGone({ ...work, status: row.status }))
      return { id: work.id, status: work.status, shown: undefined, record: tombstone(work) };
    const record = articleView(row, config, caller);
    return { id: work.id, status: row.status, shown: record, record };
  });
}

export type ExportedArticle = Awaited<ReturnType<typeof exportedArticles>>[number];
export type ExportedRevision = ReturnType<typeof revisionView>;

async function* inPages<R extends { readonly revision_id: string }>(
  list: (page: RevisionsPage) => Promise<readonly R[]>,
  limit: number,
): AsyncGenerator<readonly R[]> {
  let after = '';
  for (;;) {
    const rows = await list({ after, limit });
    yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1)?.revision_id ?? after;
  }
}

/** Allows for revisions that were created after they were counted. */
const everyRevision: RevisionsPage = { after: '', limit: 2 * revisionsAtOnce };

/** Returns the views of all rows; yields to the event loop between them. */
async function viewsOf<
  R extends { readonly revision_id: string; readonly metadata?: string | null },
  V,
>(rows: readonly R[], view: (row: R) => V): Promise<readonly V[]> {
  // The queue runs the step again, which counts the revisions again.
  if (rows.length >= everyRevision.limit)
    throw new Error('More revisions were created than an export reads at once.');
  const yieldIfDue = yieldAfterPieces();
  const views: V[] = [];
  for (const row of rows) {
    views.push(view(row));
    await yieldIfDue(viewUnits + (row.metadata?.length ?? 0));
  }
  return views;
}

/** Returns all revisions of works that fit in memory, with the id of their article, in the order of the works. */
export async function exportedRevisions(
  reading: Reading,
  works: readonly WorkRow[],
): Promise<readonly ExportedRevision[]> {
  const rows = await listRevisionsOf(reading.db, readable(reading, works), everyRevision);
  return viewsOf(rows, revisionView);
}

/** Returns the proofs of all published revisions of works that fit in memory. */
export async function exportedProofs(reading: Reading, works: readonly WorkRow[]) {
  const rows = await listProofsOf(reading.db, readable(reading, works), everyRevision);
  return viewsOf(rows, (row) => proofView(row, reading.caller));
}

/** Yields the revisions of one article, oldest first, however many there are. */
export async function* pagedRevisions(
  { db, caller }: Reading,
  id: string,
): AsyncGenerator<ExportedRevision> {
  const works = { bucket: caller.bucket, ids: [id] };
  const list = (page: RevisionsPage) => listRevisionsOf(db, works, page);
  for await (const rows of inPages(list, longRevisionsAtOnce)) yield* rows.map(revisionView);
}

/** Yields the proofs of one article in groups, oldest first, however many there are. */
export async function* pagedProofs({ db, caller }: Reading, id: string) {
  const works = { bucket: caller.bucket, ids: [id] };
  const list = (page: RevisionsPage) => listProofsOf(db, works, page);
  for await (const rows of inPages(list, proofsAtOnce))
    yield rows.map((row) => proofView(row, caller));
}

/** Returns the newest revision as Markdown, with the facts that an import needs as front matter. */
export function exportedMarkdown(
  article: NonNullable<ExportedArticle['shown']>,
  newest: ExportedRevision,
): Promise<string> {
  const facts = {
    id: article.id,
    title: newest.title,
    status: article.status,
    visibility: article.visibility,
    language: article.language,
    authorship_disclosure: article.authorship_disclosure,
    canonical_url: article.canonical_url,
    topics: article.topics,
    metadata: newest.metadata,
    published_at: article.published_at,
    created_at: article.created_at,
    updated_at: article.updated_at,
    revision_id: newest.revision_id,
    content_hash: newest.content_hash,
    signed: newest.signature !== null,
    url: article.url,
  };
  return withFrontMatter(facts, newest.content);
}
