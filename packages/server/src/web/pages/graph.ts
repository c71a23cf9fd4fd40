// `/@{username}/{place}/graph`: the articles and addresses around an article, as a picture and as a list.
import { edgeKinds } from '@colophon/contract';
import { byline, pathOf, titleOf } from '../components/components.ts';
import { formatCount, edgeWords } from '../components/labels.ts';
import { tabs } from '../components/tabs.ts';
import { assetPaths } from '../assets.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Article } from '../page-services.ts';
import { graphKey, graphList } from '../pictures/graph-list.ts';
import { graphPath, usualDepth } from '../pictures/graph-path.ts';
import type { Depth, GraphInput } from '../pictures/graph-path.ts';
import { graphPicture, layoutTaskOf } from '../pictures/graph-picture.ts';
import { graphViewOf } from '../pictures/graph-view.ts';
import type { GraphView } from '../pictures/graph-view.ts';
import { articleAt, isAt } from './article.ts';

const depths = { 1: 'One step', 2: 'Two steps', 3: 'Three steps' } as const;

function inputOf(asked: PageRequest): GraphInput {
  const depth = Number(queryValue(asked, 'depth') ?? usualDepth);
  const kinds = edgeKinds.filter((kind) => asked.query.getAll('kind').includes(kind));
  return { depth: depth === 1 || depth === 3 ? depth : usualDepth, kinds };
}

/** The choice of kinds, as a form that works without scripts. */
function kindForm({ site }: PageContext, path: string, { depth, kinds }: GraphInput): Html {
  const chosen = kinds.map((kind) => edgeWords[kind].out);
  const boxes = edgeKinds.map(
    (kind) =>
      html`<label><input type="checkbox" name="kind" value="${kind}"${kinds.includes(kind) && html` checked`}> ${edgeWords[kind].out}</label>
`,
  );
  return html`<details class="kinds"><summary>${kinds.length === 0 ? 'All kinds of links' : `Only: ${chosen.join(', ')}`}</summary>
<form method="get" action="${site.at(graphPath(path))}">${depth !== usualDepth && html`<input type="hidden" name="depth" value="${depth}">`}<fieldset><legend>Show only</legend>${boxes}</fieldset>
<p><button>Show</button>${kinds.length > 0 && html` <a href="${site.at(graphPath(path, { depth }))}">All kinds</a>`}</p></form></details>`;
}

function says({ nodes, edges, truncated }: GraphView): Html {
  const near = `${formatCount(nodes.length - 1, 'work')} around this article, ${formatCount(edges.length, 'link')}.`;
  return html`<p class="says" id="graph-says">${near}${truncated && ' There are more: these are the nearest and newest.'} The list says the same in words.</p>`;
}

/** Filled by the script: keys and buttons, and what the chosen node is. */
const tools = html`<div class="tools" id="graph-tools" hidden><p class="small">Arrow keys go from work to work, Enter opens it, Home goes back to the middle; + and − zoom, and so do two fingers.</p>
<p class="zoom"><button type="button" data-zoom="in" aria-label="Zoom in">+</button> <button type="button" data-zoom="out" aria-label="Zoom out">−</button> <button type="button" data-zoom="all">Whole picture</button></p></div>
<div class="chosen" id="graph-chosen" hidden></div>`;

async function picture(web: PageContext, view: GraphView): Promise<Content> {
  const layout = await web.layOut(layoutTaskOf(view));
  if (layout === null)
    return html`<p class="note" role="note">The picture could not be drawn now. Load the page again in a moment; the list has everything.</p>`;
  return html`<div class="canvas">${graphPicture(view, layout)}</div>
${tools}
${graphKey(view)}`;
}

async function content(
  web: PageContext,
  article: Article,
  { input, view }: { readonly input: GraphInput; readonly view: GraphView },
): Promise<Html> {
  const { site } = web;
  const path = pathOf(site, article);
  const title = titleOf({ title: article.title, excerpt: '' });
  const steps = Object.entries(depths).map(([depth, label]) => ({
    path: site.at(graphPath(path, { ...input, depth: Number(depth) as Depth })),
    label,
    isCurrent: Number(depth) === input.depth,
  }));
  const isAlone = view.nodes.length < 2;
  const shown = isAlone
    ? html`<p class="empty">${input.kinds.length === 0 ? 'Nothing is linked with this article yet.' : 'No links of these kinds.'}</p>`
    : html`<div class="around"><section class="drawn" aria-label="Picture">
${says(view)}
${await picture(web, view)}
</section>
${graphList(site, view)}</div>`;
  const record = site.at(`/v1/articles/${article.id}/graph?depth=${input.depth}`);
  return html`<header class="intro">
<h1>Connections</h1>
<p class="meta"><span>around <a href="${site.at(path)}"><bdi>${title}</bdi></a></span> ${byline(site, article.author)}</p>
${tabs('How far', steps)}
${kindForm(web, path, input)}
</header>
${shown}
<p class="small">As data: <a href="${record}" type="application/json">JSON</a>, and JSON-LD for clients that request it.</p>`;
}

export async function showGraph(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke, caller } = web;
  const { article } = await articleAt(web, asked.params['place'] ?? '', caller);
  const path = pathOf(site, article);
  const input = inputOf(asked);
  if (!isAt(asked, path)) return { elsewhere: graphPath(path, input) };
  const { id } = article;
  const { depth, kinds } = input;
  const query = { depth, ...(kinds.length === 0 ? {} : { kinds: kinds.join(',') }) };
  const [graph, { listed }] = await Promise.all([
    invoke('readGraph', { caller, params: { id }, query }),
    web.articles.shownState(id),
  ]);
  const view = graphViewOf(site, graph.body);
  const title = titleOf({ title: article.title, excerpt: '' });
  const page = {
    title: `Connections of ${title}`,
    description: `The works that ${title} is linked with.`,
    canonical: site.url(graphPath(path)),
    // The picture of each article, and each choice of kinds, has nothing that the articles do not have.
    noindex: true,
    main: await content(web, article, { input, view }),
    sheet: assetPaths.graph,
    script: web.scripts.graph,
  };
  return pageResponse(web, page, listed);
}
