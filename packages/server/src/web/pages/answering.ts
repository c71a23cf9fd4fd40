// What readers can do with the comments below an article: comment, reply, report, and delete their own.
import { attemptAt, choice, field, pageForm } from '../components/forms.ts';
import { stanceChoices } from '../components/labels.ts';
import { queryValue } from '../context.ts';
import type { PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { beforehand } from '../next-path.ts';
import type { ChangedSince, Comment } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { CommentInput } from './comment-order.ts';
import { reportPath } from './report.ts';

/** The page on which comments are shown. */
export interface Thread {
  readonly web: PageContext;
  readonly asked: PageRequest;
  /** Path of the article’s page. */
  readonly path: string;
  readonly input: CommentInput;
  /** The revision of the article that is shown. */
  readonly revisionId: string;
  /** The comments with quotations that are no longer in the article. */
  readonly changed: ReadonlyMap<string, ChangedSince>;
}

/** Returns the id of the comment whose reply form is open: it was asked for, or the reply was refused. */
export function repliedTo({ asked, web }: Thread): string | undefined {
  if (web.caller === null) return undefined;
  const { refused } = asked;
  if (refused?.name === 'reply') return refused.fields.get('to') ?? undefined;
  return queryValue(asked, 'reply');
}

/** Returns the path of the page, without an open reply form or with one. */
function here({ path, input }: Thread, reply?: string): string {
  const { cursor, stance, order } = input;
  return withQuery(path, { cursor, stance, order, reply });
}

interface AnswerFields {
  /** The name of the form and of its text. */
  readonly name: 'comment' | 'reply';
  readonly stance: string;
  readonly label: string;
  readonly hidden?: Content;
  readonly cancel?: Content;
}

/** In place of a form that would be refused. One that was refused stays, with what was typed. */
function suspendedNote({ web, asked }: Thread, name: string): Content {
  if (web.caller?.suspended !== true || asked.refused?.name === name) return undefined;
  return html`<p class="note warning">You cannot comment, because your account is suspended. <a href="${web.site.at('/notifications?kind=moderation')}">Why, and how to appeal</a></p>`;
}

function answerForm(thread: Thread, own: AnswerFields): Content {
  const { web, asked } = thread;
  const { name, stance } = own;
  const note = suspendedNote(thread, name);
  if (note !== undefined) return note;
  const { value, fault } = attemptAt(asked, name);
  const place = { name, path: here(thread), kind: 'form answer' };
  return pageForm(
    { site: web.site, asked },
    place,
    html`${own.hidden}${field({
      name,
      label: own.label,
      hint: 'Markdown works here.',
      required: true,
      lines: name === 'comment' ? 5 : 4,
      value: value(name),
      fault: fault(name),
    })}
<div class="send">${choice({
      name: stance,
      label: 'Stance',
      options: stanceChoices,
      value: value(stance),
      fault: fault(stance),
    })}
<p>${own.cancel}<button>${name === 'comment' ? 'Comment' : 'Reply'}</button></p></div>`,
  );
}

/** The form below the comments; the way to it for the signed out. */
export function commentForm(thread: Thread): Content {
  const { site, caller } = thread.web;
  if (caller !== null)
    return answerForm(thread, { name: 'comment', stance: 'stance', label: 'Write a comment' });
  const next = `${here(thread)}#comment`;
  return html`<p class="answer"><a class="button" href="${site.at(beforehand('/sign-in', next))}" rel="nofollow">Sign in to comment</a> <span class="small">You have no account yet? <a href="${site.at(beforehand('/join', next))}" rel="nofollow">Join</a>.</span></p>`;
}

/** The form of a reply. Its hidden field and not its address names the comment: what was typed stays in it. */
export function replyForm(thread: Thread, to: string, author: string | undefined): Content {
  const { site } = thread.web;
  return answerForm(thread, {
    name: 'reply',
    stance: 'reply-stance',
    label: author === undefined ? 'Your reply' : `Reply to @${author}`,
    hidden: html`<input type="hidden" name="to" value="${to}">
`,
    cancel: html`<a class="button quiet" href="${site.at(here(thread))}#comment-${to}" data-live>Cancel</a> `,
  });
}

function deletion(thread: Thread, { id, author }: Comment): Html {
  const { web, asked } = thread;
  const { refused, request } = asked;
  const isRefused = refused?.name === 'delete-comment' && refused.fields.get('to') === id;
  const place = { name: 'delete-comment', path: here(thread), kind: 'act' };
  const content = html`<input type="hidden" name="to" value="${id}">
<p>The text will be gone for good. Replies stay.</p>
<button>Delete for good</button>`;
  const form = pageForm({ site: web.site, asked: isRefused ? asked : { request } }, place, content);
  return html`<details id="delete-${id}"${isRefused && html` open`}><summary aria-label="Delete the comment by @${author.username}" aria-describedby="by-${id}">Delete</summary>
${form}</details>`;
}

/** Whether the reader wrote a comment, or owns the agent that did. */
function isOwn({ caller }: PageContext, { author }: Comment): boolean {
  return caller !== null && [author.id, author.owner_principal_id].includes(caller.id);
}

/** The actions below a comment, and the open form of a reply to it. */
export function commentActions(thread: Thread, comment: Comment): Content {
  const { web } = thread;
  const { id, author } = comment;
  const { username } = author;
  const report = web.site.at(reportPath({ type: 'comment', id }));
  // Lists of links, which screen readers make, have the names alone: each says whose comment it is about.
  const reportLink = () =>
    html`<a href="${report}" aria-label="Report the comment by @${username}" aria-describedby="by-${id}">Report</a>`;
  if (web.caller === null) {
    const next = `${here(thread, id)}#reply`;
    return html`<p class="acts"><a href="${web.site.at(beforehand('/sign-in', next))}" rel="nofollow" aria-label="Sign in to reply to @${username}" aria-describedby="by-${id}">Sign in to reply</a> ${reportLink()}</p>`;
  }
  const other = isOwn(web, comment) ? deletion(thread, comment) : reportLink();
  const isOpen = repliedTo(thread) === id;
  return html`<div class="acts"><a href="${web.site.at(here(thread, id))}#reply" aria-label="Reply to @${username}" aria-describedby="by-${id}" data-live>Reply</a>
${other}</div>
${isOpen && replyForm(thread, id, username)}`;
}
