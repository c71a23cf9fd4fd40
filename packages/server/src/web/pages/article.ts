// `/@{username}/{slug}-{id}`: an article as a page, or as Markdown for clients that request it.
import { preferredType, problem } from '#http';
import type { Caller } from '#http';
import { html, rendered } from '../html.ts';
import { markdownOf } from '../markdown.ts';
import type { Content, Html } from '../html.ts';
import type { Article, ShownArticle, Standing } from '../page-services.ts';
import type { Site } from '../site.ts';
import {
  canonicalOf,
  directionOfArticle,
  langOf,
  pathOf,
  titleOf,
  topicList,
} from '../components/components.ts';
import { asksFor } from '../context.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import { articleFacts, articleHeader, isReadByAll } from './article-facts.ts';
import type { ArticleFrame } from './article-facts.ts';
import { articleHead } from './article-head.ts';
import { commentSection, readComments } from './comments.ts';
import { citationsOf, edgeSection, warningNotes, readEdges } from './edges.ts';
import { followButton } from './follow-button.ts';
import { descriptionOf } from '../metadata.ts';
import { pageResponse } from '../page-response.ts';
import { ownerOf } from './profile.ts';

const placeForm = /^(?:.*-)?([0-9a-hjkmnp-tv-z]{26})(\.md)?$/isu;

/**
 * Returns the article that a path names. The id identifies it; the slug is ignored. Its author, and the owner
 * of the agent that wrote it, also find what nobody else may read.
 * @throws not-found, gone, unavailable-for-legal-reasons: as readArticle does
 */
export async function articleAt(
  { invoke }: Pick<PageContext, 'invoke'>,
  place: string,
  caller: Caller | null = null,
): Promise<{ readonly article: Article; readonly ending: string }> {
  const [, id, ending = ''] = placeForm.exec(place) ?? [];
  if (id === undefined)
    throw problem(
      'not-found',
      'This page does not exist. The address of an article ends with its id.',
    );
  const { body } = await invoke('readArticle', { caller, params: { id: id.toUpperCase() } });
  return { article: body, ending };
}

/** Whether a request used the current path of the article. */
export function isAt(asked: PageRequest, path: string): boolean {
  const { username = '', place = '' } = asked.params;
  return decodeURIComponent(path) === `/@${username}/${place}`;
}

/** The featured picture; nothing when it is not public. */
export async function featured({ invoke, site }: PageContext, { featured_media_id: id }: Article) {
  if (id === null) return null;
  const { body } = await invoke('readMedia', { caller: null, params: { id } });
  if (body.kind !== 'image' || body.status !== 'ready') return null;
  const address = (width: number) => `${site.mediaBaseUrl}/${id}?w=${width}`;
  const set = [320, 640, 1280].map((width) => `${address(width)} ${width}w`).join(', ');
  return html`<figure class="featured"><img src="${address(1280)}" srcset="${set}" sizes="(min-width: 44rem) 42rem, 100vw" alt="${body.alt_text ?? ''}" decoding="async"></figure>`;
}

/** The article as readers see it: header, picture and text; `after` follows the text. */
export function wholeArticle(
  site: Site,
  article: ShownArticle,
  shown: ArticleFrame & {
    readonly text: string;
    readonly picture: Content;
    readonly after: Content;
  },
): Html {
  return html`<article class="whole" aria-labelledby="title">
${articleHeader(site, article, shown)}
${shown.picture}
<div class="prose" dir="${directionOfArticle(article)}" lang="${langOf(article.language)}">
${rendered(shown.text)}</div>
${shown.after}
</article>`;
}

async function page(web: PageContext, asked: PageRequest, found: Article, standing: Standing) {
  const article = { ...found, excerpt: standing.excerpt };
  const { author } = article;
  const path = pathOf(web.site, article);
  const [text, owner, picture, edges, comments, follow] = await Promise.all([
    web.articles.rendered(article),
    ownerOf(web, author),
    featured(web, article),
    readEdges(web, article),
    article.status === 'published' && readComments(web, article, asksFor(asked, 'cursor')),
    followButton(web, asked, { id: author.id, path, who: `@${author.username}` }),
  ]);
  const { site } = web;
  const isOpen = isReadByAll(article);
  const shown = {
    owner,
    revisedAt: standing.revised_at,
    warnings: warningNotes(site, edges),
    follow,
    text,
    picture,
    after: isOpen ? articleFacts(web, article) : topicList(site, article.topics),
  };
  const main = html`${wholeArticle(site, article, shown)}
${await edgeSection(web, asked, { article, edges })}
${comments && (await commentSection(web, asked, article, comments))}`;
  const description = descriptionOf(article) || standing.excerpt;
  return pageResponse(
    web,
    {
      title: titleOf(article),
      description,
      canonical: canonicalOf(article),
      noindex: !standing.listed,
      main,
      ...(web.caller === null ? {} : { script: web.scripts.answer }),
      head:
        isOpen &&
        articleHead(site, article, {
          description,
          owner,
          revisedAt: standing.revised_at,
          citations: citationsOf(edges),
        }),
    },
    standing.listed,
  );
}

function wantsMarkdown({ request }: PageRequest): boolean {
  const { accept } = request.headers;
  return preferredType(accept, ['text/html', 'text/markdown']) === 'text/markdown';
}

export async function showArticle(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { place = '' } = asked.params;
  const isText = place.toLowerCase().endsWith('.md') || wantsMarkdown(asked);
  const { article, ending } = await articleAt(web, place, isText ? null : web.caller);
  const path = pathOf(web.site, article);
  if (!isAt(asked, `${path}${ending}`)) return { elsewhere: `${path}${ending.toLowerCase()}` };
  const standing = await web.articles.standing(article.id);
  if (ending !== '') return markdownOf(web, article, standing);
  const shown = isText
    ? await markdownOf(web, article, standing)
    : await page(web, asked, article, standing);
  return { ...shown, headers: { ...shown.headers, vary: 'Accept, Cookie' } };
}
