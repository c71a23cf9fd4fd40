// `/@{username}/{slug}-{id}/revisions`: what readers have seen of an article over time, and the changes in it.
import { assetPaths } from '../assets.ts';
import { byline, exactly, pageTitle, pager, pathOf, titleOf } from '../components/components.ts';
import { signatureMark } from '../components/origin.ts';
import {
  chosenPair,
  compareForm,
  comparison,
  diffParameters,
  picks,
  viewAsked,
} from '../components/revisions.ts';
import type { Pair } from '../components/revisions.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Article, Revision, Signing } from '../page-services.ts';
import { withQuery } from '../site.ts';
import { articleAt, isAt } from './article.ts';

/** What the list is shown with. */
interface Shown {
  readonly article: Article;
  /** The address of the article. */
  readonly path: string;
  readonly signings: ReadonlyMap<string, Signing>;
  readonly pair: Pair;
  /** Whether there are two to compare. */
  readonly isComparable: boolean;
}

function row({ site }: PageContext, revision: Revision, shown: Shown): Html {
  const { revision_id: id, title, content_hash, published_at, created_at } = revision;
  const { article, path, signings } = shown;
  const at = published_at ?? created_at;
  const signing = signings.get(id) ?? null;
  const origin = { articleId: article.id, author: article.author, revision, signing };
  const changes = site.at(withQuery(`${path}/revisions`, { to: id }));
  const isCurrent = id === article.revision_id;
  return html`<li id="revision-${id}">
${shown.isComparable && picks(revision, at, shown.pair)}
<div>
<p class="meta"><a href="${site.at(`${path}/revisions/${id}`)}">Published ${exactly(at)}</a> ${isCurrent && html`<span class="state due">Shown now</span> `}${signatureMark(origin)}</p>
${title !== article.title && html`<p class="small">Title: <bdi>${titleOf({ title, excerpt: '' })}</bdi></p>`}
<p class="small"><code>${content_hash}</code></p>
<p class="row-actions"><a href="${changes}#changes">Changes<span class="hidden"> of this revision</span></a></p>
</div>
</li>`;
}

/** Reads what everybody may see, for any reader. */
async function readRevisions(
  { invoke, articles, client }: PageContext,
  asked: PageRequest,
  id: string,
) {
  const params = { id };
  const caller = null;
  const cursor = queryValue(asked, 'cursor');
  const chosen = chosenPair(asked);
  const to = chosen?.to;
  const [list, diff, state] = await Promise.all([
    invoke('listRevisions', { caller, params, query: cursor === undefined ? {} : { cursor } }),
    chosen && invoke('readDiff', { caller, params, query: diffParameters(chosen), client }),
    articles.shownState(id),
  ]);
  const ids = list.body.items.map(({ revision_id }) => revision_id);
  const signings = await articles.signings(id, ids);
  const [newest, previous] = ids;
  const compared = diff?.body;
  const pair = {
    from: compared?.from_revision_id ?? (to === undefined ? previous : undefined),
    to: to ?? newest,
  };
  return { list: list.body, diff: compared, state, signings, pair };
}

function ways(
  { site }: PageContext,
  path: string,
  cursor: string | undefined,
  next: string | null,
) {
  return pager({
    next: next === null ? undefined : site.at(withQuery(path, { cursor: next })),
    nextLabel: 'Older revisions',
    first: cursor === undefined ? undefined : site.at(path),
    firstLabel: 'Newest revisions',
  });
}

function intro({ site }: PageContext, article: Article, path: string): Content {
  return html`<header class="intro">
<h1>Revisions</h1>
<p><a href="${site.at(path)}"><bdi>${titleOf({ ...article, excerpt: '' })}</bdi></a></p>
<p class="meta">${byline(site, article.author)}</p>
<p class="small">Every revision that was published keeps its address and its hash. Later revisions never replace it.</p>
</header>`;
}

export async function showRevisions(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { article } = await articleAt(web, asked.params['place'] ?? '');
  const path = pathOf(web.site, article);
  const own = `${path}/revisions`;
  if (!isAt(asked, path)) return { elsewhere: own };
  const { list, diff, state, signings, pair } = await readRevisions(web, asked, article.id);
  const isComparable = list.items.length > 1;
  const shown = { article, path, signings, pair, isComparable };
  const view = viewAsked(asked);
  const rows = list.items.map((one) => row(web, one, shown));
  const main = html`${intro(web, article, path)}
${await comparison(web, diff, { path: own, view })}
<section aria-labelledby="revisions">
<h2 id="revisions">Published revisions</h2>
${compareForm(web.site.at(own), { view, count: list.items.length })}
<ol class="revisions" role="list">${rows}</ol>
${ways(web, own, queryValue(asked, 'cursor'), list.next_cursor)}
</section>`;
  const page = {
    title: pageTitle(
      `Revisions: ${titleOf({ ...article, excerpt: '' })}`,
      queryValue(asked, 'cursor'),
    ),
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    sheet: assetPaths.revisions,
  };
  return pageResponse(web, page, state.listed);
}
