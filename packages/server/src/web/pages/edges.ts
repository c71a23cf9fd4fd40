// The links of an article in both directions, and the warnings that follow from them.
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import type { Article, Edge } from '../page-services.ts';
import { addressText } from '../components/address.ts';
import { byline, pathOf, titleOf } from '../components/components.ts';
import type { Site } from '../site.ts';
import type { PageContext, PageRequest } from '../context.ts';
import { pageForm } from '../components/forms.ts';
import { formatCount, edgeWords } from '../components/labels.ts';
import { fan } from '../pictures/fan.ts';
import { graphPath } from '../pictures/graph-path.ts';
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
/** The number of notes above the text of a kind and direction. */
const notesMax = 3;

/** The kinds that withdraw, replace or correct a text, the most important first. */
const weighty = ['retracts', 'supersedes', 'corrects'] as const;
type Weighty = (typeof weighty)[number];

/** Returns the newest edges to an article; where there are more than a page has, those that matter most are read apart. */
async function readIncoming({ invoke, caller }: PageContext, { id, counts }: Article) {
  if (counts.edges_in === 0) return [];
  const read = async (query: { readonly limit: number; readonly kind?: Weighty }) => {
    const asked = { direction: 'in' as const, ...query };
    return (await invoke('listArticleEdges', { caller, params: { id }, query: asked })).body.items;
  };
  const newest = await read({ limit: readMax });
  if (counts.edges_in <= readMax) return newest;
  const apart = await Promise.all(weighty.map((kind) => read({ limit: notesMax, kind })));
  const known = new Set(newest.map((edge) => edge.id));
  return [...newest, ...apart.flat().filter((edge) => !known.has(edge.id))];
}

async function readOutgoing({ invoke, caller }: PageContext, { id, counts }: Article) {
  if (counts.edges_out === 0) return [];
  const query = { direction: 'out' as const, limit: readMax };
  return (await invoke('listArticleEdges', { caller, params: { id }, query })).body.items;
}

export async function readEdges(web: PageContext, article: Article): Promise<Edges> {
  const [out, incoming] = await Promise.all([
    readOutgoing(web, article),
    readIncoming(web, article),
  ]);
  return { out, in: incoming };
}

/** The first two are only for articles of the same responsible person. */
const said: Readonly<Record<Weighty, { readonly in: string; readonly out: string }>> = {
  retracts: {
    in: 'The author has retracted this article:',
    out: 'With this article the author retracts an earlier one:',
  },
  supersedes: {
    in: 'The author has replaced this article with another one:',
    out: 'This article replaces an earlier one:',
  },
  corrects: {
    in: 'The author has corrected this article:',
    out: 'This article corrects another one:',
  },
};

/** The person who is responsible for an article. */
function responsible({ id, owner_principal_id: owner }: Article['author']): string {
  return owner ?? id;
}

function noteOf(
  site: Site,
  own: Article,
  { kind, article }: Edge & { readonly kind: Weighty },
  direction: Direction,
): Content {
  if (!article?.title || !article.url || article.author === null) return null;
  const isOther = responsible(article.author) !== responsible(own.author);
  const words =
    direction === 'in' && isOther
      ? html`${byline(site, article.author)} has published a correction of this article:`
      : said[kind][direction];
  const link = html`<a href="${site.at(pathOf(site, { url: article.url }))}"><bdi>${titleOf({ title: article.title, excerpt: '' })}</bdi></a>`;
  const by = direction === 'out' && isOther && html` by ${byline(site, article.author)}`;
  return html`<p class="${direction === 'in' ? 'note warning' : 'note'}" role="note">${words} ${link}${by}.</p>
`;
}

/** What readers must know first: who has retracted, replaced or corrected the article, and what it does to others. */
export function warningNotes(site: Site, own: Article, edges: Edges): Content {
  const isOf =
    (kind: Weighty) =>
    (edge: Edge): edge is Edge & { readonly kind: Weighty } =>
      edge.kind === kind && Boolean(edge.article?.title && edge.article.url);
  const notes = (direction: Direction) =>
    weighty.flatMap((kind) =>
      edges[direction]
        .filter(isOf(kind))
        .slice(0, notesMax)
        .map((edge) => noteOf(site, own, edge, direction)),
    );
  return [notes('in'), notes('out')];
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
      ? html`<a rel="ugc nofollow noopener" href="${dst_uri}">${addressText(dst_uri)}</a>`
      : html`<code>${addressText(dst_uri)}</code>`;
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
  const { refused, request } = asked;
  const isRefused = refused?.name === 'unlink' && refused.fields.get('to') === id;
  const content = html`<input type="hidden" name="to" value="${id}">
<button>Remove this link</button>`;
  const form = pageForm(
    { site, asked: isRefused ? asked : { request } },
    { name: 'unlink', path, kind: 'act' },
    content,
  );
  return html`<details class="acts" id="unlink-${id}"${isRefused && html` open`}><summary>Remove</summary>
${form}</details>`;
}

interface Group {
  readonly title: string;
  readonly direction: Direction;
  readonly holds: (kind: Edge['kind']) => boolean;
}

/** Kinds by which a work builds on another one. */
const citing: readonly Edge['kind'][] = ['cites', 'derived_from', 'uses_data', 'uses_method'];

/** The headings: each edge of a direction is below one of them. */
const groups: readonly Group[] = [
  { title: 'In answer to', direction: 'out', holds: (kind) => kind === 'replies_to' },
  { title: 'Refers to', direction: 'out', holds: (kind) => kind !== 'replies_to' },
  { title: 'Cited by', direction: 'in', holds: (kind) => citing.includes(kind) },
  { title: 'Taken up by', direction: 'in', holds: (kind) => !citing.includes(kind) },
];

function rows(shown: Shown, edges: readonly Edge[], { title, direction, holds }: Group): Content {
  const { site } = shown.web;
  const ones = edges.filter(({ kind }) => holds(kind));
  if (ones.length === 0) return null;
  const items = ones.map(
    (edge) =>
      html`<li id="edge-${edge.id}"><span class="kind">${edgeWords[edge.kind][direction]}</span> ${target(site, edge)}${edge.note !== null && edge.note !== '' && html`<p class="small" dir="auto">${edge.note}</p>`}${removal(shown, edge)}</li>`,
  );
  return html`<h3>${title}</h3>
<ul class="edges">${items}</ul>
`;
}

/** The way to the whole picture, with a small one. */
function wholePicture(site: Site, { author, counts, url }: Article, edges: Edges): Content {
  if (edges.out.length + edges.in.length === 0) return null;
  const total = Math.max(counts.edges_in + counts.edges_out, edges.out.length + edges.in.length);
  const path = site.at(graphPath(pathOf(site, { url })));
  return html`<a class="hangs" href="${path}">${fan(author.kind, edges)}Connections: ${formatCount(total, 'link')} and what is around ${total === 1 ? 'it' : 'them'}</a>
`;
}

/** The links of an article, and the way to add one. */
export async function edgeSection(
  web: PageContext,
  asked: PageRequest,
  { article, edges }: { readonly article: Article; readonly edges: Edges },
): Promise<Content> {
  const { site } = web;
  const composer = await edgeComposer(web, asked, article);
  if (edges.out.length + edges.in.length === 0 && composer === null) return null;
  const shown = { web, asked, path: pathOf(site, article) };
  const first = { out: edges.out.slice(0, shownMax), in: edges.in.slice(0, shownMax) };
  return html`<section class="links" id="connections" aria-labelledby="links">
<h2 id="links">Connections</h2>
${wholePicture(site, article, edges)}${groups.map((group) => rows(shown, first[group.direction], group))}${composer}</section>`;
}
