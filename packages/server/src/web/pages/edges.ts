// The links of an article in both directions, and the warnings that follow from them.
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Article, Edge } from '../page-services.ts';
import { byline, pathOf, titleOf } from '../components/components.ts';
import type { Site } from '../site.ts';
import type { PageContext, PageRequest } from '../context.ts';
import { pageForm } from '../components/forms.ts';
import { edgeWords, figure } from '../components/labels.ts';
import { edgeComposer } from './edge-composer.ts';

type Direction = 'out' | 'in';

/** The page that links are shown on. */
interface Shown {
  readonly web: PageContext;
  readonly asked: PageRequest;
  readonly path: string;
}

export interface Edges {
  readonly out: readonly Edge[];
  readonly in: readonly Edge[];
}

/** The number of edges read in each direction: enough to find a retraction among many citations. */
const readMax = 100;
/** The number of edges shown. */
const shownMax = 12;

export async function readEdges(
  { invoke, caller }: PageContext,
  { id, counts }: Article,
): Promise<Edges> {
  const read = async (direction: Direction, count: number) => {
    if (count === 0) return [];
    const query = { direction, limit: readMax };
    const { body } = await invoke('listArticleEdges', { caller, params: { id }, query });
    return body.items;
  };
  const [out, incoming] = await Promise.all([
    read('out', counts.edges_out),
    read('in', counts.edges_in),
  ]);
  return { out, in: incoming };
}

/**
 * The kinds that withdraw or replace a text, the most important first. The first two are only for articles of
 * the same responsible person.
 */
const weighty = ['retracts', 'supersedes', 'corrects'] as const;
const warnings: Readonly<Record<(typeof weighty)[number], string>> = {
  retracts: 'The author has retracted this article:',
  supersedes: 'The author has replaced this article with another one:',
  corrects: 'A correction of this article was published:',
};

/** The warnings above the text: retractions, newer versions and corrections. */
export function warningNotes(site: Site, edges: Edges): Content {
  return weighty.flatMap((kind) =>
    edges.in
      .filter((edge) => edge.kind === kind && edge.article?.title && edge.article.url)
      .slice(0, 3)
      .map(
        ({ article }) =>
          html`<p class="note warning" role="note">${warnings[kind]} <a href="${site.at(pathOf(site, { url: article?.url ?? '' }))}"><bdi>${titleOf({ title: article?.title ?? '', excerpt: '' })}</bdi></a>.</p>
`,
      ),
  );
}

/** Returns the URLs of the works that the article cites, for programs. */
export function citationsOf(edges: Edges): readonly string[] {
  const kinds: readonly string[] = ['cites', 'derived_from', 'uses_data', 'uses_method'];
  return edges.out.flatMap(({ kind, dst_uri, article }) => {
    const address = dst_uri ?? article?.url;
    return kinds.includes(kind) && address ? [address] : [];
  });
}

function target(site: Site, { article, dst_uri }: Edge): Content {
  if (dst_uri !== null) {
    return /^https?:/i.test(dst_uri)
      ? html`<a rel="ugc nofollow noopener" href="${dst_uri}"><bdi>${dst_uri}</bdi></a>`
      : html`<code><bdi>${dst_uri}</bdi></code>`;
  }
  if (article === null) return 'an article that is not public';
  if (!article.url || !article.title || article.author === null)
    return 'an article that was removed';
  const path = site.at(pathOf(site, { url: article.url }));
  return html`<a href="${path}"><bdi>${titleOf({ title: article.title, excerpt: '' })}</bdi></a> <span class="small">by ${byline(site, article.author)}</span>`;
}

/** Removes a link that the reader has asserted. */
function removal({ web, asked, path }: Shown, { id, created_by_principal_id: by }: Edge): Content {
  const { caller, site } = web;
  if (caller?.id !== by) return null;
  const { refused } = asked;
  const isRefused = refused?.name === 'unlink' && refused.fields.get('to') === id;
  const content = html`<input type="hidden" name="to" value="${id}">
<button>Remove this link</button>`;
  const form = pageForm(
    { site, asked: isRefused ? asked : {} },
    { name: 'unlink', path, kind: 'act' },
    content,
  );
  return html`<details class="acts" id="unlink-${id}"${isRefused && html` open`}><summary>Remove</summary>
${form}</details>`;
}

function rows(shown: Shown, edges: readonly Edge[], direction: Direction): Html {
  const { site } = shown.web;
  const items = edges
    .slice(0, shownMax)
    .map(
      (edge) =>
        html`<li id="edge-${edge.id}"><span class="kind">${edgeWords[edge.kind][direction]}</span> ${target(site, edge)}${edge.note !== null && edge.note !== '' && html`<p class="small" dir="auto">${edge.note}</p>`}${removal(shown, edge)}</li>`,
    );
  return html`<ul class="edges">${items}</ul>`;
}

function more(site: Site, { id }: Article, shown: number, total: number): Content {
  if (total <= shown) return null;
  return html`<p class="small"><a href="${site.at(`/v1/articles/${id}/graph`)}">All ${figure(total)} as JSON</a></p>`;
}

/** The links of an article, and the way to add one. */
export async function edgeSection(
  web: PageContext,
  asked: PageRequest,
  { article, edges }: { readonly article: Article; readonly edges: Edges },
): Promise<Content> {
  const { site } = web;
  const composer = await edgeComposer(web, asked, article);
  const count = Math.min(edges.out.length, shownMax) + Math.min(edges.in.length, shownMax);
  if (count === 0 && composer === null) return null;
  const { edges_in, edges_out } = article.counts;
  const shown = { web, asked, path: pathOf(site, article) };
  return html`<section class="links" id="connections" aria-labelledby="links">
<h2 id="links">Connections</h2>
${edges.out.length > 0 && rows(shown, edges.out, 'out')}
${edges.in.length > 0 && rows(shown, edges.in, 'in')}
${more(site, article, count, edges_in + edges_out)}
${composer}</section>`;
}
