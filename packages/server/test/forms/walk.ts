// Follows every link of the pages, as a person and as a stranger: what is linked is tested without a new line.
import { webRoutes } from '#web';
import type { FetchedPage } from '../page.ts';
import type { TestServer } from '../harness.ts';
import { formsIn } from './shown-forms.ts';
import type { ShownForm } from './shown-forms.ts';

export interface MetPage {
  /** As it stands in `webRoutes`. */
  readonly pattern: string;
  readonly path: string;
  readonly page: FetchedPage;
}

export interface MetForm {
  readonly pattern: string;
  /** What follows `?form=`. */
  readonly name: string;
  /** The address that it is sent to, without the origin. */
  readonly action: string;
  /** The page that shows it. */
  readonly path: string;
  readonly form: ShownForm;
}

const patterns = webRoutes
  .filter(({ method, path }) => method === 'GET' && path !== '/assets/{name}')
  .map(({ path }) => ({
    path,
    // Of two patterns that match, the one with fewer parameters is the more specific.
    parameters: path.split('{').length,
    regex: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .toSorted((one, other) => one.parameters - other.parameters);

/** Returns the pattern of a path. */
export function patternOf(path: string): string | undefined {
  const { pathname } = new URL(path, 'http://any.example');
  return patterns.find(({ regex }) => regex.test(pathname))?.path;
}

/** Pages that differ only in the values of their addresses are alike. */
function kindOf(url: URL, pattern: string): string {
  return `${pattern}?${[...url.searchParams.keys()].toSorted().join('&')}`;
}

export interface Walk {
  readonly server: Pick<TestServer, 'baseUrl'>;
  /** Fetches a page as the person who walks. */
  readonly fetch: (path: string) => Promise<FetchedPage>;
  readonly starts: readonly string[];
  /** How many pages of a kind are visited. */
  readonly ofKind: number;
}

/** Returns the addresses that a page leads to. */
function linksOf({ headers, all }: FetchedPage): readonly string[] {
  const location = headers.get('location');
  const isHtml = (headers.get('content-type') ?? '').startsWith('text/html');
  const links = isHtml ? all('a').flatMap(({ attributes }) => attributes['href'] ?? []) : [];
  return location === null ? links : [location, ...links];
}

/** Returns what chooses addresses: those of pages, each once, and of those that are alike only so many. */
function chooser({ server, starts, ofKind }: Walk) {
  const counts = new Map<string, number>();
  return (path: string): { readonly pattern: string; readonly address: string } | undefined => {
    const url = new URL(path, server.baseUrl);
    const address = `${url.pathname}${url.search}`;
    const pattern = url.origin === server.baseUrl ? patternOf(address) : undefined;
    if (pattern === undefined || counts.has(address)) return undefined;
    counts.set(address, 1);
    const kind = kindOf(url, pattern);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= ofKind || starts.includes(path) ? { pattern, address } : undefined;
  };
}

/** Returns the pages that links lead to. Addresses of the API and files are not followed. */
export async function walk(own: Walk): Promise<readonly MetPage[]> {
  const met: MetPage[] = [];
  const choose = chooser(own);
  const waiting = [...own.starts];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const chosen = choose(path);
    if (chosen === undefined) continue;
    const page = await own.fetch(chosen.address);
    met.push({ pattern: chosen.pattern, path: chosen.address, page });
    waiting.push(...linksOf(page));
  }
  return met;
}

/** Returns the forms of pages that are answered by the kernel of forms; those of scripts name no form. */
export function formsOf(pages: readonly MetPage[]): readonly MetForm[] {
  return pages.flatMap(({ path, page }) =>
    formsIn(page.text).flatMap((form) => {
      const url = new URL(form.action, `http://any.example${path}`);
      const name = url.searchParams.get('form');
      const pattern = patternOf(url.pathname);
      if (name === null || pattern === undefined) return [];
      return [{ pattern, name, action: `${url.pathname}${url.search}`, path, form }];
    }),
  );
}
