// Comments as they look on the wire.
import { timestamp } from '#lib/timestamp';
import type { AuthorRow, CommentRow, NewComment, Target } from '../queries/index.ts';

function authorView(row: AuthorRow) {
  const { id, kind, username, display_name, owner_principal_id, model, provider } = row;
  const agent = owner_principal_id === null ? {} : { owner_principal_id, model, provider };
  return { id, kind, username, display_name, ...agent };
}

type Shown = Omit<
  CommentRow,
  'owner_principal_id' | 'removed_at' | 'removed_legally' | 'reason_code'
>;

/** One comment. `withHidden`: its text shows although a moderator has hidden it. */
export function commentView(row: Shown, author: AuthorRow | undefined, withHidden = false) {
  if (author === undefined) throw new Error(`The author ${row.author_id} is not there.`);
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
    trust: 'untrusted' as const,
  };
}

/** A comment that was written just now. */
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
    created_at: timestamp(comment.now),
  };
  return commentView(row, author);
}
