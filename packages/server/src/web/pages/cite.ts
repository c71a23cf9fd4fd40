// `/@{username}/{slug}-{id}/cite`: how to cite an article or one of its revisions, and the same as files.
import { limits } from '@colophon/contract';
import type { AnswerOf, Operations } from '@colophon/contract';
import { problem } from '#http';
import { assetPaths } from '../assets.ts';
import { citationFormats, isCitationFormat } from '../citations.ts';
import type { Cited, CitationFormatName } from '../citations.ts';
import { langOf, pathOf, titleOf } from '../components/components.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Article } from '../page-services.ts';
import type { Representation } from '../respond.ts';
import { withQuery } from '../site.ts';
import { articleAt, isAt } from './article.ts';

type Revision = AnswerOf<Operations['readRevision']>['body'];

/** Published revisions beyond these have the date of their own publication. */
const revisionsMax = limits.page_limit_max;

/**
 * Returns when a revision was published. The first one has the date of the article, which may be earlier than its
 * publication here.
 */
async function publicationOf(
  { invoke }: PageContext,
  article: Article,
  revision: Pick<Revision, 'published_at' | 'created_at'>,
): Promise<string> {
  const own = revision.published_at ?? revision.created_at;
  const { published_at: first } = article;
  if (first === null || first >= own) return own;
  const query = { limit: revisionsMax };
  const { body } = await invoke('listRevisions', {
    caller: null,
    params: { id: article.id },
    query,
  });
  const earliest = body.items.reduce<string>(
    (least, { published_at: at }) => (at !== null && at < least ? at : least),
    own,
  );
  return body.next_cursor === null && earliest === own ? first : own;
}

/** Returns what is cited. @throws not-found: the revision was never published */
async function citedOf(web: PageContext, article: Article, revisionId: string): Promise<Cited> {
  const { invoke, site } = web;
  const params = { id: article.id, revision_id: revisionId };
  const { body: revision } = await invoke('readRevision', { caller: null, params });
  return {
    id: article.id,
    revisionId,
    title: titleOf({ ...revision, excerpt: '' }),
    author: article.author,
    publishedAt: await publicationOf(web, article, revision),
    contentHash: revision.content_hash,
    language: langOf(article.language),
    publisher: site.name,
    url: site.url(`${pathOf(site, article)}/revisions/${revisionId}`),
  };
}

function fileOf(cited: Cited, name: CitationFormatName, listed: boolean): Representation {
  const { write, contentType, extension } = citationFormats[name];
  return {
    contentType: `${contentType}; charset=utf-8`,
    text: write(cited),
    shared: listed,
    noindex: true,
    headers: {
      'content-disposition': `attachment; filename="${cited.id}.${extension}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-trust': 'untrusted',
    },
  };
}

function section(cited: Cited, name: CitationFormatName, path: string): Html {
  const { label, write } = citationFormats[name];
  const file = withQuery(path, { revision: cited.revisionId, format: name });
  return html`<section aria-labelledby="as-${name}">
<h2 id="as-${name}">${label}</h2>
<pre class="citation" data-copy tabindex="0" role="group" aria-labelledby="as-${name}"><code>${write(cited)}</code></pre>
<p class="small"><a href="${file}" download>Download as a file<span class="hidden">: ${label}</span></a></p>
</section>`;
}

export async function showCite(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site } = web;
  const { article } = await articleAt(web, asked.params['place'] ?? '');
  const path = pathOf(site, article);
  if (!isAt(asked, path)) return { elsewhere: `${path}/cite` };
  const revisionId = (queryValue(asked, 'revision') ?? article.revision_id).toUpperCase();
  const [cited, { listed }] = await Promise.all([
    citedOf(web, article, revisionId),
    web.articles.shownState(article.id),
  ]);
  const format = queryValue(asked, 'format');
  if (format !== undefined) {
    if (!isCitationFormat(format))
      throw problem('not-found', 'Citations are text, bibtex, csl or ris.');
    return fileOf(cited, format, listed);
  }
  const own = site.at(`${path}/cite`);
  const names = Object.keys(citationFormats) as readonly CitationFormatName[];
  const main = html`<header class="intro">
<h1>Cite this</h1>
<p><a href="${site.at(path)}"><bdi>${cited.title}</bdi></a></p>
<p class="small">A citation names one revision: its address shows the same text for as long as the article exists, whatever is published later.</p>
</header>
${names.map((name) => section(cited, name, own))}`;
  const page = {
    title: `Cite ${cited.title}`,
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    script: web.scripts.reading,
    sheet: assetPaths.revisions,
  };
  return pageResponse(web, page, listed);
}
