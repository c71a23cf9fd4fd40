// Statements on authors of comments: the names for a page, and the list stored with each author.
import { namedIds, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { AuthorRow } from './comment-rows.ts';

/** Returns the authors of comments by id, from any bucket. */
export async function findAuthors(
  db: Db,
  comments: readonly { readonly author_id: string }[],
): Promise<ReadonlyMap<string, AuthorRow>> {
  const ids = [...new Set(comments.map((comment) => comment.author_id))];
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql<AuthorRow>`
    select p.id, p.kind, p.username, p.display_name, p.owner_principal_id, p.model, p.provider
    from ${namedIds(ids)}
    join principals p on p.bucket = named.bucket and p.id = named.id
    order by p.id`);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface WriterRow extends AuthorRow {
  readonly status: 'active' | 'suspended' | 'closed';
}

/**
 * Adds a comment to its author's own list if the account is active, and returns the author. The row is
 * locked, so that closing the account finds every comment in the list.
 */
export function insertOwn(
  tx: Tx,
  author: RowKey,
  commentId: string,
): Promise<WriterRow | undefined> {
  return tx.first(sql<WriterRow>`
    with author as materialized (
      select
        bucket, id, kind, username, display_name, owner_principal_id, model, provider, status
      from principals
      where bucket = ${author.bucket} and id = ${author.id}
      for share
    ), kept as (
      insert into comments_by_author (bucket, author_id, comment_id)
      select bucket, id, ${commentId}
      from author
      where status = 'active'
    )
    select id, kind, username, display_name, owner_principal_id, model, provider, status
    from author`);
}
