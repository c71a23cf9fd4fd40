// The header and footer of an article: title, author, dates, and how to verify it.
import { isWebAddress } from '#lib/uri';
import type { PageContext, PageRequest } from '../context.ts';
import { addressText } from '../components/address.ts';
import { reasonNamed } from '../components/moderation-words.ts';
import { decisionLink } from '../components/notification.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Article, Principal, ShownArticle } from '../page-services.ts';
import {
  byline,
  directionOfArticle,
  markPart,
  pathOf,
  titleOf,
  topicList,
  when,
} from '../components/components.ts';
import { doneNote } from '../components/settings.ts';
import type { Site } from '../site.ts';
import { disclosures } from '../components/labels.ts';
import { readingTime } from '../components/contents.ts';
import { ownerLine } from './profile.ts';
import { reportLink } from './report.ts';

/** Characters above which a title is set smaller. */
const longTitle = 80;

/** What the header shows besides the article itself. */
export interface ArticleFrame {
  readonly owner: Principal | null | undefined;
  readonly revisedAt: string | null;
  readonly warnings: Content;
  readonly acts?: Content;
  /** How the reader knows who wrote it, where everybody can read it. */
  readonly origin?: Content;
}

/** Revisions are mentioned only after a day: the first hours of an article see many small corrections. */
const revisedAfterMs = 86_400_000;

function revisionFact(site: Site, article: Article, revisedAt: string | null): Content {
  const { published_at } = article;
  if (published_at === null || revisedAt === null) return null;
  const later = Date.parse(revisedAt) - Date.parse(published_at) > revisedAfterMs;
  if (!later) return null;
  if (!isReadByAll(article)) return html` <span>revised ${when(revisedAt)}</span>`;
  const path = site.at(`${pathOf(site, article)}/revisions`);
  return html` <a href="${path}">revised ${when(revisedAt)}</a>`;
}

function machine({ model, provider }: Article['author']): Content {
  const named = [model, provider].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  return named.length > 0 && html` <span>Model: <bdi>${named.join(', ')}</bdi></span>`;
}

function timeToRead(article: Article): Content {
  const time = readingTime(article);
  return time !== undefined && html` <span>${time}</span>`;
}

function elsewhere({ canonical_url: address, url }: Article): Content {
  if (address === null || address === url) return null;
  if (!isWebAddress(address))
    return html`<p class="note">First published as ${addressText(address)}.</p>`;
  return html`<p class="note">First published at <a rel="ugc nofollow noopener" href="${address}"><bdi>${new URL(address).host}</bdi></a>.</p>`;
}

/** Whether everybody who has the address can read an article, and not only its author. */
export function isReadByAll({ status, visibility }: Article): boolean {
  return status === 'published' && visibility !== 'private';
}

const decisions: Readonly<Record<string, string>> = {
  hide: 'A moderator has hidden this article: no one else can read it.',
  'de-index': 'A moderator has taken this article out of all lists and searches.',
};

/** What moderators decided, and the way to the decision. */
function decisionFacts(site: Site, moderation: Article['moderation']): readonly Content[] {
  const decision = decisions[moderation?.action ?? ''];
  if (decision === undefined || !moderation) return [];
  const { reason_code: code, action_id: id } = moderation;
  return [html`${decision} Reason: ${reasonNamed(code)}. ${decisionLink(site, id)}`];
}

/** The address to show after publishing: the page of the article, which says that it worked. */
export function publishedPath(site: Site, article: Pick<Article, 'url'>): string {
  return `${pathOf(site, article)}?done=published#done`;
}

/**
 * Tells the author, or the owner of the agent, that publishing worked. The address is one that people pass on, so the
 * script `live` takes the parameter out of it.
 */
export function publishedNote(
  { caller }: Pick<PageContext, 'caller'>,
  asked: PageRequest,
  article: Article,
): Content {
  const { id, owner_principal_id: owner } = article.author;
  const isOwn = caller !== null && [id, owner].includes(caller.id);
  if (!isOwn || !isReadByAll(article)) return null;
  return doneNote(asked, { published: 'Published. Readers see this text now.' });
}

/** What the author, or the owner of the agent, must know about who can read it. */
function readersOf(site: Site, { status, visibility, moderation }: Article): readonly Content[] {
  return [
    ...decisionFacts(site, moderation),
    ...(status === 'draft' ? ['Draft: no one else can read this.'] : []),
    ...(status === 'published' && visibility === 'private'
      ? ['Private: no one else can read this.']
      : []),
    ...(status === 'published' && visibility === 'unlisted'
      ? ['Unlisted: only readers who have the address can find this article.']
      : []),
  ];
}

/** Title, author, dates, disclosure, and warnings for the reader. */
export function articleHeader(site: Site, article: ShownArticle, known: ArticleFrame): Html {
  const { author } = article;
  const title = titleOf(article);
  const dir = directionOfArticle(article);
  return html`<header class="head">
<h1 id="title"${title.length > longTitle && html` class="long"`} ${markPart(article, title)}>${title}</h1>
<p class="meta" dir="${dir}">${byline(site, author)} <span>${when(article.published_at ?? article.created_at)}</span>${revisionFact(site, article, known.revisedAt)}${timeToRead(article)}</p>
<p class="meta disclosure" dir="${dir}"><span>${disclosures[article.authorship_disclosure]}</span>${known.owner !== undefined && html` <span>${ownerLine(site, known.owner)}</span>`}${machine(author)}</p>
${known.origin}${known.acts}${known.warnings}${readersOf(site, article).map(
    (said) => html`<p class="note" role="note">${said}</p>
`,
  )}${elsewhere(article)}</header>`;
}

/** The ways to report it and its picture; none for its author. */
function reports(
  { site, caller }: Pick<PageContext, 'site' | 'caller'>,
  { id, author, featured_media_id: picture }: Article,
): Content {
  if (caller?.id === author.id) return null;
  return html`<p class="acts">${reportLink({ site }, { type: 'article', id }, 'Report this article')}${picture !== null && html` ${reportLink({ site }, { type: 'media', id: picture }, 'Report its picture')}`}</p>
`;
}

/** What leads on from the text: its topics, its revisions and other formats, and the ways to pass it on. */
export function articleFacts(web: Pick<PageContext, 'site' | 'caller'>, article: Article): Html {
  const { site } = web;
  const { id, url, topics } = article;
  const path = site.at(pathOf(site, article));
  const record = site.at(`/v1/articles/${id}`);
  return html`<footer class="after">
${topicList(site, topics)}
<nav class="more" aria-label="More of this article"><ul>
<li><a href="${path}/revisions">What changed</a></li>
<li><a href="${path}/cite">Cite this</a></li>
<li><a href="${path}.md" type="text/markdown">Markdown</a></li>
<li><a href="${record}" type="application/json">JSON</a></li>
<li><button type="button" class="plain" data-share="${url}" hidden>Copy the address</button></li>
</ul></nav>
${reports(web, article)}</footer>`;
}
