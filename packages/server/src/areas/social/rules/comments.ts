// The rules of comments: who may see, reply to and delete one on a readable article. Pure.
import { invalid, requirePresent, requireScope } from '#http';
import type { AuditedRead, Caller, Problems } from '#http';
import type {
  ArticleColumns,
  CommentInArticle,
  CommentState,
  Target,
  WriterRow,
} from '../queries/index.ts';

/** Returns the article of a comment in the form that the rules of articles expect. */
export function subjectOf(row: ArticleColumns) {
  return {
    author_id: row.article_author_id,
    owner_principal_id: row.article_owner_id,
    status: row.article_status,
    visibility: row.article_visibility,
    published_revision_id: row.article_published_revision_id,
    removed_at: row.article_removed_at,
    removed_legally: row.article_removed_legally,
    reason_code: row.article_reason_code,
  };
}

/** Returns whether the caller wrote the comment, or owns the agent that did. */
export function isOwn(
  comment: Pick<CommentState, 'author_id' | 'owner_principal_id'>,
  caller: Caller | null,
): boolean {
  return (
    caller !== null && (caller.id === comment.author_id || caller.id === comment.owner_principal_id)
  );
}

const unknown = 'No comment has this id, or it is not visible to you.';

/** Requires that the comment exists, in any state. @throws not-found */
export function requireExisting<C>(
  problem: Problems<'not-found'>,
  comment: C | undefined,
): asserts comment is C {
  if (comment === undefined) throw problem('not-found', unknown);
}

/** Returns whether a moderator has hidden the comment from the caller. Author, owner and moderators still see it. */
function isHiddenFrom(comment: CommentState, caller: Caller | null): boolean {
  if (comment.status !== 'hidden' || isOwn(comment, caller)) return false;
  return caller === null || !caller.scopes.includes('admin:moderate');
}

/** The caller, and whether they may know the article of a comment. */
export interface Knowledge {
  readonly caller: Caller | null;
  readonly knowsArticle: boolean;
}

/** Returns whether the caller may know that the comment exists. */
export function isKnownComment(
  comment: CommentState,
  { caller, knowsArticle }: Knowledge,
): boolean {
  return knowsArticle && !isHiddenFrom(comment, caller);
}

/** Returns the audit record of a read that shows a moderator the text of a hidden comment. */
export function auditedComment(
  comment: CommentState & { readonly id: string; readonly article_id: string },
  caller: Caller | null,
): { readonly audited?: AuditedRead } {
  if (comment.status !== 'hidden' || isOwn(comment, caller)) return {};
  const { id, article_id, status } = comment;
  return { audited: { target_type: 'comment', target_id: id, details: { article_id, status } } };
}

/**
 * Requires that the caller may know that the comment exists. The words are those for an id that no comment has: others
 * would say that there is a comment, and an article that the caller may not see.
 * @throws not-found
 */
export function requireKnownComment(
  problem: Problems<'not-found'>,
  comment: CommentState,
  knowledge: Knowledge,
): void {
  if (!isKnownComment(comment, knowledge)) throw problem('not-found', unknown);
}

/** What says whether a comment was removed, and how. */
type RemovalState = Pick<CommentState, 'status' | 'removed_at' | 'removed_legally' | 'reason_code'>;

/** Returns the comment as seen below a hiding: its author may have deleted it since. */
export function withoutHiding(
  comment: RemovalState & { readonly content: string | null },
): RemovalState {
  const isDeleted = comment.status === 'hidden' && comment.content === null;
  return isDeleted ? { ...comment, status: 'deleted' } : comment;
}

/** Requires that the comment was not removed. @throws gone, unavailable-for-legal-reasons */
export function requireLiveComment(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  comment: RemovalState,
): void {
  const { status } = comment;
  const isRemoved = status === 'deleted' || status === 'removed';
  requirePresent(problem, 'comment', comment, isRemoved ? status : undefined);
}

/** Requires comments:read from the author or owner of a hidden comment. @throws insufficient-scope */
export function requireReadScope(comment: CommentState, caller: Caller | null): void {
  if (comment.status !== 'hidden' || caller === null || !isOwn(comment, caller)) return;
  requireScope(caller, 'comments:read');
}

const undeletable = 'No comment has this id, or it is already deleted or not visible to you.';

/**
 * Requires that there is still a text to delete, of a comment that the caller may know. Its author may delete
 * one that a moderator removed, whatever happened to the article.
 * @throws not-found
 */
export function requireDeletable(
  problem: Problems<'not-found'>,
  comment: CommentInArticle | undefined,
  caller: Caller,
  knows: (article: ReturnType<typeof subjectOf>) => boolean,
): asserts comment is CommentInArticle {
  if (comment === undefined || comment.content === null) throw problem('not-found', undeletable);
  if (isOwn(comment, caller)) return;
  const knowsArticle = knows(subjectOf(comment));
  if (comment.status === 'removed' || !isKnownComment(comment, { caller, knowsArticle }))
    throw problem('not-found', undeletable);
}

function fault(pointer: string, code: string, detail: string) {
  return invalid([{ pointer, code, detail }]);
}

function requirePublished(target: Target): void {
  if (target.article_status === 'published') return;
  const detail =
    target.article_status === 'hidden'
      ? 'the article is hidden by a moderator: it takes comments again after a restoration'
      : 'the article is not published: it takes comments after it is published';
  throw fault('', 'not-published', detail);
}

/** Returns the parent comment; undefined when there is none on this article. */
export function parentOf(target: Target): CommentState | undefined {
  if (target.parent_author_id === null || target.parent_article_id !== target.article_id)
    return undefined;
  return {
    author_id: target.parent_author_id,
    owner_principal_id: target.parent_owner_id,
    status: target.parent_status ?? 'visible',
    removed_at: target.parent_removed_at,
    removed_legally: target.parent_removed_legally ?? false,
    reason_code: target.parent_reason_code,
  };
}

type RefuseAnswer = Problems<'gone' | 'unavailable-for-legal-reasons'>;
type RefuseParent = Problems<'not-found' | 'gone' | 'unavailable-for-legal-reasons'>;

/** Returns whether the parent must be searched on other articles, because it is not on this one. */
export function lacksParent(target: Target): boolean {
  return (
    target.article_status === 'published' && !target.inserted && parentOf(target) === undefined
  );
}

/** The caller, and whether the parent exists elsewhere for them. */
export interface Commenting {
  readonly caller: Caller;
  readonly isElsewhere: boolean;
}

/**
 * Requires that the comment was inserted on a readable article, and below the parent in the body, if any. A
 * missing parent and one that the caller may not see get the same words.
 * @throws not-found, gone, unavailable-for-legal-reasons, validation-failed
 */
export function requireCommented(
  problem: RefuseParent,
  target: Target,
  { caller, isElsewhere }: Commenting,
): void {
  requirePublished(target);
  const parent = parentOf(target);
  if (parent !== undefined) requireLiveComment(problem, parent);
  if (target.inserted) return;
  const pointer = '/parent_comment_id';
  if (parent !== undefined && !isHiddenFrom(parent, caller))
    throw fault(
      pointer,
      'hidden',
      'names a comment that a moderator has hidden: send the id of another one, or null',
    );
  if (isElsewhere)
    throw fault(
      pointer,
      'elsewhere',
      'names a comment on another article: send the id of a comment on this one, or null',
    );
  const detail =
    'parent_comment_id does not name a comment that is visible to you: send the id of one, or null.';
  throw problem('not-found', detail);
}

/** Requires that the reply was inserted. @throws gone, unavailable-for-legal-reasons, validation-failed */
export function requireReplied(problem: RefuseAnswer, target: Target, parent: CommentState): void {
  requirePublished(target);
  requireLiveComment(problem, parent);
  if (target.inserted) return;
  throw fault(
    '',
    'hidden',
    'a moderator has hidden the comment: it takes no replies until it is restored',
  );
}

/** Requires that the account was active when the comment was written. @throws unauthenticated, forbidden */
export function requireWriter(
  problem: Problems<'unauthenticated' | 'forbidden'>,
  writer: WriterRow | undefined,
): asserts writer is WriterRow {
  if (writer === undefined || writer.status === 'closed')
    throw problem(
      'unauthenticated',
      'This account was closed while this request was running. Use another token.',
    );
  if (writer.status === 'suspended')
    throw problem(
      'forbidden',
      'This account was suspended while this request was running. GET /v1/events shows the reason.',
    );
}
