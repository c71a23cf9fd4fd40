// Statements that find and lock the records to erase with an account or an article.
import { sql } from '#database';
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { LockedMedia } from './blobs.ts';

/** Whether a removed record still has bytes or texts: its owner’s DELETE keeps the texts. */
const isLeft = sql`(
        m.held_checksum is not null or m.alt_text is not null or m.generation_metadata is not null
      )`;

/** Locks some records of a principal and its agents that are not erased yet. */
export function lockLeft(
  tx: Tx,
  principal: RowKey,
  limit: number,
): Promise<readonly LockedMedia[]> {
  return tx.rows(sql<LockedMedia>`
    select m.id, m.held_checksum
    from media m
    join principals p on p.bucket = m.bucket and p.id = m.owner_principal_id
    where m.bucket = ${principal.bucket}
      and ${principal.id} in (p.id, p.owner_principal_id)
      and (m.status <> 'removed' or ${isLeft})
    order by m.id
    limit ${limit}
    for update of m`);
}

export interface ErasedArticle {
  readonly bucket: number;
  readonly articleId: string;
  readonly authorId: string;
  /** Ids in its texts and the id of its featured image. */
  readonly mediaIds: readonly string[];
}

/**
 * Locks the author's media that no other article of the bucket features or names in a stored revision. The
 * articles of the author, the owner and the owner's agents are all in this bucket. A later statement than the lock
 * looks for these: it sees an article that was made to feature one of the files meanwhile. It does not see a revision
 * that is not committed yet and only names a file in its text: such a write locks no media.
 */
export function lockOnlyHere(tx: Tx, article: ErasedArticle): Promise<readonly LockedMedia[]> {
  void tx.run(sql`
    select id
    from media
    where bucket = ${article.bucket}
      and owner_principal_id = ${article.authorId}
      and id = any(${article.mediaIds})
    order by id
    for update`);
  return tx.rows(sql<LockedMedia>`
    select m.id, m.held_checksum
    from media m
    where m.bucket = ${article.bucket}
      and m.owner_principal_id = ${article.authorId}
      and m.id = any(${article.mediaIds})
      and (m.status in ('ready', 'rejected') or m.status = 'removed' and ${isLeft})
      and not exists (
        select 1
        from articles f
        where f.bucket = m.bucket
          and f.id <> ${article.articleId}
          and f.status <> 'erased'
          and f.featured_media_id = m.id
      )
      and not exists (
        select 1
        from articles a
        join revisions r on r.bucket = a.bucket and r.article_id = a.id
        join contents c on c.bucket = r.bucket and c.hash = r.held_hash
        where a.bucket = m.bucket
          and a.id <> ${article.articleId}
          and (strpos(c.content, m.id) > 0 or strpos(c.metadata::text, m.id) > 0)
      )
    order by m.id
    for update of m`);
}
