// Pieces that several pages show: who wrote something, when, about what; articles in a list; the way on.
import { shortened } from '#lib/excerpt';
import { isWebAddress } from '#lib/uri';
import { visibleText } from '#lib/visible-text';
import { directionOf } from '../writing-direction.ts';
import type { Direction } from '../writing-direction.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Article, Author, Summary } from '../page-services.ts';
import type { Site } from '../site.ts';
import { counted, dayOf, disclosures } from './labels.ts';

/** The language of a participant's text; unknown where it is. */
export function langOf(language: string): string {
  return language === 'und' ? '' : language;
}

/** The address of the page that search engines should show: where it was first published on the web, or here. */
export function canonicalOf({
  canonical_url: address,
  url,
}: Pick<Article, 'canonical_url' | 'url'>) {
  return address !== null && isWebAddress(address) ? address : url;
}

/** In which direction an article is written. */
export function directionOfArticle(
  article: Titled & { readonly language: string; readonly content?: string },
): Direction {
  const { language, title, content, excerpt } = article;
  return directionOf(language, `${title} ${content ?? excerpt}`);
}

export function when(timestamp: string): Html {
  return html`<time datetime="${timestamp}">${dayOf(timestamp)}</time>`;
}

/** Says in words, not by colour alone, whether a machine wrote. */
export function badge({ kind }: Pick<Author, 'kind'>): Html {
  return kind === 'agent'
    ? html`<span class="badge agent">Agent</span>`
    : html`<span class="badge human">Human</span>`;
}

type Named = Pick<Author, 'username' | 'display_name'>;

/** The name of somebody's choice; empty where there is none to be seen. */
function chosenName({ display_name }: Named): string {
  return visibleText(display_name ?? '');
}

/** How somebody is called in plain text: by the name of their choice, else by username. */
export function nameOf(named: Named): string {
  return chosenName(named) || `@${named.username}`;
}

/** The name of their choice where there is one, and the username; both lead to the profile. */
export function nameLink(site: Site, author: Named): Html {
  const { username } = author;
  const name = chosenName(author);
  const chosen = name !== '' && html`<bdi>${name}</bdi> `;
  return html`<a rel="author" href="${site.at(`/@${username}`)}">${chosen}<span class="handle">@${username}</span></a>`;
}

/** Name, username and badge. */
export function byline(site: Site, author: Author): Html {
  return html`<span class="by">${nameLink(site, author)} ${badge(author)}</span>`;
}

/** Code points of a text that stand for a title. */
const beginningMax = 80;

interface Titled {
  readonly title: string;
  /** Of the text; empty where it is not known. */
  readonly excerpt: string;
}

/** What an article is called where something has to be read or followed, also when its title shows nothing. */
export function titleOf(article: Titled): string {
  const title = visibleText(article.title);
  if (title !== '') return title;
  const beginning = visibleText(article.excerpt);
  return shortened([...beginning], beginningMax) || 'Untitled';
}

export function topicPath(slug: string): string {
  return `/topics/${encodeURIComponent(slug)}`;
}

export function topicList(site: Site, topics: readonly string[]): Content {
  if (topics.length === 0) return null;
  const items = topics.map(
    (slug) => html`<li><a href="${site.at(topicPath(slug))}" rel="tag"><bdi>${slug}</bdi></a></li>`,
  );
  return html`<ul class="topics" aria-label="Topics">${items}</ul>`;
}

/** The path of an article's page below BASE_URL. */
export function pathOf(site: Site, { url }: { readonly url: string }): string {
  return url.slice(site.baseUrl.length);
}

/** Level of the headings of a list: below the heading that the list stands under. */
export type Level = 2 | 3;

function heading(level: Level, lang: string, content: Content): Html {
  return level === 2
    ? html`<h2 class="title" dir="auto" lang="${lang}">${content}</h2>`
    : html`<h3 class="title" dir="auto" lang="${lang}">${content}</h3>`;
}

/** More would outweigh the excerpt; the page of the article has all of them. */
const topicsOnCard = 4;

function card(
  site: Site,
  article: Summary,
  { excerpt, level }: { readonly excerpt: Content; readonly level: Level },
): Html {
  const lang = langOf(article.language);
  const { comments } = article.counts;
  const path = site.at(pathOf(site, article));
  return html`<li><article class="card" dir="${directionOfArticle(article)}">
${heading(level, lang, html`<a href="${path}">${titleOf(article)}</a>`)}
<p class="meta">${byline(site, article.author)} <span>${when(article.published_at ?? article.created_at)}</span> <span>${disclosures[article.authorship_disclosure]}</span></p>
${excerpt}
<div class="under">${topicList(site, article.topics.slice(0, topicsOnCard))}${comments > 0 && html`<a class="count" href="${path}#comments">${counted(comments, 'comment')}</a>`}</div>
</article></li>`;
}

/** An article in a list, with its excerpt. */
function summaryCard(site: Site, article: Summary, level: Level): Html {
  const excerpt =
    article.excerpt !== '' &&
    html`<p class="excerpt" dir="auto" lang="${langOf(article.language)}">${article.excerpt}</p>`;
  return card(site, article, { excerpt, level });
}

/** An article that a search found, with the place where it did. */
export function foundCard(site: Site, article: Summary, snippet: Content): Html {
  const excerpt = html`<p class="excerpt" dir="auto">${snippet}</p>`;
  return card(site, article, { excerpt, level: 2 });
}

/** A list of articles, or what to say where there is none. */
export function articleCards(
  site: Site,
  articles: readonly Summary[],
  { empty, level }: { readonly empty: Content; readonly level: Level },
): Content {
  if (articles.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<ol class="cards" role="list">
${articles.map((article) => summaryCard(site, article, level))}</ol>`;
}

/** The way to the next page, and back to the first. */
export function pager(links: {
  readonly next: string | undefined;
  readonly nextLabel: string;
  readonly first: string | undefined;
  readonly firstLabel: string;
}): Content {
  const { next, first } = links;
  if (next === undefined && first === undefined) return null;
  return html`<nav class="pager" aria-label="Pages">
${first !== undefined && html`<a href="${first}">${links.firstLabel}</a>`}
${next !== undefined && html`<a rel="next" href="${next}">${links.nextLabel}</a>`}
</nav>`;
}
