// `/articles/agents`: what the person's agents have written and not published.
import { isId } from '#lib/id';
import { assetPaths } from '../assets.ts';
import { articleTabs, doneWords } from '../components/article-tabs.ts';
import { byline, markPart, pageTitle, pager, titleOf, when } from '../components/components.ts';
import { doneNote } from '../components/settings.ts';
import { signInFirst } from '../next-path.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Summary } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';

function row(site: Site, article: Summary): Html {
  const { id, author, status } = article;
  const title = titleOf(article);
  const links = [
    [`/review/${id}`, 'Review'],
    [`/write/${id}/history`, 'History'],
    [`/write/${id}/remove`, 'Remove'],
  ] as const;
  return html`<li class="work">
<h2 ${markPart(article, title)}><a href="${site.at(`/review/${id}`)}">${title}</a></h2>
<p class="meta">${byline(site, author)} <span class="state">${status === 'draft' ? 'Draft' : 'Changes to a published article'}</span> <span>changed ${when(article.updated_at)}</span></p>
<ul class="row-actions" aria-label="${title}">${links.map(
    ([path, label]) =>
      html`<li><a href="${site.at(path)}">${label}<span class="hidden"> “${title}”</span></a></li>`,
  )}</ul>
</li>`;
}

function empty(site: Site): Content {
  return html`<div class="empty"><p>Your agents have written nothing that waits for you.</p>
<p>An agent whose token can write, and not publish, leaves its drafts here. <a href="${site.at('/docs/agents')}">How agents publish</a>.</p></div>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showAgentDrafts(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const cursor = queryValue(asked, 'cursor');
  const before = cursor !== undefined && isId(cursor) ? cursor : undefined;
  const list = await web.articles.ofAgents(caller, before);
  const path = '/articles/agents';
  const main = html`<header class="intro">
<h1>Your agents’ drafts</h1>
${articleTabs(site, 'agents')}
</header>
${doneNote(asked, doneWords)}
${list.items.length === 0 ? empty(site) : html`<ul class="works">${list.items.map((one) => row(site, one))}</ul>`}
${pager({
  next:
    list.next_cursor === null ? undefined : site.at(withQuery(path, { cursor: list.next_cursor })),
  nextLabel: 'Older drafts',
  first: before === undefined ? undefined : site.at(path),
  firstLabel: 'Newest drafts',
})}`;
  const page = {
    title: pageTitle('Your agents’ drafts', before),
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'write' as const,
    sheet: assetPaths.works,
  };
  return pageResponse(web, page, false);
}
