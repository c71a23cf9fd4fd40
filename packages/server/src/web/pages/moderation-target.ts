// What a report or an appeal is about: its state, its surroundings, and its text as source.
import { isProblem } from '#http';
import { objectPath, sourceLine, sourceText, targetState, thing } from '../components/desk.ts';
import type { PageContext } from '../context.ts';
import type { Desk, Revised } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { AppealDetail, ReportDetail } from '../moderation-records.ts';
import type { Comment } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';

/** What surrounds a comment: the article, and the comment that it answers. */
interface Context {
  readonly article: { readonly title: string; readonly url: string } | undefined;
  readonly parent: Pick<Comment, 'content'> | undefined;
}

/** Returns undefined for what is gone or not visible: the decision does not depend on it. */
export async function ifThere<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isProblem(error)) return undefined;
    throw error;
  }
}

/** What readers saw when the report was made, or when the moderator acted. */
interface Before {
  /** As in “after this report”. */
  readonly event: string;
  readonly revisionId: string | null;
  readonly title: string | null;
  readonly content: string | null;
}

type Target = ReportDetail['target'] | AppealDetail['target'];

interface Decided extends Pick<ReportDetail, 'target_type' | 'target_id'> {
  readonly target: Target;
}

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

/** A link to a page with texts of participants. */
function outside(url: string, label: string): Html {
  return html`<a href="${url}" rel="nofollow noopener" target="_blank">${label}</a>`;
}

function surroundings(context: Context, { target_type: type, target }: Decided): Content {
  const { article, parent } = context;
  const title = type === 'comment' && article !== undefined && sourceLine(article.title);
  const hasRevisions = type === 'article' && target.visible;
  return html`${article !== undefined && html`<p>${title !== false && html`On the article: ${title} `}${outside(article.url, 'Open the page')}${hasRevisions && html` · ${outside(`${article.url}/revisions`, 'All revisions')}`}</p>`}
${parent !== undefined && sourceText(parent.content ?? 'It was deleted.', { label: 'The comment that it answers' })}`;
}

/** A file is opened by a link, and never shown on the page. */
function fileNote(site: Site, { target_id: id, target }: Decided): Html {
  if (target.content_url === null) return html`<p class="note">Its content was deleted.</p>`;
  return html`<p class="note">A file is not shown here. <a href="${site.at(`/-/desk/v1/media/${id}/content`)}" target="_blank" rel="noopener noreferrer">Open it in a new tab</a>: a stranger uploaded it.</p>`;
}

/** How much of a long text is shown, and where the rest is. */
interface Whole {
  readonly site: Site;
  readonly isWhole: boolean;
  readonly path: string;
}

/** The path of the comparison of two revisions of an article, as moderators may read it. */
export function comparisonPath(id: string, { from, to }: Revised): string {
  return withQuery(objectPath('article', id), { from, to });
}

/** Says that the author has changed the article since, and shows the text as it was. */
function earlierText(
  { target_id: id, target }: Decided,
  { article }: Context,
  before: Before,
  { site, isWhole, path }: Whole,
): Content {
  const { event, revisionId, title, content } = before;
  const { published_revision_id: published } = target;
  if (!target.changed_since || published === null) return null;
  if (revisionId === null)
    return html`<p class="note warning">Nothing was published yet. The author published the article after ${event}.</p>`;
  const changes = site.at(comparisonPath(id, { from: revisionId, to: published }));
  // A removed article cannot be compared: both texts are shown below.
  const isRead = article !== undefined;
  return html`<p class="note warning">The author published another revision after ${event}.${isRead && html` <a href="${changes}#changes">What has changed since</a>`}${isRead && target.visible && html` · ${outside(`${article.url}/revisions/${revisionId}`, 'Open the earlier revision')}`}</p>
${title !== null && title !== '' && html`<p class="title">${sourceLine(title)}</p>`}
${content === null ? html`<p class="note">The earlier text was erased.</p>` : sourceText(content, { label: 'The article as readers saw it then', isWhole, rest: path })}`;
}

/** What is decided on: state, surroundings, the text as it was, and the whole text now, as their source. */
export function targetSection(own: Decided, context: Context, before: Before, whole: Whole): Html {
  const { target_type: type, target } = own;
  const { content, excerpt } = target;
  const label = `The ${thing(type).toLowerCase()} as it stands`;
  return html`<section class="target" aria-labelledby="target">
<h2 id="target">${thing(type)}</h2>
<p>${targetState(target)}</p>
${surroundings(context, own)}
${earlierText(own, context, before, whole)}
${excerpt !== null && excerpt !== '' && html`<p class="title">${sourceLine(excerpt)}</p>`}
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
