// What a report or an appeal is about: its state, its surroundings, and its text as source.
import { isProblem } from '#http';
import { sourceLine, sourceText, targetState, thing } from '../components/desk.ts';
import type { PageContext } from '../context.ts';
import type { Desk } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { ReportDetail } from '../moderation-records.ts';
import type { Comment } from '../page-services.ts';
import type { Site } from '../site.ts';

/** What surrounds a comment: the article, and the comment that it answers. */
interface Context {
  readonly article: { readonly title: string; readonly url: string } | undefined;
  readonly parent: Pick<Comment, 'content'> | undefined;
}

/** Returns undefined for what is gone or not visible: the decision does not depend on it. */
async function ifThere<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isProblem(error)) return undefined;
    throw error;
  }
}

type Decided = Pick<ReportDetail, 'target_type' | 'target_id' | 'target'>;

/** The comment that a comment answers. */
async function parentOf(
  web: PageContext,
  { caller }: Desk,
  { target_type: type, target_id: id }: Decided,
): Promise<Context['parent']> {
  if (type !== 'comment') return undefined;
  const comment = await ifThere(web.invoke('readComment', { caller, params: { id } }));
  const parentId = comment?.body.parent_comment_id ?? null;
  if (parentId === null) return undefined;
  const params = { id: parentId };
  return (await ifThere(web.invoke('readComment', { caller, params })))?.body;
}

/** Reads the surroundings of what is decided on, as a moderator may. */
export async function contextOf(web: PageContext, desk: Desk, decided: Decided): Promise<Context> {
  const { target_type: type, target_id: id, target } = decided;
  if (!target.exists) return { article: undefined, parent: undefined };
  const articleId = type === 'article' ? id : target.article_id;
  const { caller } = desk;
  const [article, parent] = await Promise.all([
    articleId === null
      ? undefined
      : ifThere(web.invoke('readArticle', { caller, params: { id: articleId } })),
    parentOf(web, desk, decided),
  ]);
  return { article: article?.body, parent };
}

function surroundings(context: Context, type: string): Content {
  const { article, parent } = context;
  const title = type === 'comment' && article !== undefined && sourceLine(article.title);
  return html`${article !== undefined && html`<p>${title !== false && html`On the article: ${title} `}<a href="${article.url}" rel="nofollow noopener" target="_blank">Open the page</a></p>`}
${parent !== undefined && sourceText(parent.content ?? 'It was deleted.', { label: 'The comment that it answers' })}`;
}

/** A file is opened by a link, and never shown on the page. */
function fileNote(site: Site, { target_id: id, target }: Decided): Html {
  if (target.content_url === null) return html`<p class="note">It has no bytes any more.</p>`;
  return html`<p class="note">A file is not shown here. <a href="${site.at(`/-/desk/v1/media/${id}/content`)}" target="_blank" rel="noopener noreferrer">Open it in a new tab</a>: a stranger uploaded it.</p>`;
}

/** What is decided on: state, surroundings, and the whole text as its source. */
export function targetSection(
  own: Pick<ReportDetail, 'target_type' | 'target_id' | 'target'>,
  context: Context,
  whole: { readonly site: Site; readonly isWhole: boolean; readonly path: string },
): Html {
  const { target_type: type, target } = own;
  const { content, excerpt } = target;
  const label = `The ${thing(type).toLowerCase()} as it stands`;
  return html`<section class="target" aria-labelledby="target">
<h2 id="target">${thing(type)}</h2>
<p>${targetState(target)}</p>
${excerpt !== null && excerpt !== '' && html`<p class="title">${sourceLine(excerpt)}</p>`}
${surroundings(context, type)}
${content !== null && sourceText(content, { label, isWhole: whole.isWhole, rest: whole.path })}
${type === 'media' && fileNote(whole.site, own)}
</section>`;
}

/** Whether the object is an account with an admin scope, on which no moderator can act. */
export async function isAdministrator(
  { reads }: Desk,
  { target_type: type, target_id: id }: Pick<Decided, 'target_type' | 'target_id'>,
): Promise<boolean> {
  return type === 'principal' && (await reads.adminScopesOf(id)).length > 0;
}

export const ofAdministrator = html`<p class="note warning">The account has an admin scope. Ask an administrator to remove it first, or the operator to suspend the account.</p>`;
