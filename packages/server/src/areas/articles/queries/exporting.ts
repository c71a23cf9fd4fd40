// Statements that read all works of an author, with every revision, a bounded number of bytes at a time.
import { whenGiven, justFirst, nothing, sql, takesLong } from '#database';
import type { Db, Statement } from '#database';
import type { RowKey } from '#lib/id';
import {
  articleColumns,
  joinedColumns,
  revisionColumns,
  shownRevision,
  signatureJoin,
  summaryColumns,
} from './articles.ts';
import type { ArticleRow, RevisionRow } from './articles.ts';
import type { ProofRow } from './revision-lists.ts';
import { shownColumns } from './shown.ts';
import type { ShownRow } from './shown.ts';

export interface WorkRow extends Pick<
  ArticleRow,
  'id' | 'status' | 'removed_at' | 'removed_legally' | 'reason_code'
> {
  /** Of the texts and metadata of all revisions, about. */
  readonly bytes: number;
  readonly revisions: number;
}

/** Returns the works of an author, newest first, with the size of their texts. */
export function listWorksBefore(
  db: Db,
  author: RowKey,
  before: string | undefined,
  limit: number,
): Promise<readonly WorkRow[]> {
  return db.rows(
    takesLong(sql<WorkRow>`
      select a.id, a.status, a.removed_at, a.removed_legally, a.reason_code,
        sizes.bytes, sizes.revisions
      from articles a
      cross join lateral (
        select coalesce(sum(octet_length(c.content) + octet_length(c.metadata::text)), 0)::float8 as bytes,
          count(*)::integer as revisions
        from revisions r
        left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
        where r.bucket = a.bucket and r.article_id = a.id
      ) as sizes
      ${sql.where([
        sql`a.bucket = ${author.bucket} and a.author_id = ${author.id}`,
        whenGiven(before, (id) => sql`a.id < ${id}`),
      ])}
      order by a.id desc
      ${justFirst(limit)}`),
  );
}

/** Works of one author. */
export interface WorkKeys {
  readonly bucket: number;
  readonly ids: readonly string[];
}

/** Returns articles as a read of their author shows them: with the published revision, or else the newest. */
export function listShownOf(db: Db, works: WorkKeys): Promise<readonly ShownRow[]> {
  return db.rows(
    takesLong(sql<ShownRow>`
      select ${shownColumns}, c.content
      from articles a
      join principals p on p.bucket = a.bucket and p.id = a.author_id
      ${shownRevision.orNewest}
      left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
      ${signatureJoin}
      where a.bucket = ${works.bucket} and a.id = any(${works.ids})
      order by a.id desc`),
  );
}

export interface RevisionsPage {
  /** The last revision of the previous page. */
  readonly after: string;
  readonly limit: number;
}

/**
 * Joins the next revisions of each of `articles a`, as many as the page may have. They are read in the order of their
 * index, so that a page of an article with very many revisions reads its own only.
 */
const revisionsAfter = (
  { bucket }: WorkKeys,
  { after, limit }: RevisionsPage,
  condition: Statement,
) => sql`cross join lateral (
        select ${joinedColumns}
        from revisions
        where bucket = ${bucket} and article_id = a.id and id > ${after} ${condition}
        order by id
        ${justFirst(limit)}
      ) as r`;

/** Returns the revisions of these articles with their texts, oldest first for each article. */
export function listRevisionsOf(
  db: Db,
  works: WorkKeys,
  page: RevisionsPage,
): Promise<readonly RevisionRow[]> {
  return db.rows(
    takesLong(sql<RevisionRow>`
      select ${summaryColumns}, c.content
      from articles a
      join principals p on p.bucket = a.bucket and p.id = a.author_id
      ${revisionsAfter(works, page, nothing)}
      left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
      ${signatureJoin}
      where a.bucket = ${works.bucket} and a.id = any(${works.ids})
      order by a.id desc, r.id
      ${justFirst(page.limit)}`),
  );
}

/** Returns the proofs of the published revisions of these articles, oldest first for each article. */
export function listProofsOf(
  db: Db,
  works: WorkKeys,
  page: RevisionsPage,
): Promise<readonly ProofRow[]> {
  return db.rows(
    takesLong(sql<ProofRow>`
      select ${articleColumns}, ${revisionColumns},
        r.signed_at, k.agent_id as key_agent_id, k.created_at as key_created_at,
        k.compromised_at as key_compromised_at, before.content_hash as previous_content_hash,
        before.published_at as previous_published_at
      from articles a
      join principals p on p.bucket = a.bucket and p.id = a.author_id
      ${revisionsAfter(works, page, sql`and published_at is not null`)}
      ${signatureJoin}
      left join revisions before
        on before.bucket = r.bucket
        and before.article_id = r.article_id
        and before.id = r.previous_revision_id
      where a.bucket = ${works.bucket} and a.id = any(${works.ids})
      order by a.id desc, r.id
      ${justFirst(page.limit)}`),
  );
}
