// Joins of one revision to `articles a`.
import { sql } from '#database';
import type { KeyMember, Statement } from '#database';

/** What statements read of a revision. */
export const joinedColumns = sql`bucket, article_id, id, previous_revision_id, content_hash, held_hash, signing_base,
        signature, signature_key_id, signed_at, created_at, published_at`;

const ofArticle = sql`a.bucket`;

/**
 * Joins the revision `r` of `articles a` with this id, found by one index lookup. Without the limit the planner, which
 * expects one revision for each article, may read all revisions of the article and compare their ids afterwards.
 */
export function revisionAs(id: Statement, bucket: KeyMember = ofArticle): Statement {
  return sql`cross join lateral (
      select ${joinedColumns}
      from revisions
      where bucket = ${bucket} and article_id = a.id and id = ${id}
      limit 1
    ) as r`;
}

/** Joins of the revision `r` of `articles a` that is shown. */
export const shownRevision = {
  /** The published one. */
  published: revisionAs(sql`a.published_revision_id`),
  /** The published one, or the newest one of an article that is not published. */
  orNewest: revisionAs(sql`coalesce(a.published_revision_id, a.latest_revision_id)`),
} as const;
