// GET /oembed (oembed.com): a preview of an article for sites that link to it: a link with a picture.
import { problem } from '#http';
import { html, textOf } from './html.ts';
import { articleAt } from './pages/article.ts';
import { imageUrl } from './pages/article-head.ts';
import type { ShownArticle } from './page-services.ts';
import { nameOf, titleOf } from './components/components.ts';
import type { Site } from './site.ts';
import { queryValue } from './context.ts';
import type { PageRequest, PageAnswer, PageContext } from './context.ts';
import { writable } from './xml.ts';

const picture = { width: 1200, height: 630 } as const;
const cacheSeconds = 3600;

/**
 * Returns a number of pixels; undefined when the parameter is missing. @throws invalid-request: when it is
 * not a number
 */
function pixels(asked: PageRequest, name: string): number | undefined {
  const text = queryValue(asked, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text))
    throw problem(
      'invalid-request',
      `The parameter ${name} must be a number of pixels, such as 600.`,
    );
  return Number(text);
}

/**
 * Returns the last segment of a URL that may belong to an article here; undefined for other URLs. Only the id
 * at its end matters; it is ASCII whatever the encoding of the rest.
 */
export function requestedPath({ baseUrl, at }: Pick<Site, 'baseUrl' | 'at'>, url: URL) {
  const above = at('/@');
  const { origin, pathname } = url;
  if (origin !== new URL(baseUrl).origin || !pathname.startsWith(above)) return undefined;
  return /^[^/]+\/([^/]+)$/.exec(pathname.slice(above.length))?.[1];
}

/** Returns the segment of the URL in the query. @throws invalid-request, not-found */
function placeIn(site: Site, asked: PageRequest): string {
  const text = queryValue(asked, 'url');
  const url = text === undefined ? null : URL.parse(text);
  if (url === null)
    throw problem('invalid-request', 'The parameter url must be the full address of an article.');
  const place = requestedPath(site, url);
  if (place === undefined)
    throw problem('not-found', 'No article of this service has this address.');
  return place;
}

function recordOf(site: Site, asked: PageRequest, article: ShownArticle) {
  const fits =
    (pixels(asked, 'maxwidth') ?? picture.width) >= picture.width &&
    (pixels(asked, 'maxheight') ?? picture.height) >= picture.height;
  return {
    version: '1.0',
    type: 'link',
    title: titleOf(article),
    author_name: nameOf(article.author),
    author_url: site.url(`/@${article.author.username}`),
    provider_name: site.name,
    provider_url: site.url('/'),
    cache_age: cacheSeconds,
    ...(fits
      ? {
          thumbnail_url: imageUrl(site, article),
          thumbnail_width: picture.width,
          thumbnail_height: picture.height,
        }
      : {}),
  };
}

function asXml(record: object): string {
  const members = Object.entries(writable(record)).map(
    ([name, value]) => html`<${name}>${String(value)}</${name}>
`,
  );
  return textOf(html`<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<oembed>
${members}</oembed>
`);
}

export async function showOembed(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const format = queryValue(asked, 'format') ?? 'json';
  if (format !== 'json' && format !== 'xml')
    throw problem('invalid-request', 'The parameter format must be json or xml.');
  const { article } = await articleAt(web, placeIn(web.site, asked));
  const { listed, excerpt } = await web.articles.shownState(article.id);
  const record = recordOf(web.site, asked, { ...article, excerpt });
  return {
    contentType: `${format === 'json' ? 'application/json' : 'text/xml'}; charset=utf-8`,
    text: format === 'json' ? JSON.stringify(record) : asXml(record),
    shared: listed,
    noindex: true,
    headers: { 'access-control-allow-origin': '*', 'x-content-trust': 'untrusted' },
  };
}
