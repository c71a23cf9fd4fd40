// `/@{username}/{slug}-{id}`: an article as a page, or as Markdown for clients that request it.
import { preferredType, problem } from '#http';
import type { Caller } from '#http';
import { isId } from '#lib/id';
import { html, rendered, textOf } from '../html.ts';
import { markdownOf } from '../markdown.ts';
import type { Content, Html } from '../html.ts';
import type { KeptPage } from '../kept-pages.ts';
import type {
  Article,
  RenderedArticleText,
  ShownArticle,
  Standing,
  ThreadPage,
} from '../page-services.ts';
import type { Site } from '../site.ts';
import {
  canonicalOf,
  directionOfArticle,
  langOf,
  pathOf,
  titleOf,
  topicList,
} from '../components/components.ts';
import { contentsList } from '../components/contents.ts';
import { originOf, originPanel } from '../components/origin.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import { articleFacts, articleHeader, isReadByAll } from './article-facts.ts';
import type { ArticleFrame } from './article-facts.ts';
import { articleHead } from './article-head.ts';
import { commentWishOf } from './comment-order.ts';
import { commentSection, commentsAtOnce, plainWish, readComments } from './comments.ts';
import type { CommentsRead } from './comments.ts';
import { citationsOf, edgeSection, warningNotes, readEdges } from './edges.ts';
import type { Edges } from './edges.ts';
import { followButton } from './follow-button.ts';
import { descriptionOf } from '../metadata.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';
import { ownerOf } from './profile.ts';

const placeForm = /^(?:.*-)?([0-9a-hjkmnp-tv-z]{26})(\.md)?$/isu;

/** Returns the id that a path names, and `.md` if the path ends with it. @throws not-found: it names none */
function partsOf(place: string): { readonly id: string; readonly ending: string } {
  const [, id, ending = ''] = placeForm.exec(place) ?? [];
  if (id === undefined)
    throw problem(
      'not-found',
      'This page does not exist. The address of an article ends with its id.',
    );
  return { id: id.toUpperCase(), ending };
}

/**
 * Returns the article that a path names. The id identifies it; the slug is ignored. Its author, and the owner
 * of the agent that wrote it, also find what no one else may read.
 * @throws not-found, gone, unavailable-for-legal-reasons: as readArticle does
 */
export async function articleAt(
  { invoke }: Pick<PageContext, 'invoke'>,
  place: string,
  caller: Caller | null = null,
): Promise<{ readonly article: Article; readonly ending: string }> {
  const { id, ending } = partsOf(place);
  const { body } = await invoke('readArticle', { caller, params: { id } });
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
  return html`<figure class="featured"><img src="${address(1280)}" srcset="${set}" sizes="(min-width: 44rem) 42rem, 100vw" alt="${body.alt_text ?? ''}" decoding="async" fetchpriority="high"></figure>`;
}

/** The article as readers see it: header, picture and text; `after` follows the text. */
export function wholeArticle(
  site: Site,
  article: ShownArticle,
  shown: ArticleFrame & {
    readonly text: string;
    readonly picture: Content;
    readonly contents?: Content;
    readonly after: Content;
  },
): Html {
  return html`<article class="whole" aria-labelledby="title">
${articleHeader(site, article, shown)}
${shown.picture}
${shown.contents}<div class="prose" dir="${directionOfArticle(article)}" lang="${langOf(article.language)}">
${rendered(shown.text)}</div>
${shown.after}
</article>`;
}

interface Found {
  readonly article: Article;
  readonly standing: Standing;
}

/** What a page shows besides the article itself and its comments. */
interface Around {
  readonly standing: Standing;
  readonly text: RenderedArticleText;
  readonly owner: Awaited<ReturnType<typeof ownerOf>>;
  readonly picture: Awaited<ReturnType<typeof featured>>;
  readonly edges: Edges;
}

async function page(
  web: PageContext,
  asked: PageRequest,
  found: Article,
  { around, comments }: { readonly around: Around; readonly comments: CommentsRead | false },
) {
  const { standing, edges, owner } = around;
  const article = { ...found, excerpt: standing.excerpt };
  const { author } = article;
  const { site } = web;
  const path = pathOf(site, article);
  const isOpen = isReadByAll(article);
  const { text } = around;
  const shown = {
    ...around,
    text: text.html,
    contents: contentsList(text, directionOfArticle(article)),
    revisedAt: standing.revised_at,
    warnings: warningNotes(site, article, edges),
    origin: isOpen && originPanel(web, originOf(article, standing.signing), path),
    acts:
      web.caller?.id === author.id
        ? html`<p class="acts"><a href="${site.at(`/write/${article.id}`)}">Edit</a></p>
`
        : await followButton(web, asked, { id: author.id, path, who: `@${author.username}` }),
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
      script: web.caller === null ? web.scripts.reading : [web.scripts.answer, web.scripts.reading],
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

async function readAround(
  web: PageContext,
  article: Article,
  standing: Standing,
): Promise<Omit<Around, 'text'>> {
  const [owner, picture, edges] = await Promise.all([
    ownerOf(web, article.author),
    featured(web, article),
    readEdges(web, article),
  ]);
  return { standing, owner, picture, edges };
}

/** A page of an article with more links is made for each request. */
const edgesMax = 40;

/** Returns everything that the page shows, except for the comments. */
function factsOf(article: Article, { standing, owner, picture, edges }: Omit<Around, 'text'>) {
  // The revision and the hash name metadata and text.
  const { content: _, metadata: __, ...record } = article;
  return JSON.stringify([record, standing, owner, picture && textOf(picture), edges]);
}

/** The page as it was sent before to somebody who is signed out, and what it is compared with. */
interface Kept {
  readonly key: string;
  readonly wish: ThreadPage;
  readonly known: KeptPage | undefined;
}

/** Returns the page that is kept for a request; undefined if the page is made for one reader. */
function keptFor(web: PageContext, { query, refused }: PageRequest, id: string): Kept | undefined {
  const cursor = query.get('cursor');
  const isPlain = query.size === 0 || (query.size === 1 && cursor !== null && isId(cursor));
  if (web.caller !== null || refused !== undefined || !isPlain) return undefined;
  const key = `${id} ${cursor ?? ''}`;
  const wish = { after: cursor ?? undefined, limit: commentsAtOnce };
  return { key, wish, known: web.keptPages.get(key) };
}

/**
 * Shows the article to somebody who is signed out: as it was sent before, if nothing has changed. What is
 * shown is read or compared on every request, so that a change takes effect at once.
 */
async function shownToAll(
  web: PageContext,
  asked: PageRequest,
  { article, standing }: Found,
  { key, wish, known }: Kept,
): Promise<Representation> {
  const around = await readAround(web, article, standing);
  const facts = factsOf(article, around);
  if (known?.facts === facts) return known.shown;
  const [text, { print, ...list }] = await Promise.all([
    web.articles.rendered(article),
    web.threads.read(article.id, wish),
  ]);
  const comments = { ...list, wish: plainWish(wish.after) };
  const shown = await page(web, asked, article, {
    around: { ...around, text },
    comments,
  });
  const isWhole = text.kept && web.shortText.isWhole() && web.changedQuotes.isWhole();
  const { out, in: incoming } = around.edges;
  if (!isWhole || out.length + incoming.length > edgesMax) return shown;
  return web.keptPages.keep(key, { facts, thread: print }, shown);
}

async function shownToOne(
  web: PageContext,
  asked: PageRequest,
  { article, standing }: Found,
): Promise<Representation> {
  const [around, text, comments] = await Promise.all([
    readAround(web, article, standing),
    web.articles.rendered(article),
    article.status === 'published' && readComments(web, article, commentWishOf(asked)),
  ]);
  return page(web, asked, article, { around: { ...around, text }, comments });
}

function wantsMarkdown({ request }: PageRequest): boolean {
  const { accept } = request.headers;
  return preferredType(accept, ['text/html', 'text/markdown']) === 'text/markdown';
}

/** Reads the article that a request names, and at the same time whether the page kept for it is the same. */
async function readAsked(web: PageContext, asked: PageRequest, caller: Caller | null) {
  const { place = '' } = asked.params;
  const { id } = partsOf(place);
  const kept = keptFor(web, asked, id);
  const [{ article, ending }, standing, isSame] = await Promise.all([
    articleAt(web, place, caller),
    web.articles.standing(id),
    kept?.known !== undefined && web.threads.isSame(id, kept.wish, kept.known.thread),
  ]);
  const fresh = kept && { ...kept, known: isSame ? kept.known : undefined };
  return { article, ending, standing, kept: article.status === 'published' ? fresh : undefined };
}

export async function showArticle(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { place = '' } = asked.params;
  const isText = place.toLowerCase().endsWith('.md') || wantsMarkdown(asked);
  const { article, ending, standing, kept } = await readAsked(
    web,
    asked,
    isText ? null : web.caller,
  );
  const path = pathOf(web.site, article);
  if (!isAt(asked, `${path}${ending}`)) return { elsewhere: `${path}${ending.toLowerCase()}` };
  if (ending !== '') return markdownOf(web, article, standing);
  const found = { article, standing };
  const shown = await (isText
    ? markdownOf(web, article, standing)
    : kept === undefined
      ? shownToOne(web, asked, found)
      : shownToAll(web, asked, found, kept));
  return { ...shown, headers: { ...shown.headers, vary: 'Accept, Cookie' } };
}
