// Statements on comments: finding one with its article, creating one, deleting one; and on their authors.
import type { ModerationAction, ModerationSource, ReasonCode } from '@colophon/contract';
import { namedIds, readById, sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';

export type Stance =
  | 'supports'
  | 'disagrees'
  | 'challenges'
  | 'clarifies'
  | 'asks'
  | 'cites'
  | 'summarizes';
export type CommentStatus = 'visible' | 'deleted' | 'hidden' | 'removed';

/** The state of a comment, and its author. */
export interface CommentState {
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly status: CommentStatus;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
}

export interface CommentRow extends CommentState {
  readonly id: string;
  readonly article_id: string;
  readonly parent_comment_id: string | null;
  readonly root_comment_id: string | null;
  readonly depth: number;
  readonly stance: Stance | null;
  readonly content: string | null;
  readonly created_at: string;
  /** The moderation action in force; null: none. */
  readonly moderation: {
    readonly action_id: string;
    readonly action: ModerationAction;
    readonly reason_code: ReasonCode;
    readonly source: ModerationSource;
    readonly created_at: string;
  } | null;
}

/** The columns that decide who may see the article of a comment. */
export interface ArticleColumns {
  readonly article_author_id: string;
  readonly article_owner_id: string | null;
  readonly article_status: 'draft' | 'published' | 'unpublished' | 'hidden' | 'removed' | 'erased';
  readonly article_visibility: 'public' | 'unlisted' | 'private';
  readonly article_published_revision_id: string | null;
  readonly article_removed_at: string | null;
  readonly article_removed_legally: boolean;
  readonly article_reason_code: string | null;
}

export interface CommentInArticle extends CommentRow, ArticleColumns {}

/** The article and parent of a new comment; the parent's columns are null when there is none. */
export interface Target extends ArticleColumns {
  readonly article_id: string;
  readonly parent_id: string | null;
  readonly parent_article_id: string | null;
  readonly parent_author_id: string | null;
  readonly parent_owner_id: string | null;
  readonly parent_status: CommentStatus | null;
  readonly parent_removed_at: string | null;
  readonly parent_removed_legally: boolean | null;
  readonly parent_reason_code: string | null;
  readonly root_comment_id: string | null;
  readonly depth: number;
  readonly inserted: boolean;
}

export interface AuthorRow {
  readonly id: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly owner_principal_id: string | null;
  readonly model: string | null;
  readonly provider: string | null;
}

/** Columns of `comments c`. Actions are read only for a comment with an action in force. */
export const commentColumns = sql`
    c.id, c.article_id, c.parent_comment_id, c.root_comment_id, c.depth, c.stance, c.author_id,
    c.owner_principal_id, c.status, c.content, c.created_at, c.removed_at, c.removed_legally,
    c.reason_code,
    case when c.moderation_action_id is not null then (
      select json_build_object(
        'action_id', m.id, 'action', m.action, 'reason_code', m.reason_code, 'source', m.source,
        'created_at', to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )
      from moderation_actions m
      where m.bucket = c.bucket and m.id = c.moderation_action_id
    ) end as moderation`;

/** Columns of the author `principals p`. */
export const authorColumns = sql`
    p.id, p.kind, p.username, p.display_name, p.owner_principal_id, p.model, p.provider`;

/** Columns of `articles a` and its author `principals p`. */
export const articleColumns = sql`
    a.author_id as article_author_id, p.owner_principal_id as article_owner_id,
    a.status as article_status, a.visibility as article_visibility,
    a.published_revision_id as article_published_revision_id, a.removed_at as article_removed_at,
    a.removed_legally as article_removed_legally, a.reason_code as article_reason_code`;

const withArticle = sql`
    from comments c
    join articles a on a.bucket = c.bucket and a.id = c.article_id
    join principals p on p.bucket = a.bucket and p.id = a.author_id`;

const inArticle = readById(
  (bucket, id) => sql<CommentInArticle>`
    select ${commentColumns}, ${articleColumns}
    ${withArticle}
    where c.bucket = ${bucket} and c.id = ${id}`,
);

/** Returns a comment with the columns that decide who may see it. */
export function findComment(db: Db, key: RowKey): Promise<CommentInArticle | undefined> {
  return db.find(inArticle, key);
}

/** Returns the same, locked until the transaction ends. */
export function lockComment(tx: Tx, key: RowKey): Promise<CommentInArticle | undefined> {
  return tx.first(sql<CommentInArticle>`
    select ${commentColumns}, ${articleColumns}
    ${withArticle}
    where c.bucket = ${key.bucket} and c.id = ${key.id}
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
 * article and parent, with `inserted` true when the comment was inserted. One statement reads and decides, so
 * that the result is what the decision was based on, and a concurrent removal takes effect before or after
 * it.
 */
function insertInto(
  tx: Tx,
  comment: NewComment,
  input: { readonly parentId: string | null; readonly source: Statement },
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
      ${input.source}
    ), added as (
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
          ${input.parentId}::text is null
          or parent_status = 'visible' and parent_article_id = article_id
        )
      returning id
    )
    select
      article_author_id, article_owner_id, article_status, article_visibility,
      article_published_revision_id, article_removed_at, article_removed_legally,
      article_reason_code, article_id, parent_id, parent_article_id, parent_author_id,
      parent_owner_id, parent_status, parent_removed_at, parent_removed_legally,
      parent_reason_code, root_comment_id, depth, added.id is not null as inserted
    from target
    left join added on true`);
}

/** No row has it. With null, the planner of a distributed database loses the table and refuses the join. */
const noId = '';

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
      -- never null: the parent
      from articles a
      join principals p on p.bucket = a.bucket and p.id = a.author_id
      left join comments parent on parent.bucket = a.bucket and parent.id = ${on.parentId ?? noId}
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
export function setDeleted(tx: Tx, key: RowKey, now: Date): Promise<number> {
  return tx.run(sql`
    update comments
    set status = case when status = 'visible' then 'deleted' else status end, content = null,
      removed_at = coalesce(removed_at, ${now.toISOString()})
    where bucket = ${key.bucket} and id = ${key.id} and content is not null`);
}

const author = readById(
  (bucket, id) => sql<AuthorRow>`
    select ${authorColumns}
    from principals p
    where p.bucket = ${bucket} and p.id = ${id}`,
);

export function findAuthor(db: Db, key: RowKey): Promise<AuthorRow | undefined> {
  return db.find(author, key);
}

/** Returns the authors of comments by id, from any bucket. */
export async function findAuthors(
  db: Db,
  comments: readonly { readonly author_id: string }[],
): Promise<ReadonlyMap<string, AuthorRow>> {
  const ids = [...new Set(comments.map((comment) => comment.author_id))];
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql<AuthorRow>`
    select ${authorColumns}
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
export function insertIntoOwnList(
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
    ), listed as (
      insert into comments_by_author (bucket, author_id, comment_id)
      select bucket, id, ${commentId}
      from author
      where status = 'active'
    )
    select id, kind, username, display_name, owner_principal_id, model, provider, status
    from author`);
}
