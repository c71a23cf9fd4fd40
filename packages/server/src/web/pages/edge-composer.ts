// Linking articles, below one: the link of the person’s own article to another work, or to somebody else’s article.
import { limits } from '@colophon/contract';
import { isProblem } from '#http';
import { isId } from '#lib/id';
import { canonicalLink } from '#lib/uri';
import { addressText } from '../components/address.ts';
import { byline, pathOf, titleOf } from '../components/components.ts';
import { attemptAt, choice, faultBelow, field, pageForm } from '../components/forms.ts';
import { edgeMeanings, edgeWords } from '../components/labels.ts';
import type { PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Article } from '../page-services.ts';
import type { Site } from '../site.ts';
import { withQuery } from '../site.ts';

/** An article whose reader is signed in. */
interface Composing {
  readonly web: PageContext;
  readonly asked: PageRequest;
  readonly article: Article;
  readonly path: string;
}

const resultsMax = 8;
/** The person’s own articles to choose from, the newest. */
const sourcesMax = 100;

const kinds = Object.fromEntries(
  Object.entries(edgeMeanings).map(([kind, meaning]) => [
    kind,
    `${edgeWords[kind as keyof typeof edgeWords].out}: ${meaning}`,
  ]),
);

/** Returns the id of an article of this service, or the address, that a text names; undefined for words. */
function targetNamed(site: Site, text: string): string | undefined {
  if (isId(text)) return text;
  const [, id] = /\/@[^/]+\/(?:[^/?#]*-)?([0-9a-z]{26})(?:\.md)?(?:[?#].*)?$/i.exec(text) ?? [];
  if (id !== undefined && text.startsWith(`${site.baseUrl}/@`) && isId(id.toUpperCase()))
    return id.toUpperCase();
  return canonicalLink(text) === undefined ? undefined : text;
}

/** The fields of every link, whatever its ends are. */
function linkFields({ asked }: Composing): Html {
  const { value, fault } = attemptAt(asked, 'link');
  return html`${choice({
    name: 'kind',
    label: 'How are they linked?',
    options: kinds,
    value: value('kind', 'cites'),
    fault: fault('kind'),
  })}
${field({
  name: 'note',
  label: 'Note',
  hint: 'Optional, for readers. What exactly is linked, or why.',
  lines: 2,
  value: value('note'),
  fault: fault('note'),
})}`;
}

function cancel({ web, path }: Composing): Html {
  return html`<a class="button quiet" href="${web.site.at(path)}#connections" data-live>Cancel</a>`;
}

/** The form that adds the link. */
function linkForm(composing: Composing, ends: Content): Html {
  const { web, asked, path } = composing;
  return pageForm(
    { site: web.site, asked },
    { name: 'link', path },
    html`${ends}
${linkFields(composing)}
<p class="send">${cancel(composing)} <button>Add link</button></p>`,
  );
}

async function titleAt({ web }: Composing, id: string): Promise<Content> {
  try {
    const { body } = await web.invoke('readArticle', { caller: web.caller, params: { id } });
    const title = titleOf({ title: body.title, excerpt: '' });
    return html`<a href="${web.site.at(pathOf(web.site, body))}"><bdi>${title}</bdi></a> <span class="small">by ${byline(web.site, body.author)}</span>`;
  } catch (error) {
    if (!isProblem(error)) throw error;
    return 'an article that is not there any more';
  }
}

/** The form of a link to a chosen work. */
async function toForm(composing: Composing, to: string): Promise<Html> {
  const { asked, path, web } = composing;
  const target = isId(to) ? await titleAt(composing, to) : addressText(to);
  const fault = attemptAt(asked, 'link').fault('to');
  const ends = html`<input type="hidden" name="to" value="${to}">
<p>To ${target} · <a href="${web.site.at(withQuery(path, { link: '' }))}#link" data-live>Choose another</a></p>
${faultBelow('to', fault)}`;
  return linkForm(composing, ends);
}

async function results({ web, path, article }: Composing, words: string): Promise<Content> {
  if (words === '') return null;
  const query = { q: words, type: 'article', limit: resultsMax } as const;
  const { body } = await web.invoke('search', { caller: null, params: {}, query });
  const found = body.items
    .flatMap((hit) => hit.article ?? [])
    .filter(({ id }) => id !== article.id);
  if (found.length === 0)
    return html`<p class="empty" role="status">No article has these words. Try others, or paste the whole address with https://.</p>`;
  const items = found.map(
    (one) =>
      html`<li><span><bdi id="found-${one.id}">${titleOf(one)}</bdi> <span class="small">by ${byline(web.site, one.author)}</span></span> <a class="button quiet" href="${web.site.at(withQuery(path, { link: words, to: one.id }))}#kind" aria-describedby="found-${one.id}" data-live>Choose</a></li>`,
  );
  return html`<ul class="found">${items}</ul>`;
}

/** The search for the work to link to. */
async function searchForm(composing: Composing, words: string): Promise<Html> {
  const { web, path } = composing;
  return html`<form class="form" method="get" action="${web.site.at(path)}#link" role="search" data-live>
<div class="input"><label for="link">What does this article link to?</label>
<input id="link" type="search" name="link" value="${words}" maxlength="${limits.uri_max}" dir="auto" autocomplete="off" aria-describedby="link-hint">
<p class="small" id="link-hint">Words of a title, or an address of any page, DOI or URN.</p></div>
<p class="send">${cancel(composing)} <button>Search</button></p>
</form>
${await results(composing, words.slice(0, limits.search_query_max))}`;
}

/** The form of a link from one of the reader’s own articles. */
async function fromForm(composing: Composing): Promise<Html> {
  const { web, asked } = composing;
  const { site, caller } = web;
  const query = { author: caller?.id ?? '', limit: sourcesMax };
  const { body } = await web.invoke('listArticles', { caller: null, params: {}, query });
  if (body.items.length === 0)
    return html`<p class="empty">You have published no article yet. <a href="${site.at('/write')}">Write one</a>, then link it to this one.</p>
<p>${cancel(composing)}</p>`;
  const { value, fault } = attemptAt(asked, 'link');
  const ends = html`${choice({
    name: 'source',
    label: 'Your article',
    options: Object.fromEntries(body.items.map((one) => [one.id, titleOf(one)])),
    value: value('source'),
    fault: fault('source'),
  })}`;
  return linkForm(composing, ends);
}

function openForm(composing: Composing, isOwn: boolean): Promise<Html> {
  const { asked, web } = composing;
  if (!isOwn) return fromForm(composing);
  const refused = asked.refused?.name === 'link' ? asked.refused.fields.get('to') : undefined;
  const words = (asked.query.get('link') ?? '').trim();
  const to = refused ?? asked.query.get('to') ?? targetNamed(web.site, words) ?? '';
  return to === '' ? searchForm(composing, words) : toForm(composing, to);
}

/** The way to link this article, or one of the person’s own to it; the form when it was asked for. */
export async function edgeComposer(
  web: PageContext,
  asked: PageRequest,
  article: Article,
): Promise<Content> {
  const { caller, site } = web;
  if (caller === null) return null;
  const path = pathOf(site, article);
  const isOwn = caller.id === article.author.id;
  const label = isOwn
    ? 'Link this article to another work'
    : 'Link one of your articles to this one';
  const isOpen = asked.query.has('link') || asked.refused?.name === 'link';
  const focus = isOwn ? 'link' : 'source';
  if (!isOpen)
    return html`<p class="acts"><a href="${site.at(withQuery(path, { link: '' }))}#${focus}" data-live>${label}</a></p>`;
  return html`<div class="composer"><h3>${label}</h3>
${await openForm({ web, asked, article, path }, isOwn)}</div>`;
}
