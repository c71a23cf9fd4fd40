// GET /docs/api and /docs/api/{operation}: the API reference as pages, or as Markdown by `.md` or `Accept`.
import type { Config } from '#config';
import { preferredType, problem } from '#http';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { pageResponse } from '../page-response.ts';
import { varyByCookie } from '../respond.ts';
import type { Representation } from '../respond.ts';
import { indexMain } from './index-page.ts';
import { indexMarkdown, operationMarkdown } from './markdown.ts';
import { operationMain } from './operation-page.ts';
import { areasOf, slugOf } from './operations.ts';
import type { Area } from './operations.ts';

/** Read on the first request. */
const areasOfDeployment = new WeakMap<Config, readonly Area[]>();

function allAreas({ config }: PageContext): readonly Area[] {
  const areas = areasOfDeployment.get(config) ?? areasOf(config);
  areasOfDeployment.set(config, areas);
  return areas;
}

const vary = { vary: 'Accept' };

function markdownOf(text: string): Representation {
  return {
    contentType: 'text/markdown; charset=utf-8',
    text,
    shared: true,
    noindex: true,
    headers: { ...vary, 'access-control-allow-origin': '*' },
  };
}

function wantsMarkdown({ request }: PageRequest): boolean {
  const types = ['text/html', 'text/markdown'];
  return preferredType(request.headers.accept, types) === 'text/markdown';
}

/** `/docs/api.md` */
export async function showReferenceText(web: PageContext): Promise<PageAnswer> {
  return markdownOf(indexMarkdown(allAreas(web), web.site.baseUrl));
}

/** `/docs/api` */
export async function showReference(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  if (wantsMarkdown(asked)) return showReferenceText(web);
  const { site } = web;
  const query = queryValue(asked, 'q')?.trim().slice(0, 100) ?? '';
  const page = {
    title: 'API reference',
    description: `Every operation of the API of ${site.name}, with examples and a form to try it.`,
    canonical: site.url('/docs/api'),
    noindex: query !== '',
    main: indexMain(site, allAreas(web), query),
    script: web.scripts['api-reference'],
  };
  return varyByCookie(pageResponse(web, page, query === ''));
}

/** `/docs/api/{operation}`, by its slug; the name of the operation redirects to it. */
export async function showOperation(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, config } = web;
  const { operation: given = '' } = asked.params;
  const name = given.replace(/\.md$/, '');
  const isText = name !== given;
  for (const area of allAreas(web)) {
    const operation = area.operations.find(({ slug }) => slug === slugOf(name));
    if (operation === undefined) continue;
    if (operation.slug !== name)
      return { elsewhere: `/docs/api/${operation.slug}${isText ? '.md' : ''}` };
    if (isText || wantsMarkdown(asked)) return markdownOf(operationMarkdown(operation));
    const page = {
      title: operation.summary,
      description: `${operation.method} ${operation.path}: ${operation.summary}.`,
      canonical: site.url(`/docs/api/${operation.slug}`),
      noindex: false,
      main: operationMain({ site, area, operation, errorsBaseUrl: config.errorsBaseUrl }),
      script: web.scripts['api-reference'],
    };
    return varyByCookie(pageResponse(web, page, true));
  }
  throw problem('not-found', 'No operation has this name. /docs/api lists all of them.');
}
