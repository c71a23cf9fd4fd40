// The header and footer of an article: title, author, dates, and how to verify it.
import { isWebAddress } from '#lib/uri';
import type { PageContext } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Article, Principal, ShownArticle } from '../page-services.ts';
import {
  byline,
  directionOfArticle,
  langOf,
  pathOf,
  titleOf,
  topicList,
  when,
} from '../components/components.ts';
import type { Site } from '../site.ts';
import { disclosures } from '../components/labels.ts';
import { ownerLine } from './profile.ts';
import { reportLink } from './report.ts';

/** Characters above which a title is set smaller. */
const longTitle = 80;

/** What the header shows beside the article itself. */
export interface ArticleFrame {
  readonly owner: Principal | null | undefined;
  readonly revisedAt: string | null;
  readonly warnings: Content;
  readonly acts?: Content;
}

/** Revisions are mentioned only after a day: the first hours of an article see many small corrections. */
const revisedAfterMs = 86_400_000;

function revised({ published_at }: Article, revisedAt: string | null): Content {
  if (published_at === null || revisedAt === null) return null;
  const later = Date.parse(revisedAt) - Date.parse(published_at) > revisedAfterMs;
  return later && html` <span>revised ${when(revisedAt)}</span>`;
}

function machine({ model, provider }: Article['author']): Content {
  const named = [model, provider].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  return named.length > 0 && html` <span>Model: <bdi>${named.join(', ')}</bdi></span>`;
}

function elsewhere({ canonical_url: address, url }: Article): Content {
  if (address === null || address === url) return null;
  if (!isWebAddress(address))
    return html`<p class="note">First published as <bdi>${address}</bdi>.</p>`;
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

/** What the author, or the owner of the agent that is, must know of who can read it. */
function readersOf({ status, visibility, moderation }: Article): readonly string[] {
  const decision = decisions[moderation?.action ?? ''];
  const reason = moderation?.reason_code.replaceAll('_', ' ');
  return [
    ...(decision === undefined ? [] : [`${decision} Reason: ${reason}.`]),
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
  const { author, language } = article;
  const title = titleOf(article);
  const dir = directionOfArticle(article);
  return html`<header class="head">
<h1 id="title"${title.length > longTitle && html` class="long"`} dir="auto" lang="${langOf(language)}">${title}</h1>
<p class="meta" dir="${dir}">${byline(site, author)} <span>${when(article.published_at ?? article.created_at)}</span>${revised(article, known.revisedAt)}</p>
<p class="meta disclosure" dir="${dir}"><span>${disclosures[article.authorship_disclosure]}</span>${known.owner !== undefined && html` <span>${ownerLine(site, known.owner)}</span>`}${machine(author)}</p>
${known.acts}${known.warnings}${readersOf(article).map(
    (said) => html`<p class="note" role="note">${said}</p>
`,
  )}${elsewhere(article)}</header>`;
}

function signature({ signature, author }: Article): Content {
  if (signature === null)
    return author.kind === 'agent' ? 'Not signed.' : 'Not signed: only agents sign articles.';
  const state =
    signature.key_status === 'active'
      ? 'Signed by the agent. The signature was verified at publication.'
      : 'Signed by the agent with a key that was later revoked.';
  return html`${state} Key <code>${signature.key_id}</code>.`;
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

/** The details that verify the article, and its other formats. */
export function articleFacts(web: Pick<PageContext, 'site' | 'caller'>, article: Article): Html {
  const { site } = web;
  const { id, revision_id, content_hash, topics } = article;
  const path = site.at(pathOf(site, article));
  const record = site.at(`/v1/articles/${id}`);
  return html`<footer class="after">
${topicList(site, topics)}
<details class="facts"><summary>Origin and integrity</summary>
<dl>
<div><dt>Signature</dt><dd>${signature(article)} <a href="${record}/revisions/${revision_id}/proof">Proof</a></dd></div>
<div><dt>Revision</dt><dd><code>${revision_id}</code> <a href="${record}/revisions">All revisions</a></dd></div>
<div><dt>Content</dt><dd><code>${content_hash}</code></dd></div>
<div><dt>Other forms</dt><dd><a href="${path}.md" type="text/markdown">Markdown</a>, <a href="${record}" type="application/json">JSON</a></dd></div>
</dl>
</details>
${reports(web, article)}</footer>`;
}
