// `/write/{id}/history`: the revisions of an article, the changes between two of them, and taking one again.
import { assetPaths } from '../assets.ts';
import { articleNav } from '../components/article-nav.ts';
import { exactly, pageTitle, pager, titleOf, when } from '../components/components.ts';
import { pageForm } from '../components/forms.ts';
import { lengthWords } from '../components/labels.ts';
import {
  chosenPair,
  compareForm,
  comparison,
  diffParameters,
  picks,
  viewAsked,
} from '../components/revisions.ts';
import type { Pair } from '../components/revisions.ts';
import { signInFirst } from '../next-path.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Revision } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { TextSize } from '../text-size.ts';
import { findOwn } from './own-article.ts';
import type { OwnArticle } from './own-article.ts';

/** What the list of revisions is shown with. */
interface Shown {
  readonly own: OwnArticle;
  /** The revision that readers see. */
  readonly publishedId: string | undefined;
  readonly sizes: ReadonlyMap<string, TextSize>;
  /** The revisions that are chosen for comparison. */
  readonly pair: Pair;
  /** Whether there are two to compare. */
  readonly isComparable: boolean;
}

function sizeOf(size: TextSize | undefined): Content {
  return size && html` <span>${lengthWords(size)}</span>`;
}

function marks(revision: Revision, { own, publishedId }: Shown): Content {
  const isNewest = revision.revision_id === own.article.revision_id;
  const isShown = revision.revision_id === publishedId;
  const wasShown = !isShown && revision.published_at !== null;
  return [
    isNewest && html` <span class="state">Newest</span>`,
    isShown && html` <span class="state due">Readers see this</span>`,
    wasShown && html` <span class="state">Published ${when(revision.published_at ?? '')}</span>`,
    revision.signature !== null && html` <span class="state">Signed</span>`,
  ];
}

/** Authors take any text again but the newest. */
function mayTake({ revision_id: id }: Revision, { own }: Shown): boolean {
  return own.relation === 'author' && id !== own.article.revision_id;
}

function row(web: PageContext, revision: Revision, shown: Shown): Html {
  const { revision_id: id, previous_revision_id: before, title, created_at } = revision;
  const { article } = shown.own;
  const compared = withQuery(`/write/${article.id}/history`, { from: before ?? undefined, to: id });
  const canTake = mayTake(revision, shown);
  return html`<li>
${shown.isComparable && picks(revision, created_at, shown.pair)}
<div>
<p class="meta"><span class="state">${exactly(created_at)}</span>${marks(revision, shown)}${sizeOf(shown.sizes.get(id))}</p>
${title !== article.title && html`<p class="small">Title: <bdi>${titleOf({ title, excerpt: '' })}</bdi></p>`}
<p class="row-actions">${before !== null && html`<a href="${web.site.at(compared)}#changes">Changes<span class="hidden"> of this revision</span></a>`}${canTake && html` <button name="take" value="${id}" class="plain">Take this text again</button>`}</p>
</div>
</li>`;
}

async function readHistory(web: PageContext, asked: PageRequest, own: OwnArticle) {
  const { invoke } = web;
  const { caller, article } = own;
  const params = { id: article.id };
  const cursor = queryValue(asked, 'cursor');
  const pair = chosenPair(asked);
  const [list, published, diff] = await Promise.all([
    invoke('listRevisions', { caller, params, query: cursor === undefined ? {} : { cursor } }),
    article.status === 'draft' ? undefined : invoke('readArticle', { caller, params }),
    pair && invoke('readDiff', { caller, params, query: diffParameters(pair), client: web.client }),
  ]);
  const ids = list.body.items.map(({ revision_id }) => revision_id);
  const sizes = await web.articles.sizes(caller, article.id, ids);
  const [newest, previous] = ids;
  const publishedId = published?.body.revision_id;
  const compared = pair ?? { from: previous, to: newest };
  const isComparable = ids.length > 1;
  const shown = { own, publishedId, sizes, pair: compared, isComparable };
  return { list: list.body, diff: diff?.body, shown };
}

const taken = html`<p class="note" id="said" role="status" tabindex="-1">The text is taken again, as the newest revision. Nothing is published yet.</p>`;

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showHistory(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const { id = '' } = asked.params;
  const own = await findOwn(web, caller, id);
  const { list, diff, shown } = await readHistory(web, asked, own);
  const path = `/write/${id}/history`;
  const view = viewAsked(asked);
  const rows = html`<input type="hidden" name="newest" value="${own.article.revision_id}">
<ol class="revisions" role="list">${list.items.map((one) => row(web, one, shown))}</ol>`;
  const main = html`<header class="intro">
<h1>History</h1>
<p><bdi>${titleOf({ ...own.article, excerpt: '' })}</bdi></p>
${articleNav(site, own.article, { relation: own.relation, current: 'history' })}
</header>
${queryValue(asked, 'said') === 'taken' && asked.refused === undefined && taken}
${await comparison(web, diff, { path, view })}
${compareForm(site.at(path), { view, count: list.items.length })}
${list.items.some((one) => mayTake(one, shown)) ? pageForm({ site, asked }, { name: 'take', path, kind: 'history' }, rows) : html`<div class="history">${rows}</div>`}
${pager({
  next:
    list.next_cursor === null ? undefined : site.at(withQuery(path, { cursor: list.next_cursor })),
  nextLabel: 'Older revisions',
  first: queryValue(asked, 'cursor') === undefined ? undefined : site.at(path),
  firstLabel: 'Newest revisions',
})}`;
  const page = {
    title: pageTitle(
      `History: ${titleOf({ ...own.article, excerpt: '' })}`,
      queryValue(asked, 'cursor'),
      list.items[0]?.created_at,
    ),
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'write' as const,
    sheet: assetPaths.works,
  };
  return pageResponse(web, page, false);
}
