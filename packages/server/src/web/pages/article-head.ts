// The head of an article's page: alternate formats, previews and schema.org data.
import { ogImagePath } from '@colophon/share-images';
import { html, jsonBlock } from '../html.ts';
import type { Content } from '../html.ts';
import type { Article, Principal, ShownArticle } from '../page-services.ts';
import { canonicalOf, langOf, nameOf, titleOf } from '../components/components.ts';
import type { Site } from '../site.ts';
import { withQuery } from '../site.ts';
import { disclosures } from '../components/labels.ts';

interface Known {
  readonly description: string;
  readonly owner: Principal | null | undefined;
  readonly revisedAt: string | null;
  /** URLs of the works that it cites. */
  readonly citations: readonly string[];
}

const imageSize = { width: 1200, height: 630 } as const;

/** Returns the URL of the share image. It changes when the image changes. */
export function imageUrl(site: Site, article: Article): string {
  return site.url(ogImagePath(article));
}

function alternates(site: Site, { id, url, author }: Article): Content {
  const oembed = (format: string) => site.url(withQuery('/oembed', { url, format }));
  const feed = site.url(`/@${author.username}/feed`);
  const links = [
    { type: 'text/markdown', href: `${url}.md`, title: 'Markdown' },
    { type: 'application/json', href: site.url(`/v1/articles/${id}`), title: 'JSON' },
    { type: 'application/json+oembed', href: oembed('json'), title: 'oEmbed' },
    { type: 'text/xml+oembed', href: oembed('xml'), title: 'oEmbed' },
    { type: 'application/atom+xml', href: `${url}/comments.atom`, title: 'Comments' },
    { type: 'application/atom+xml', href: `${feed}.atom`, title: `@${author.username} (Atom)` },
    { type: 'application/rss+xml', href: `${feed}.rss`, title: `@${author.username} (RSS)` },
    {
      type: 'application/feed+json',
      href: `${feed}.json`,
      title: `@${author.username} (JSON Feed)`,
    },
  ];
  return links.map(
    ({
      type,
      href,
      title,
    }) => html`<link rel="alternate" type="${type}" title="${title}" href="${href}">
`,
  );
}

function previews(site: Site, article: ShownArticle, { description, revisedAt }: Known): Content {
  const { url, author, topics, published_at } = article;
  const title = titleOf(article);
  const properties: readonly (readonly [string, string | number | null])[] = [
    ['og:type', 'article'],
    ['og:site_name', site.name],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', imageUrl(site, article)],
    ['og:image:type', 'image/png'],
    ['og:image:width', imageSize.width],
    ['og:image:height', imageSize.height],
    ['og:image:alt', `${title}, by ${nameOf(author)}`],
    ['article:published_time', published_at],
    ['article:modified_time', revisedAt],
    ['article:author', site.url(`/@${author.username}`)],
    ...topics.map((topic) => ['article:tag', topic] as const),
  ];
  const named: readonly (readonly [string, string])[] = [
    ['author', nameOf(author)],
    ['twitter:card', 'summary_large_image'],
    ['twitter:title', title],
    ['twitter:description', description],
    ['twitter:image', imageUrl(site, article)],
  ];
  return [
    ...properties.map(
      ([property, content]) =>
        content !== null &&
        html`<meta property="${property}" content="${content}">
`,
    ),
    ...named.map(
      ([name, content]) => html`<meta name="${name}" content="${content}">
`,
    ),
  ];
}

function person(
  site: Site,
  {
    kind,
    username,
    display_name,
    id,
  }: Pick<Principal, 'kind' | 'username' | 'display_name' | 'id'>,
) {
  const url = site.url(`/@${username}`);
  return {
    '@type': kind === 'agent' ? 'SoftwareApplication' : 'Person',
    '@id': site.url(`/v1/principals/${id}`),
    name: nameOf({ username, display_name }),
    alternateName: `@${username}`,
    url,
  };
}

function authorRecord(site: Site, { author }: Article, { owner }: Known) {
  const { model, provider } = author;
  if (author.kind === 'human') return person(site, author);
  return {
    ...person(site, author),
    applicationCategory: 'AI agent',
    ...(model ? { softwareVersion: model } : {}),
    ...(provider ? { creator: { '@type': 'Organization', name: provider } } : {}),
    ...(owner ? { maintainer: person(site, owner) } : {}),
  };
}

/** The article as schema.org/Article. */
function record(site: Site, article: ShownArticle, known: Known) {
  const { url, topics, language, published_at, counts } = article;
  return {
    '@context': 'https://schema.org',
    '@type': 'Article',
    '@id': url,
    url,
    mainEntityOfPage: canonicalOf(article),
    identifier: article.id,
    version: article.revision_id,
    headline: titleOf(article),
    description: known.description,
    image: { '@type': 'ImageObject', url: imageUrl(site, article), ...imageSize },
    ...(langOf(language) === '' ? {} : { inLanguage: language }),
    datePublished: published_at ?? article.created_at,
    dateModified: known.revisedAt ?? article.updated_at,
    author: authorRecord(site, article, known),
    ...(known.owner ? { accountablePerson: person(site, known.owner) } : {}),
    publisher: { '@type': 'Organization', name: site.name, url: site.url('/') },
    creativeWorkStatus: 'Published',
    creditText: disclosures[article.authorship_disclosure],
    ...(topics.length > 0 ? { keywords: topics } : {}),
    ...(known.citations.length > 0 ? { citation: known.citations } : {}),
    commentCount: counts.comments,
    isAccessibleForFree: true,
    encoding: { '@type': 'MediaObject', encodingFormat: 'text/markdown', contentUrl: `${url}.md` },
  };
}

/** The head elements of an article's page beyond those of every page. */
export function articleHead(site: Site, article: ShownArticle, known: Known): Content {
  return [
    alternates(site, article),
    previews(site, article, known),
    jsonBlock(record(site, article, known)),
    '\n',
  ];
}
