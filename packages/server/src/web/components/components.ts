// Components that several pages share: bylines, dates, topics, lists of articles, pagination.
import { shorten } from '#lib/excerpt';
import { isWebAddress } from '#lib/uri';
import { visibleText } from '@colophon/text/lib/visible-text';
import { directionOf, directionOfPart } from '@colophon/text/lib/writing-direction';
import type { Direction } from '@colophon/text/lib/writing-direction';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Article, Author, Summary } from '../page-services.ts';
import type { Site } from '../site.ts';
import { formatCount, disclosures, momentOf, dayOf } from './labels.ts';

/** Returns the language of a participant's text; empty where it is unknown. */
export function langOf(language: string): string {
  return language === 'und' ? '' : language;
}

/**
 * Returns the canonical URL for search engines: where the text was first published on the web, or its URL
 * here.
 */
export function canonicalOf({
  canonical_url: address,
  url,
}: Pick<Article, 'canonical_url' | 'url'>) {
  return address !== null && isWebAddress(address) ? address : url;
}

/** Returns the writing direction of an article. */
export function directionOfArticle(
  article: Titled & { readonly language: string; readonly content?: string },
): Direction {
  const { language, title, content, excerpt } = article;
  return directionOf(language, `${title} ${content ?? excerpt}`);
}

export function when(timestamp: string): Html {
  return html`<time datetime="${timestamp}">${dayOf(timestamp)}</time>`;
}

/** The day and the minute, in UTC; scripts write it in the reader’s zone, and not how long ago it was. */
export function exactly(timestamp: string): Html {
  return html`<time datetime="${timestamp}" data-exact>${momentOf(timestamp)}</time>`;
}

/** A badge that says in words, and not by colour alone, whether the author is a machine. */
export function badge({ kind }: Pick<Author, 'kind'>): Html {
  return kind === 'agent'
    ? html`<span class="badge agent">Agent</span>`
    : html`<span class="badge human">Human</span>`;
}

type Named = Pick<Author, 'username' | 'display_name'>;

/** Returns the display name; empty when nothing of it is visible. */
function chosenName({ display_name }: Named): string {
  return visibleText(display_name ?? '');
}

/** Returns the name of a participant as plain text: the display name if there is one, else the username. */
export function nameOf(named: Named): string {
  return chosenName(named) || `@${named.username}`;
}

/** The display name, if there is one, and the username. Both link to the profile. */
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

/** Code points of the text that are shown when the title is not visible. */
const beginningMax = 80;

interface Titled {
  readonly title: string;
  /** The beginning of the text; empty where it is not known. */
  readonly excerpt: string;
}

/** Returns the title of an article, or the beginning of its text when nothing of the title is visible. */
export function titleOf(article: Titled): string {
  const title = visibleText(article.title);
  if (title !== '') return title;
  const beginning = visibleText(article.excerpt);
  return shorten([...beginning], beginningMax) || 'Untitled';
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

/** Returns the path of an article's page below BASE_URL. */
export function pathOf(site: Site, { url }: { readonly url: string }): string {
  return url.slice(site.baseUrl.length);
}

/** Heading level of the items of a list: one below the heading of the list. */
export type Level = 2 | 3;

/** The attributes of a part of an article: its language and its writing direction. */
export function markPart({ language }: { readonly language: string }, part: string): Html {
  return html`dir="${directionOfPart(language, part)}" lang="${langOf(language)}"`;
}

function heading(site: Site, level: Level, article: Summary): Html {
  const title = titleOf(article);
  const marks = markPart(article, title);
  const link = html`<a href="${site.at(pathOf(site, article))}">${title}</a>`;
  return level === 2
    ? html`<h2 class="title" ${marks}>${link}</h2>`
    : html`<h3 class="title" ${marks}>${link}</h3>`;
}

/** The maximum number of topics on a card. The article's page shows all of them. */
const topicsOnCard = 4;

function card(
  site: Site,
  article: Summary,
  { excerpt, level }: { readonly excerpt: Content; readonly level: Level },
): Html {
  const { comments } = article.counts;
  const path = site.at(pathOf(site, article));
  return html`<li><article class="card" dir="${directionOfArticle(article)}">
${heading(site, level, article)}
<p class="meta">${byline(site, article.author)} <span>${when(article.published_at ?? article.created_at)}</span> <span>${disclosures[article.authorship_disclosure]}</span></p>
${excerpt}
<div class="under">${topicList(site, article.topics.slice(0, topicsOnCard))}${comments > 0 && html`<a class="count" href="${path}#comments">${formatCount(comments, 'comment')}</a>`}</div>
</article></li>`;
}

/** An article in a list, with its excerpt. */
function summaryCard(site: Site, article: Summary, level: Level): Html {
  const excerpt =
    article.excerpt !== '' &&
    html`<p class="excerpt" ${markPart(article, article.excerpt)}>${article.excerpt}</p>`;
  return card(site, article, { excerpt, level });
}

/** The part of a text that was found. */
export interface FoundPart {
  readonly text: string;
  /** The same with its matches marked. */
  readonly marked: Content;
}

/** A search result: an article with the snippet that matched. */
export function foundCard(site: Site, article: Summary, snippet: FoundPart): Html {
  const dir = directionOfPart(article.language, snippet.text);
  const excerpt = html`<p class="excerpt" dir="${dir}">${snippet.marked}</p>`;
  return card(site, article, { excerpt, level: 2 });
}

/** A list of articles, or a message when the list is empty. */
export function articleCards(
  site: Site,
  articles: readonly Summary[],
  { empty, level }: { readonly empty: Content; readonly level: Level },
): Content {
  if (articles.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<ol class="cards" role="list">
${articles.map((article) => summaryCard(site, article, level))}</ol>`;
}

/**
 * The title of a page of a list. A later page has a different title from the first. It has no number, because its
 * address names where it begins, but the day of its newest item where that is known.
 */
export function pageTitle(title: string, cursor: string | undefined, newest?: string | null) {
  if (cursor === undefined) return title;
  const isDated = newest !== undefined && newest !== null;
  return isDated ? `${title}, ${dayOf(newest)} and earlier` : `${title}, continued`;
}

/** Links to the next page and back to the first. */
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
