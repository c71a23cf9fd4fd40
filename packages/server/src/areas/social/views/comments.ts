// The wire form of comments.
import type { Caller } from '#http';
import type { SpotlightRecord, Spotlit } from '@colophon/text';
import { timestamp } from '#lib/timestamp';
import type { AuthorRow, CommentRow, NewComment, Target } from '../queries/index.ts';
import { isOwn } from '../rules/comments.ts';

/** Returns the author of a comment, or another participant who is named. */
export function authorView(row: AuthorRow) {
  const { id, kind, username, display_name, owner_principal_id, model, provider } = row;
  const agent = owner_principal_id === null ? {} : { owner_principal_id, model, provider };
  return { id, kind, username, display_name, ...agent };
}

type Shown = Omit<CommentRow, 'removed_at' | 'removed_legally' | 'reason_code'>;

/**
 * Returns one comment as the caller sees it. `withHidden`: includes the text of a hidden comment. Moderation
 * is included only for moderators, the author and the owner.
 */
export function commentView(
  row: Shown,
  author: AuthorRow | undefined,
  caller: Caller | null,
  withHidden = false,
) {
  if (author === undefined) throw new Error(`The author ${row.author_id} is missing.`);
  const inside = caller?.scopes.includes('admin:moderate') || isOwn(row, caller);
  const shows = row.status === 'visible' || (withHidden && row.status === 'hidden');
  return {
    id: row.id,
    article_id: row.article_id,
    parent_comment_id: row.parent_comment_id,
    root_comment_id: row.root_comment_id,
    depth: row.depth,
    stance: row.stance,
    content: shows ? row.content : null,
    content_type: 'text/markdown' as const,
    status: row.status,
    author: authorView(author),
    created_at: row.created_at,
    ...(inside && row.moderation !== null ? { moderation: row.moderation } : {}),
    trust: 'untrusted' as const,
  };
}

type CommentView = ReturnType<typeof commentView>;

function withMarker(comment: CommentView, lit: Spotlit | undefined) {
  const content = lit?.texts['content'];
  if (lit === undefined || content === undefined) return comment;
  return { ...comment, content, spotlight: { marker: lit.marker, signals: lit.signals } };
}

/** Returns the comments, with their texts marked if `view` asks for it. All comments of a response are marked at once. */
export async function withSpotlight(
  view: 'spotlight' | undefined,
  comments: readonly CommentView[],
  spotlight: (records: readonly SpotlightRecord[]) => Promise<readonly Spotlit[]>,
) {
  if (view === undefined) return [...comments];
  const records = comments.map(({ content }) => ({ texts: content === null ? {} : { content } }));
  const lit = await spotlight(records);
  return comments.map((comment, index) => withMarker(comment, lit[index]));
}

/** Returns a comment that was just created. */
export function newCommentView(comment: NewComment, target: Target, author: AuthorRow) {
  const row = {
    id: comment.id,
    article_id: target.article_id,
    parent_comment_id: target.parent_id,
    root_comment_id: target.root_comment_id,
    depth: target.depth,
    stance: comment.stance,
    content: comment.content,
    status: 'visible' as const,
    author_id: comment.authorId,
    owner_principal_id: comment.ownerId,
    moderation: null,
    created_at: timestamp(comment.now),
  };
  return commentView(row, author, null);
}
