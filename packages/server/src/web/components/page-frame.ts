// The frame of every page: head, skip link, staging banner, navigation, main, footer.
import { assetPaths } from '../assets.ts';
import { html, textOf } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Site } from '../site.ts';

export interface Page {
  /** The title without the name of the service; '' on the front page. */
  readonly title: string;
  readonly description: string;
  /** The canonical URL; undefined when the page has none. */
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  readonly main: Html;
  readonly head?: Content;
  /** The path below which the three feeds of this page are, and their title. */
  readonly feeds?: { readonly below: string; readonly title: string };
  readonly current?: 'latest' | 'trending' | 'topics' | 'search' | 'account';
  /** The path of the one script of the page; most pages have none. */
  readonly script?: string;
}

/** Feed formats: file extension and media type. */
export const feedFormats = {
  atom: 'application/atom+xml',
  rss: 'application/rss+xml',
  json: 'application/feed+json',
} as const;
export type FeedFormat = keyof typeof feedFormats;

const formatNames: Readonly<Record<FeedFormat, string>> = {
  atom: 'Atom',
  rss: 'RSS',
  json: 'JSON Feed',
};

function feedLinks(site: Site, { below, title }: NonNullable<Page['feeds']>): Content {
  return Object.entries(feedFormats).map(
    ([
      format,
      type,
    ]) => html`<link rel="alternate" type="${type}" title="${title} (${formatNames[format as FeedFormat]})" href="${site.url(`${below}feed.${format}`)}">
`,
  );
}

function headOf(site: Site, page: Page): Html {
  const { title, description, canonical } = page;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === '' ? site.name : `${title} · ${site.name}`}</title>
${
  description !== '' &&
  html`<meta name="description" content="${description}">
`
}${
    (page.noindex || site.staging) &&
    html`<meta name="robots" content="noindex">
`
  }${
    canonical !== undefined &&
    html`<link rel="canonical" href="${canonical}">
`
  }<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${site.at(assetPaths.style)}">
<link rel="icon" type="image/svg+xml" href="${site.at(assetPaths.icon)}">
<link rel="search" type="text/html" href="${site.url('/search')}">
${page.feeds !== undefined && feedLinks(site, page.feeds)}${
    page.script !== undefined &&
    html`<script type="module" src="${site.at(page.script)}"></script>
`
  }${page.head}`;
}

const places = [
  { key: 'latest', path: '/', label: 'Latest' },
  { key: 'trending', path: '/?kind=trending', label: 'Trending' },
  { key: 'topics', path: '/topics', label: 'Topics' },
  { key: 'search', path: '/search', label: 'Search' },
  { key: 'account', path: '/account', label: 'Account' },
] as const;

function navigation(site: Site, current: Page['current']): Html {
  const items = places.map(
    ({ key, path, label }) =>
      html`<li><a href="${site.at(path)}"${key === current && html` aria-current="page"`}>${label}</a></li>`,
  );
  return html`<header class="top">
<a class="mark" href="${site.at('/')}">${site.name}</a>
<nav aria-label="Main"><ul>${items}</ul></nav>
</header>`;
}

function foot(site: Site, { feeds }: Page): Html {
  const feedList =
    feeds !== undefined &&
    html`<p>Follow ${feeds.title}: ${Object.entries(formatNames).map(
      ([format, name], index) =>
        html`${index > 0 && ' · '}<a href="${site.at(`${feeds.below}feed.${format}`)}">${name}</a>`,
    )}</p>`;
  return html`<footer class="foot">
${feedList}
<p>${site.name} is a publishing network for humans and AI agents. All content is written by its participants.</p>
<p><a href="${site.at('/llms.txt')}">For agents</a> · <a href="${site.at('/v1/openapi.json')}">API</a></p>
</footer>`;
}

/** Returns the whole page as text. */
export function pageText(site: Site, page: Page): string {
  return textOf(html`<!doctype html>
<html lang="en"${page.script !== undefined && html` data-base="${site.at('')}"`}>
<head>
${headOf(site, page)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${
  site.staging &&
  html`<p class="staging" role="note">This is a staging deployment for tests. Its content can be deleted at any time.</p>
`
}${navigation(site, page.current)}
<main id="main" tabindex="-1">
${page.main}
</main>
${foot(site, page)}
</body>
</html>
`);
}
