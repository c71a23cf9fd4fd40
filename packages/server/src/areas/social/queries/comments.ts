// Statements on comments: finding one, creating one, deleting one.
import { sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { articleColumns, commentColumns } from './comment-rows.ts';
import type { CommentInArticle, Stance, Target } from './comment-rows.ts';

const withArticle = sql`
    from comments c
    join articles a on a.bucket = c.bucket and a.id = c.article_id
    join principals p on p.bucket = a.bucket and p.id = a.author_id`;

/** Returns a comment with the columns that decide who may see it. */
export function findComment(db: Db, place: RowKey): Promise<CommentInArticle | undefined> {
  return db.first(sql<CommentInArticle>`
    select ${commentColumns}, ${articleColumns}
    ${withArticle}
    where c.bucket = ${place.bucket} and c.id = ${place.id}`);
}

/** Returns the same, locked until the transaction ends. */
export function lockComment(tx: Tx, place: RowKey): Promise<CommentInArticle | undefined> {
  return tx.first(sql<CommentInArticle>`
    select ${commentColumns}, ${articleColumns}
    ${withArticle}
    where c.bucket = ${place.bucket} and c.id = ${place.id}
    for no key update of c`);
}

export interface NewComment extends RowKey {
  readonly authorId: string;
  readonly ownerId: string | null;
  readonly stance: Stance | null;
  readonly content: string;
  readonly now: Date;
}

/**
 * Inserts a comment if the article is published and the parent, if any, is a visible comment on it. Returns
 * article and parent, with `made` true when the comment was inserted. One statement reads and decides, so
 * that the result is what the decision was based on, and a concurrent removal takes effect before or after
 * it.
 */
function insertInto(
  tx: Tx,
  comment: NewComment,
  wish: { readonly parentId: string | null; readonly source: Statement },
): Promise<Target | undefined> {
  return tx.first(sql<Target>`
    with target as (
      select
        ${articleColumns}, a.id as article_id,
        parent.id as parent_id, parent.article_id as parent_article_id,
        parent.author_id as parent_author_id, parent.owner_principal_id as parent_owner_id,
        parent.status as parent_status, parent.removed_at as parent_removed_at,
        parent.removed_legally as parent_removed_legally, parent.reason_code as parent_reason_code,
        coalesce(parent.root_comment_id, parent.id) as root_comment_id,
        coalesce(parent.depth + 1, 0) as depth
      ${wish.source}
    ), made as (
      insert into comments (
        bucket, id, article_id, parent_comment_id, root_comment_id, depth, stance, author_id,
        owner_principal_id, content, created_at
      )
      select
        ${comment.bucket}::smallint, ${comment.id}, article_id, parent_id, root_comment_id, depth,
        ${comment.stance}, ${comment.authorId}, ${comment.ownerId}, ${comment.content},
        ${comment.now.toISOString()}::timestamptz
      from target
      where article_status = 'published'
        and (
          ${wish.parentId}::text is null
          or parent_status = 'visible' and parent_article_id = article_id
        )
      returning id
    )
    select
      article_author_id, article_owner_id, article_status, article_visibility,
      article_published_revision_id, article_removed_at, article_removed_legally,
      article_reason_code, article_id, parent_id, parent_article_id, parent_author_id,
      parent_owner_id, parent_status, parent_removed_at, parent_removed_legally,
      parent_reason_code, root_comment_id, depth, made.id is not null as made
    from target
    left join made on true`);
}

/**
 * Inserts a comment on an article, below `parentId` unless that is null. Returns undefined when there is no
 * such article.
 */
export function insertComment(
  tx: Tx,
  comment: NewComment,
  on: { readonly articleId: string; readonly parentId: string | null },
): Promise<Target | undefined> {
  const source = sql`
      from articles a
      join principals p on p.bucket = a.bucket and p.id = a.author_id
      left join comments parent on parent.bucket = a.bucket and parent.id = ${on.parentId}
      where a.bucket = ${comment.bucket} and a.id = ${on.articleId}`;
  return insertInto(tx, comment, { parentId: on.parentId, source });
}

/** Inserts a reply to a comment, on the same article. Returns undefined when there is no such comment. */
export function insertReply(
  tx: Tx,
  comment: NewComment,
  parentId: string,
): Promise<Target | undefined> {
  const source = sql`
      from comments parent
      join articles a on a.bucket = parent.bucket and a.id = parent.article_id
      join principals p on p.bucket = a.bucket and p.id = a.author_id
      where parent.bucket = ${comment.bucket} and parent.id = ${parentId}`;
  return insertInto(tx, comment, { parentId, source });
}

/**
 * Deletes the text of a comment and keeps its place; a hidden or removed comment stays so. 0 rows: already
 * deleted.
 */
export function setDeleted(tx: Tx, place: RowKey, now: Date): Promise<number> {
  return tx.run(sql`
    update comments
    set status = case when status = 'visible' then 'deleted' else status end, content = null,
      removed_at = coalesce(removed_at, ${now.toISOString()})
    where bucket = ${place.bucket} and id = ${place.id} and content is not null`);
}
