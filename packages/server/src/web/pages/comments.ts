// The comments below an article: each below its parent where that is on the same page.
import { isId } from '#lib/id';
import { directionOfText } from '@colophon/text/lib/writing-direction';
import { reasonNamed } from '../components/moderation-words.ts';
import { decisionLink } from '../components/notification.ts';
import { html, renderedHtml } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Article, Comment, CommentList, Stances } from '../page-services.ts';
import { byline, pager, pathOf, when } from '../components/components.ts';
import { readable, prefixIds } from '../components/markdown-html.ts';
import { withChangedQuotes } from '../components/quotes.ts';
import type { Site } from '../site.ts';
import { withQuery } from '../site.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { absentComments, formatCount, stances as stanceWords } from '../components/labels.ts';
import { isReadByAll } from './article-facts.ts';
import { commentActions, commentForm, repliedTo, replyForm } from './answering.ts';
import type { Thread } from './answering.ts';
import { byStance, commentOrders, commentsPath, stanceChart } from './comment-order.ts';
import type { CommentInput } from './comment-order.ts';

/** The number of comments on a page. */
export const commentsAtOnce = 50;
/** Deeper comments are not indented further, because a line needs room for words. */
const depthMax = 5;

export interface CommentsRead extends CommentList {
  readonly input: CommentInput;
  /** With the first page: the stances of all comments. */
  readonly stances: Stances | null;
}

/** What is shown to everybody who asks for nothing else. */
export const plainInput = (cursor: string | undefined): CommentInput => ({
  cursor,
  stance: undefined,
  order: undefined,
});

export async function readComments(
  { invoke, caller }: PageContext,
  { id, counts }: Article,
  input: CommentInput,
): Promise<CommentsRead> {
  const { cursor, stance } = input;
  const query = {
    limit: commentsAtOnce,
    ...(cursor === undefined ? {} : { cursor }),
    ...(stance === undefined ? {} : { stance }),
  };
  const [list, stances] = await Promise.all([
    invoke('listComments', { caller, params: { id }, query }),
    cursor === undefined && counts.comments > 0
      ? invoke('readStances', { caller, params: { id } })
      : null,
  ]);
  return { ...list.body, input, stances: stances?.body ?? null };
}

interface Placed {
  readonly comment: Comment;
  /** Depth below the top-level ancestor on this page. */
  readonly level: number;
  /** The parent comment, where it is on this page. */
  readonly parent: Comment | undefined;
}

/** Returns the comments in conversation order: each followed by its replies, oldest first. */
export function inConversationOrder(comments: readonly Comment[]): readonly Placed[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const answers = Map.groupBy(comments, ({ parent_comment_id: parent }) =>
    parent !== null && byId.has(parent) ? parent : '',
  );
  const waiting = (answers.get('') ?? []).toReversed().map((comment) => ({ comment, level: 0 }));
  const placed: Placed[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { comment, level } = next;
    placed.push({ ...next, parent: byId.get(comment.parent_comment_id ?? '') });
    for (const answer of (answers.get(comment.id) ?? []).toReversed())
      waiting.push({ comment: answer, level: level + 1 });
  }
  return placed;
}

function answerTo({ site }: PageContext, { comment, parent }: Placed): Content {
  const { parent_comment_id: parentId } = comment;
  if (parentId === null) return null;
  if (parent === undefined)
    return html` <span>in reply to <a href="${site.at(`/comments/${parentId}`)}">an earlier comment</a></span>`;
  return html` <span>in reply to <a href="#comment-${parent.id}">@${parent.author.username}</a></span>`;
}

/** A comment, to whose item its replies may be added. */
async function commentItem(thread: Thread, placed: Placed): Promise<Html> {
  const { web } = thread;
  const { comment, level } = placed;
  const { id, status, content, stance } = comment;
  const depth = Math.min(level, depthMax);
  if (status !== 'visible' || content === null) {
    const said = status === 'visible' ? absentComments.deleted : absentComments[status];
    // Only its author is told.
    const { moderation } = comment;
    return html`<li class="comment absent d${depth}" id="comment-${id}"><p>${said}${moderation && html` It was yours. Reason: ${reasonNamed(moderation.reason_code)}. ${decisionLink(web.site, moderation.action_id)}`}</p>`;
  }
  const quoted = withChangedQuotes(await web.shortText(content), thread.changed.get(id), {
    path: web.site.at(thread.path),
    now: thread.revisionId,
  });
  const safe = prefixIds(quoted, `c${id}`);
  const dir = directionOfText(content);
  return html`<li class="comment d${depth}" id="comment-${id}"><article aria-labelledby="by-${id}">
<h3 class="meta" dir="${dir}" id="by-${id}">${byline(web.site, comment.author)} <a class="anchor" href="#comment-${id}">${when(comment.created_at)}</a>${answerTo(web, placed)}${stance !== null && html` <span class="stance">${stanceWords[stance]}</span>`}</h3>
<div class="prose" dir="${dir}">
${renderedHtml(readable(safe))}</div>
${commentActions(thread, comment)}
</article>`;
}

function ways(site: Site, path: string, { input, next_cursor: next }: CommentsRead): Content {
  const to = (cursor: string | undefined) => site.at(commentsPath(path, { ...input, cursor }));
  return pager({
    next: next === null ? undefined : to(next),
    nextLabel: 'Later comments',
    first: input.cursor === undefined ? undefined : to(undefined),
    firstLabel: 'First comments',
  });
}

/** Returns the comments as threads: each begins with one that has no parent on this page. */
function threadsOf(placed: readonly Placed[]): readonly (readonly Placed[])[] {
  const threads: Placed[][] = [];
  for (const one of placed) {
    const last = threads.at(-1);
    if (one.level === 0 || last === undefined) threads.push([one]);
    else last.push(one);
  }
  return threads;
}

/** A thread: its replies fold away below the first comment. */
async function threadItem(thread: Thread, placed: readonly Placed[]): Promise<Html> {
  const [first, ...replies] = await Promise.all(placed.map((one) => commentItem(thread, one)));
  const id = placed[0]?.comment.id;
  if (replies.length === 0)
    return html`${first}</li>
`;
  return html`${first}<details class="replies" id="replies-${id}" open><summary>${formatCount(replies.length, 'reply', 'replies')}</summary><ol class="thread" role="list">
${replies.map(
  (one) => html`${one}</li>
`,
)}</ol></details></li>
`;
}

function emptyWords({ cursor, stance }: CommentInput): string {
  if (stance !== undefined) return 'No comment takes this stance.';
  return cursor === undefined ? 'No comments yet.' : 'No more comments.';
}

/** The form of a refused reply whose comment is not on the page any more. */
function strayReply(thread: Thread, shown: readonly Comment[]): Content {
  const { refused } = thread.asked;
  const to = repliedTo(thread);
  const isShown = shown.some(({ id, status }) => id === to && status === 'visible');
  if (to === undefined || refused?.name !== 'reply' || isShown) return null;
  return replyForm(thread, to, undefined);
}

/** The comments whose quotations have changed, where everybody can read the article. */
async function changedIn(
  web: PageContext,
  article: Article,
  { items }: CommentsRead,
): Promise<Thread['changed']> {
  return isReadByAll(article) ? web.changedQuotes(article, items, web.shortText) : new Map();
}

export async function commentSection(
  web: PageContext,
  asked: PageRequest,
  article: Article,
  read: CommentsRead,
): Promise<Html> {
  const { comments: count } = article.counts;
  const { site } = web;
  const path = pathOf(site, article);
  const { input, stances } = read;
  const { revision_id: revisionId } = article;
  const changed = await changedIn(web, article, read);
  const thread = { web, asked, path, input, revisionId, changed };
  const chart = { site, path, input };
  const inTime = threadsOf(inConversationOrder(read.items));
  const threads = input.order === 'stance' ? byStance(inTime) : inTime;
  const items = await Promise.all(threads.map((one) => threadItem(thread, one)));
  const list =
    items.length > 0
      ? html`<ol class="thread" role="list">
${items}</ol>`
      : html`<p class="empty">${emptyWords(input)}</p>`;
  const isOrdered =
    (stances?.owners ?? 0) > 0 || input.stance !== undefined || input.order !== undefined;
  return html`<section class="comments" id="comments" aria-labelledby="comments-title">
<h2 id="comments-title">${count === 0 ? 'Comments' : formatCount(count, 'comment')}</h2>
${stances !== null && stanceChart(chart, stances)}${isOrdered && commentOrders(chart)}${list}
${ways(site, path, read)}
${strayReply(thread, read.items)}${commentForm(thread)}
</section>`;
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the id immediately before another one, so that a page after it begins with that one. */
export function before(id: string): string {
  const at = id.search(/[^0]0*$/);
  const digit = digits[digits.indexOf(id[at] ?? '1') - 1] ?? '0';
  return `${id.slice(0, at)}${digit}${'Z'.repeat(id.length - at - 1)}`;
}

/** `/comments/{id}`: redirects to the comment on the page of its article. */
export async function showComment(
  { invoke, site, caller }: PageContext,
  asked: PageRequest,
): Promise<PageAnswer> {
  const { id: typed = '' } = asked.params;
  const id = typed.toUpperCase();
  const { body: comment } = await invoke('readComment', { caller, params: { id } });
  const { article_id } = comment;
  const { body: article } = await invoke('readArticle', {
    caller,
    params: { id: article_id },
  });
  const cursor = isId(id) ? before(id) : undefined;
  const path = withQuery(pathOf(site, article), { cursor });
  return { elsewhere: `${path}#comment-${id}` };
}
