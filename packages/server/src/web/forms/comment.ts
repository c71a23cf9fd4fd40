// Comments on an article, replies, and their deletion, from the page of the article.
import { limits } from '@colophon/contract';
import type { BodyOf, operations } from '@colophon/contract';
import { isProblem } from '#http';
import { isId } from '#lib/id';
import { queryValue } from '../context.ts';
import type { PageContext } from '../context.ts';
import { pathOf } from '../components/components.ts';
import { before, commentsAtOnce } from '../pages/comments.ts';
import type { Article, Comment } from '../page-services.ts';
import { withQuery } from '../site.ts';
import { articleOf } from './article-of.ts';
import { callerOf, textOf } from './form.ts';
import type { Form, SentForm } from './form.ts';

function cursorOf({ asked }: SentForm): string | undefined {
  const cursor = queryValue(asked, 'cursor');
  return cursor !== undefined && isId(cursor) ? cursor : undefined;
}

type Stance = Exclude<BodyOf<typeof operations.createComment>['stance'], undefined>;

/** Returns what was written; nothing but white space is nothing, which the operation refuses. */
function writtenOf(sent: SentForm, field: string): string {
  const text = textOf(sent, field);
  return text.trim() === '' ? '' : text;
}

/** The operation checks the value. */
function stanceOf(sent: SentForm, field: string): Stance {
  const stance = textOf(sent, field);
  return stance === '' ? null : (stance as Stance);
}

/**
 * Returns the path of a new comment: on the page that it was written on if it is there, else on the page that
 * begins with its parent, else on the one that begins with it.
 */
async function pathTo(
  web: PageContext,
  { article, cursor }: { readonly article: Article; readonly cursor: string | undefined },
  { id, parent_comment_id: parent }: Pick<Comment, 'id' | 'parent_comment_id'>,
): Promise<string> {
  const path = pathOf(web.site, article);
  for (const one of [cursor, ...(parent === null ? [] : [before(parent)])]) {
    const query = { limit: commentsAtOnce, ...(one === undefined ? {} : { cursor: one }) };
    const params = { id: article.id };
    const { body } = await web.invoke('listComments', { caller: web.caller, params, query });
    if (body.items.some((comment) => comment.id === id))
      return `${withQuery(path, { cursor: one })}#comment-${id}`;
  }
  return `${withQuery(path, { cursor: before(id) })}#comment-${id}`;
}

export const commentForm: Form = {
  operation: 'createComment',
  bytesMax: limits.comment_body_bytes_max,
  fieldOf: { '/content': 'comment' },
  send: async (web, sent) => {
    const article = await articleOf(web, sent);
    const { body } = await web.invoke('createComment', {
      caller: callerOf(sent),
      params: { id: article.id },
      body: { content: writtenOf(sent, 'comment'), stance: stanceOf(sent, 'stance') },
      idempotencyKey: sent.key,
    });
    return pathTo(web, { article, cursor: cursorOf(sent) }, body);
  },
};

export const replyForm: Form = {
  operation: 'createReply',
  bytesMax: limits.comment_body_bytes_max,
  fieldOf: { '/content': 'reply', '/stance': 'reply-stance' },
  send: async (web, sent) => {
    const article = await articleOf(web, sent);
    const { body } = await web.invoke('createReply', {
      caller: callerOf(sent),
      params: { id: textOf(sent, 'to') },
      body: { content: writtenOf(sent, 'reply'), stance: stanceOf(sent, 'reply-stance') },
      idempotencyKey: sent.key,
    });
    // The form of another page names a comment elsewhere.
    if (body.article_id !== article.id) return `/comments/${body.id}`;
    return pathTo(web, { article, cursor: cursorOf(sent) }, body);
  },
};

export const deleteCommentForm: Form = {
  operation: 'deleteComment',
  send: async (web, sent) => {
    const article = await articleOf(web, sent);
    const id = textOf(sent, 'to');
    try {
      await web.invoke('deleteComment', { caller: callerOf(sent), params: { id } });
    } catch (error) {
      // Already deleted, by a double click or in another tab.
      if (!isProblem(error) || error.problem !== 'not-found') throw error;
    }
    return `${withQuery(pathOf(web.site, article), { cursor: cursorOf(sent) })}#comment-${encodeURIComponent(id)}`;
  },
};
