// `/@{username}/{slug}-{id}`: an article as a page, or as Markdown for clients that request it.
import { preferredType } from '#http';
import type { Caller } from '#http';
import { isId } from '#lib/id';
import { readable } from '../components/markdown-html.ts';
import { html, renderedHtml, textOf } from '../html.ts';
import { markdownOf } from '../markdown.ts';
import type { Content, Html } from '../html.ts';
import type {
  Article,
  RenderedArticleText,
  ShownArticle,
  ShownState,
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
import { articleFacts, articleHeader, isReadByAll, publishedNote } from './article-facts.ts';
import type { ArticleFrame } from './article-facts.ts';
import { articleHead } from './article-head.ts';
import { partsOf } from './article-path.ts';
import { commentInputOf } from './comment-order.ts';
import { commentSection, commentsAtOnce, plainInput, readComments } from './comments.ts';
import type { CommentsRead } from './comments.ts';
import { citationsOf, edgeSection, warningNotes, readEdges } from './edges.ts';
import type { Edges } from './edges.ts';
import { followButton } from './follow-button.ts';
import { descriptionOf } from '../metadata.ts';
import { pageResponse } from '../page-response.ts';
import { varyByCookie } from '../respond.ts';
import type { Representation } from '../respond.ts';
import { ownerOf } from './profile.ts';

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
export async function featuredPicture(
  { invoke, site }: PageContext,
  { featured_media_id: id }: Article,
) {
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
${renderedHtml(readable(shown.text))}</div>
${shown.after}
</article>`;
}

interface Found extends Pick<Around, 'state'> {
  readonly article: Article;
}

/** @throws not-found, gone, unavailable-for-legal-reasons: as readArticle does */
async function readFound(web: PageContext, place: string, caller: Caller | null): Promise<Found> {
  const [{ article }, state] = await Promise.all([
    articleAt(web, place, caller),
    web.articles.shownState(partsOf(place).id),
  ]);
  return { article, state };
}

/** What a page shows besides the article itself and its comments. */
interface Around {
  readonly state: ShownState;
  readonly text: RenderedArticleText;
  readonly owner: Awaited<ReturnType<typeof ownerOf>>;
  readonly picture: Awaited<ReturnType<typeof featuredPicture>>;
  readonly edges: Edges;
}

async function page(
  web: PageContext,
  asked: PageRequest,
  found: Article,
  { around, comments }: { readonly around: Around; readonly comments: CommentsRead | false },
) {
  const { state, edges, owner } = around;
  const article = { ...found, excerpt: state.excerpt };
  const { author } = article;
  const { site } = web;
  const path = pathOf(site, article);
  const isOpen = isReadByAll(article);
  const { text } = around;
  const shown = {
    ...around,
    text: text.html,
    contents: contentsList(text, directionOfArticle(article)),
    revisedAt: state.revised_at,
    warnings: warningNotes(site, article, edges),
    origin: isOpen && originPanel(web, originOf(article, state.signing), path),
    acts:
      web.caller?.id === author.id
        ? html`<p class="acts"><a href="${site.at(`/write/${article.id}`)}">Edit</a></p>
`
        : await followButton(web, asked, { id: author.id, path, who: `@${author.username}` }),
    after: isOpen ? articleFacts(web, article) : topicList(site, article.topics),
  };
  const main = html`${publishedNote(web, asked, article)}${wholeArticle(site, article, shown)}
${await edgeSection(web, asked, { article, edges })}
${comments && (await commentSection(web, asked, article, comments))}`;
  const description = descriptionOf(article) || state.excerpt;
  return pageResponse(
    web,
    {
      title: titleOf(article),
      description,
      canonical: canonicalOf(article),
      noindex: !state.listed,
      main,
      preview: 'own',
      script: web.caller === null ? web.scripts.reading : [web.scripts.answer, web.scripts.reading],
      head:
        isOpen &&
        articleHead(site, article, {
          description,
          owner,
          revisedAt: state.revised_at,
          citations: citationsOf(edges),
        }),
    },
    state.listed,
  );
}

async function readAround(
  web: PageContext,
  article: Article,
  state: ShownState,
): Promise<Omit<Around, 'text'>> {
  const [owner, picture, edges] = await Promise.all([
    ownerOf(web, article.author),
    featuredPicture(web, article),
    readEdges(web, article),
  ]);
  return { state, owner, picture, edges };
}

/** A page with more links is made for each request. */
const edgesMax = 40;

/** Returns everything that the page shows, except for the comments. */
function factsOf(article: Article, { state, owner, picture, edges }: Omit<Around, 'text'>) {
  // The revision and the hash name metadata and text.
  const { content: _, metadata: __, ...record } = article;
  return JSON.stringify([record, state, owner, picture && textOf(picture), edges]);
}

/** Where the page is kept for everybody who is signed out, and which comments it shows. */
interface Kept {
  readonly key: string;
  readonly input: ThreadPage;
}

/** Returns where the page of a request is kept; undefined if it is made for one reader. */
function keptFor(web: PageContext, { query, refused }: PageRequest, id: string): Kept | undefined {
  const cursor = query.get('cursor');
  const isPlain = query.size === 0 || (query.size === 1 && cursor !== null && isId(cursor));
  if (web.caller !== null || refused !== undefined || !isPlain) return undefined;
  const input = { after: cursor ?? undefined, limit: commentsAtOnce };
  return { key: `${id} ${cursor ?? ''}`, input };
}

/**
 * Returns the page as it was sent before, if nothing has changed, and otherwise what was read for that. All that
 * it shows is read or compared, by one request for all that wait for it, so that a change takes effect at once.
 */
async function sentBefore(
  web: PageContext,
  asked: PageRequest,
  { key, input }: Kept,
): Promise<Representation | Found | undefined> {
  if (web.keptPages.get(key) === undefined) return undefined;
  const { username = '', place = '' } = asked.params;
  return web.joined(`${key} ${username} ${place}`, async () => {
    const known = web.keptPages.get(key);
    const [found, isSame] = await Promise.all([
      readFound(web, place, null),
      known?.thread !== undefined && web.threads.isSame(partsOf(place).id, input, known.thread),
    ]);
    const { article, state } = found;
    if (!known || !isSame || !isAt(asked, pathOf(web.site, article))) return found;
    const around = await readAround(web, article, state);
    return factsOf(article, around) === known.facts ? known.shown : found;
  });
}

/** Shows the article to somebody who is signed out, and keeps the page. */
async function shownToAll(
  web: PageContext,
  asked: PageRequest,
  { article, state }: Found,
  { key, input }: Kept,
): Promise<Representation> {
  const [around, text, { print, ...list }] = await Promise.all([
    readAround(web, article, state),
    web.articles.rendered(article),
    web.threads.read(article.id, input),
  ]);
  const comments = { ...list, input: plainInput(input.after) };
  const shown = await page(web, asked, article, { around: { ...around, text }, comments });
  const isWhole = text.kept && web.shortText.isWhole() && web.changedQuotes.isWhole();
  const { out, in: incoming } = around.edges;
  if (!isWhole || out.length + incoming.length > edgesMax) return shown;
  return web.keptPages.keep(key, { facts: factsOf(article, around), thread: print }, shown);
}

function makePage(web: PageContext, asked: PageRequest, found: Found, kept: Kept | undefined) {
  const isOpen = kept !== undefined && found.article.status === 'published';
  return isOpen ? shownToAll(web, asked, found, kept) : shownToOne(web, asked, found);
}

async function shownToOne(
  web: PageContext,
  asked: PageRequest,
  { article, state }: Found,
): Promise<Representation> {
  const [around, text, comments] = await Promise.all([
    readAround(web, article, state),
    web.articles.rendered(article),
    article.status === 'published' && readComments(web, article, commentInputOf(asked)),
  ]);
  return page(web, asked, article, { around: { ...around, text }, comments });
}

function wantsMarkdown({ request }: PageRequest): boolean {
  const { accept } = request.headers;
  return preferredType(accept, ['text/html', 'text/markdown']) === 'text/markdown';
}

export async function showArticle(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { place = '' } = asked.params;
  const { id, ending } = partsOf(place);
  if (ending !== '' || wantsMarkdown(asked)) return shownAsText(web, asked, ending);
  const kept = keptFor(web, asked, id);
  const before = kept && (await sentBefore(web, asked, kept));
  if (before && 'shared' in before) return varyByCookie(before);
  const found = before ?? (await readFound(web, place, web.caller));
  const path = pathOf(web.site, found.article);
  if (!isAt(asked, path)) return { elsewhere: path };
  return varyByCookie(await makePage(web, asked, found, kept));
}

async function shownAsText(web: PageContext, asked: PageRequest, ending: string) {
  const { article, state } = await readFound(web, asked.params['place'] ?? '', null);
  const path = pathOf(web.site, article);
  if (!isAt(asked, `${path}${ending}`)) return { elsewhere: `${path}${ending.toLowerCase()}` };
  const text = await markdownOf(web, article, state);
  return ending === '' ? varyByCookie(text) : text;
}
