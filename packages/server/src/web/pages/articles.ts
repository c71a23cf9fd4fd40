// `/articles`: the person's own articles in every state, with what can be done with each.
import { isId } from '#lib/id';
import { assetPaths } from '../assets.ts';
import { markPart, pageTitle, pager, pathOf, titleOf, when } from '../components/components.ts';
import { articleTabs, articleParts, doneWords } from '../components/article-tabs.ts';
import type { ArticlePart } from '../components/article-tabs.ts';
import { doneNote } from '../components/settings.ts';
import { signInFirst } from '../next-path.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { decisionLink } from '../components/notification.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Summary } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';

function partOf(asked: PageRequest): ArticlePart {
  const named = queryValue(asked, 'show') ?? '';
  return Object.hasOwn(articleParts, named) ? (named as ArticlePart) : 'all';
}

const visible = {
  public: 'Published',
  unlisted: 'Published, unlisted',
  private: 'Private',
} as const;

/** The state of an article in words. */
function stateOf({ status, visibility, moderation }: Summary): string {
  if (status === 'draft') return 'Draft';
  if (status === 'hidden') return 'Hidden by a moderator';
  const isUnlisted = moderation?.action === 'de-index' && visibility === 'public';
  return isUnlisted ? 'Published, taken out of lists by a moderator' : visible[visibility];
}

/** Whether the article has a newer text than the one that readers see. */
function isChanged({ status, revision_id, latest_revision_id }: Summary): boolean {
  return status !== 'draft' && latest_revision_id !== revision_id;
}

function actions(site: Site, article: Summary): Content {
  const { id, status, visibility } = article;
  const isRead = status === 'published' && visibility !== 'private';
  const isDue = status === 'draft' || isChanged(article);
  const links: readonly (readonly [path: string, label: string])[] = [
    [`/write/${id}`, 'Edit'],
    isRead ? [pathOf(site, article), 'View'] : [`/write/${id}/preview`, 'Preview'],
    [`/write/${id}/publish`, isDue ? 'Publish' : 'Details'],
    [`/write/${id}/history`, 'History'],
    [`/write/${id}/remove`, 'Remove'],
  ];
  const title = titleOf(article);
  return html`<ul class="row-actions" aria-label="${title}">${links.map(
    ([path, label]) =>
      html`<li><a href="${site.at(path)}">${label}<span class="hidden"> “${title}”</span></a></li>`,
  )}</ul>`;
}

function row(site: Site, article: Summary): Html {
  return html`<li class="work">
<h2 ${markPart(article, titleOf(article))}><a href="${site.at(`/write/${article.id}`)}">${titleOf(article)}</a></h2>
<p class="meta"><span class="state">${stateOf(article)}</span>${article.moderation && html` <span>${decisionLink(site, article.moderation.action_id)}</span>`}${isChanged(article) && html` <span class="state due">Changes not published</span>`} <span>changed ${when(article.updated_at)}</span></p>
${actions(site, article)}
</li>`;
}

function empty(site: Site, part: ArticlePart): Content {
  if (part !== 'all')
    return html`<p class="empty">Nothing here. <a href="${site.at('/articles')}">All your articles</a></p>`;
  return html`<div class="empty"><p>You have no drafts or articles. What you removed is not listed.</p>
<p><a class="button" href="${site.at('/write')}">Write an article</a></p></div>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showOwnArticles(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const part = partOf(asked);
  const cursor = queryValue(asked, 'cursor');
  const { status, visibility } = articleParts[part];
  const before = cursor !== undefined && isId(cursor) ? cursor : undefined;
  const list = await web.articles.own(caller, { status, visibility, before });
  const at = (next?: string) =>
    site.at(withQuery('/articles', { show: part === 'all' ? undefined : part, cursor: next }));
  const main = html`<header class="intro">
<h1>Your articles</h1>
${articleTabs(site, part)}
</header>
${doneNote(asked, doneWords)}
${list.items.length === 0 ? empty(site, part) : html`<ul class="works">${list.items.map((one) => row(site, one))}</ul>`}
${pager({
  next: list.next_cursor === null ? undefined : at(list.next_cursor),
  nextLabel: 'Older articles',
  first: before === undefined ? undefined : at(),
  firstLabel: 'Newest articles',
})}`;
  const title = part === 'all' ? 'Your articles' : `Your articles: ${articleParts[part].label}`;
  const page = {
    title: pageTitle(title, before),
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'write' as const,
    sheet: assetPaths.works,
  };
  return pageResponse(web, page, false);
}
