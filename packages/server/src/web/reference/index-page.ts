// The list of all operations, which a search field narrows with or without a script.
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Site } from '../site.ts';
import { formatCount } from '../components/labels.ts';
import { method, path } from './field-list.ts';
import type { Area, Described } from './operations.ts';

/** Returns what the words of a search are looked for in. The script of the page reads it from the markup. */
function searchText({
  access,
  scopes,
  method: verb,
  name,
  path: address,
  summary,
}: Described): string {
  return `${verb} ${address} ${name} ${access} ${scopes.join(' ')} ${summary}`.toLowerCase();
}

function matches(operation: Described, query: string): boolean {
  const text = searchText(operation);
  return query.split(/\s/).every((word) => text.includes(word));
}

function row(site: Site, operation: Described, query: string): Html {
  const { access, scopes, slug, summary } = operation;
  const open = access === 'public' ? 'no token' : 'any token';
  const scope = scopes.length === 0 ? open : scopes.join(' ');
  return html`<li data-text="${searchText(operation)}"${!matches(operation, query) && html` hidden`}><a href="${site.at(`/docs/api/${slug}`)}">${method(operation.method)} ${path(operation.path)}</a>
<span class="says">${summary}</span> <span class="scope">${scope}</span></li>
`;
}

function areaSection(site: Site, area: Area, query: string): Html {
  const isEmpty = !area.operations.some((operation) => matches(operation, query));
  return html`<section aria-labelledby="${area.name}"${isEmpty && html` hidden`}><h2 id="${area.name}">${area.title}</h2>
<p class="small">${area.description}</p>
<ul class="operations">${area.operations.map((operation) => row(site, operation, query))}</ul></section>
`;
}

/** Returns the content of the page. `query`: the words of a search, '' for all operations. */
export function indexMain(site: Site, areas: readonly Area[], query: string): Html {
  const words = query.toLowerCase();
  const all = areas.flatMap(({ operations }) => operations);
  const count = all.filter((operation) => matches(operation, words)).length;
  return html`<div class="reference index">
<header class="intro">
<p class="small"><a href="${site.at('/docs')}">Guides</a></p>
<h1>API reference</h1>
<p>Every operation of the API, with examples that you can run and a form to try it. The same contract for programs is the <a href="${site.at('/v1/openapi.json')}">OpenAPI document</a>; for language models there is <a href="${site.at('/docs/operations.md')}">one Markdown page</a>.</p>
<form class="search" role="search" action="${site.at('/docs/api')}" method="get">
<label for="filter">Find an operation</label>
<div class="field"><input id="filter" type="search" name="q" value="${query}" maxlength="100" autocomplete="off" placeholder="publish, comments, admin:moderate…"><button type="submit">Find</button></div>
</form>
<p class="small" id="count" role="status">${formatCount(count, 'operation')}</p>
</header>
${areas.map((area) => areaSection(site, area, words))}
</div>`;
}
