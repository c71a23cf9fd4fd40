// The frame of every page: head, skip link, staging banner, navigation, main, footer.
import type { Caller } from '#http';
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
  /** How other sites show a link to it; without this, as a page with its title. `own`: its head has the tags. */
  readonly preview?: 'own' | { readonly type: string; readonly title: string };
  /** The path below which the three feeds of this page are, and their title. */
  readonly feeds?: { readonly below: string; readonly title: string };
  readonly current?: Place['key'];
  /** The paths of the scripts of the page; most pages have none. */
  readonly script?: string | readonly string[];
  /** The path of the style sheet that only this page has. */
  readonly sheet?: string;
  /** It has forms that anybody can send: they are sent without a reload where scripts run. */
  readonly hasForms?: true;
}

/** Who reads a page, and the path of the script that only pages for the signed-in and forms have. */
export interface Reader {
  readonly caller: Pick<Caller, 'id' | 'username' | 'scopes' | 'beside' | 'suspended'> | null;
  readonly live: string;
}

/** A page for a reader; a problem may be shown before it is known who reads it. */
interface FramedPage extends Page {
  readonly reader?: Reader;
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

/** Returns the scripts of a page. Without forms and long texts it has none for readers who are signed out. */
function scriptsOf({ script, hasForms, reader }: FramedPage): readonly string[] {
  const isLive = reader !== undefined && (reader.caller !== null || hasForms === true);
  return [...(isLive ? [reader.live] : []), ...(script === undefined ? [] : [script].flat())];
}

/** `--paper` of base.css: the bar of a phone’s browser continues the page. */
const papers = { light: '#fbf9f5', dark: '#171512' } as const;

function themeColours(): Content {
  return Object.entries(papers).map(
    ([
      scheme,
      colour,
    ]) => html`<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">
`,
  );
}

/** The tags from which other sites make a preview of a link, of pages that have an address of their own. */
function previewTags(site: Site, { title, description, canonical, preview }: Page): Content {
  if (canonical === undefined || preview === 'own') return null;
  const { type = 'website', title: shown = title || site.name } = preview ?? {};
  const tags = [
    ['og:type', type],
    ['og:site_name', site.name],
    ['og:title', shown],
    ['og:description', description],
    ['og:url', canonical],
    ['twitter:card', 'summary'],
    ['twitter:title', shown],
    ['twitter:description', description],
  ] as const;
  return tags
    .filter(([, content]) => content !== '')
    .map(
      ([name, content]) =>
        html`<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${content}">
`,
    );
}

function headOf(site: Site, page: FramedPage): Html {
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
${themeColours()}<link rel="stylesheet" href="${site.at(assetPaths.style)}">
${
  page.sheet !== undefined &&
  html`<link rel="stylesheet" href="${site.at(page.sheet)}">
`
}<link rel="icon" type="image/svg+xml" href="${site.at(assetPaths.icon)}">
<link rel="apple-touch-icon" href="${site.at(assetPaths.touchIcon)}">
<link rel="search" type="text/html" href="${site.url('/search')}">
${page.feeds !== undefined && feedLinks(site, page.feeds)}${scriptsOf(page).map(
    // The first paint waits for the script that rewrites times, which would move what stands beside them.
    (
      path,
    ) => html`<script type="module" src="${site.at(path)}"${path === page.reader?.live && html` blocking="render"`}></script>
`,
  )}${previewTags(site, page)}${page.head}`;
}

const places = [
  { key: 'latest', path: '/', label: 'Latest' },
  { key: 'trending', path: '/?kind=trending', label: 'Trending' },
  { key: 'topics', path: '/topics', label: 'Topics' },
  { key: 'search', path: '/search', label: 'Search' },
] as const;

const signedOut = [
  { key: 'sign-in', path: '/sign-in', label: 'Sign in' },
  { key: 'join', path: '/join', label: 'Join' },
] as const;

const signedIn = [
  { key: 'write', path: '/write', label: 'Write' },
  { key: 'notifications', path: '/notifications', label: 'Notifications' },
  { key: 'account', path: '/settings', label: 'Settings' },
] as const;

type Place = (typeof places | typeof signedOut | typeof signedIn)[number];

/** Returns the number of unread notifications and the id of the newest one, as `unreadOfFound` reads them. */
export function unreadOf(caller: Pick<Caller, 'beside' | 'scopes'> | null) {
  const isTold = caller?.scopes.includes('events:read') === true;
  const [unread = '0', newest = ''] = (isTold && caller.beside?.split(' ')) || [];
  return { unread: Number(unread), newest };
}

/** The number beside “Notifications”, which has room for two digits. A script changes it when an event arrives. */
function unreadMark(unread: number): Html {
  return html` <span class="unread"${unread === 0 && html` hidden`}><span class="count">${unread > 99 ? '99+' : unread}</span><span class="hidden"> unread</span></span>`;
}

function navigation(site: Site, { current, reader }: FramedPage): Html {
  const caller = reader?.caller ?? null;
  const { unread, newest } = unreadOf(caller);
  const list = (shown: readonly Place[]) =>
    shown.map(
      ({ key, path, label }) =>
        html`<li><a href="${site.at(path)}"${key === current && html` aria-current="page"`}>${label}${key === 'notifications' && unreadMark(unread)}</a></li>`,
    );
  return html`<header class="top" id="top"${caller !== null && html` data-unread="${unread}" data-newest="${newest}"`}>
<a class="mark" href="${site.at('/')}">${site.name}</a>
<nav aria-label="Main"><ul>${list(places)}</ul></nav>
${reader !== undefined && html`<nav class="own" aria-label="${caller === null ? 'Account' : `Account of @${caller.username}`}"><ul>${list(caller === null ? signedOut : signedIn)}</ul></nav>`}
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
<p><a href="${site.at('/docs')}">Guides</a> · <a href="${site.at('/docs/api')}">API</a> · <a href="${site.at('/llms.txt')}">For agents</a> · <a href="${site.at('/transparency')}">Transparency</a></p>
</footer>`;
}

/** What every page says to a suspended account, before anything is typed that would be refused. */
function suspension(site: Site, { reader }: FramedPage): Content {
  if (reader?.caller?.suspended !== true) return null;
  return html`<p class="suspended" role="note">Your account is suspended. You can read, export your works and appeal, but you cannot write or change anything. <a href="${site.at('/notifications?kind=moderation')}">Why, and how to appeal</a></p>
`;
}

/** Returns the whole page as text. */
export function pageText(site: Site, page: FramedPage): string {
  const caller = page.reader?.caller ?? null;
  return textOf(html`<!doctype html>
<html lang="en"${scriptsOf(page).length > 0 && html` data-base="${site.at('')}"`}${caller !== null && html` data-reader="${caller.id}"`}>
<head>
${headOf(site, page)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${
  site.staging &&
  html`<p class="staging" role="note">This is a staging deployment for tests. Its content can be deleted at any time.</p>
`
}${navigation(site, page)}
${suspension(site, page)}<main id="main" tabindex="-1">
${page.main}
</main>
${foot(site, page)}
</body>
</html>
`);
}
