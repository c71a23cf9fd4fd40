// GET /docs, /docs.md and /docs/{page}: the guides as pages, or as Markdown by `.md` or `Accept`.
import { preferredType, problem } from '#http';
import { html, renderedHtml } from '../html.ts';
import type { Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';
import type { PageRequest, PageHandler, PageContext } from '../context.ts';
import { guideAddress, guideNames } from './sources.ts';
import { guidePictures } from './pictures.ts';
import type { Guides } from './sources.ts';

const vary = { vary: 'Accept' };

function markdownOf(text: string): Representation {
  return {
    contentType: 'text/markdown; charset=utf-8',
    text,
    shared: true,
    noindex: true,
    headers: { ...vary, 'access-control-allow-origin': '*' },
  };
}

/**
 * The renderer of texts makes a link of a picture that is not a file of a participant, with the alternative text as its
 * words. Those of the guides are files of the service: they are shown.
 */
function withPictures(safe: string, baseUrl: string): Html {
  const known = new Map(guidePictures.map((picture) => [baseUrl + picture.path, picture]));
  const shown = safe.replaceAll(
    /<a href="([^"]+)"[^>]*>([^<"]*)<\/a>/g,
    (link, address: string, words: string) => {
      const picture = known.get(address);
      if (picture === undefined) return link;
      const { width, height } = picture;
      return `<img src="${new URL(address).pathname}" width="${width}" height="${height}" loading="lazy" alt="${words}">`;
    },
  );
  return renderedHtml(shown);
}

/** The first heading becomes the title of the page, the rest its text. */
async function pageOf(web: PageContext, name: string, text: string): Promise<Representation> {
  const { site } = web;
  const [, title = 'Guides', rest = text] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  const safe = await web.shortText(rest, 1);
  const main = html`<article class="whole" aria-labelledby="title">
<header class="head">
<h1 id="title">${title}</h1>
<p class="meta"><span><a href="${site.at('/docs')}">All guides</a></span> <span><a href="${guideAddress(site.baseUrl, name)}.md">Markdown</a></span> <span><a href="${site.at('/v1/openapi.json')}">OpenAPI</a></span></p>
</header>
<div class="prose">
${withPictures(safe.replaceAll('<pre>', '<pre tabindex="0">'), site.baseUrl)}</div>
</article>`;
  const shown = pageResponse(
    web,
    {
      title,
      description: `${title}: a guide to the API of ${site.name}.`,
      canonical: guideAddress(site.baseUrl, name),
      noindex: false,
      main,
    },
    true,
  );
  return { ...shown, headers: { ...shown.headers, vary: 'Accept, Cookie' } };
}

function wantsMarkdown({ request }: PageRequest, isMarkdown: boolean): boolean {
  const { accept } = request.headers;
  return isMarkdown || preferredType(accept, ['text/html', 'text/markdown']) === 'text/markdown';
}

/**
 * Returns the handler of the guides. A guide is read on its first request and rendered in a worker thread, so
 * it does not block the event loop.
 */
export function showGuides(guides: Guides): PageHandler {
  return async (web, asked) => {
    const { page } = asked.params;
    if (page === 'index' || page === 'index.md') return { elsewhere: `/docs${page.slice(5)}` };
    const isMarkdown = (page ?? asked.request.url.split('?')[0] ?? '').endsWith('.md');
    const name = page?.replace(/\.md$/, '') ?? 'index';
    const text = await guides(name);
    if (text === undefined)
      throw problem(
        'not-found',
        `No guide has this name. The guides are ${guideNames.join(', ')}.`,
      );
    return wantsMarkdown(asked, isMarkdown) ? markdownOf(text) : pageOf(web, name, text);
  };
}
