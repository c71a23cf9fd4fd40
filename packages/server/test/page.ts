// Pages for tests: fetched as a browser does, and looked at as a tree.
import { defaultTreeAdapter, parse } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import type { TestServer } from './harness.ts';

export interface FetchedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Every element, in order. */
  readonly elements: readonly PageElement[];
  /** The elements with this name. */
  readonly all: (tag: string) => readonly PageElement[];
}

export interface PageElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of all that is inside. */
  readonly text: string;
}

type Node = DefaultTreeAdapterTypes.Node;

function textOf(node: Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function elementsOf(node: Node): PageElement[] {
  const inside = 'childNodes' in node ? node.childNodes.flatMap(elementsOf) : [];
  if (!defaultTreeAdapter.isElementNode(node)) return inside;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return [{ tag: node.tagName, attributes, text: textOf(node) }, ...inside];
}

/** Fetches a path, or a whole address, as browsers do; redirects are not followed. */
export async function fetchPage(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  place: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<FetchedPage> {
  const response = await fetch(new URL(place, baseUrl), {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...headers },
    redirect: 'manual',
  });
  const text = await response.text();
  const elements = elementsOf(parse(text));
  const all = (tag: string) => elements.filter((element) => element.tag === tag);
  return { status: response.status, headers: response.headers, text, elements, all };
}

/** Content of a meta element by its name or property. */
export function metaOf({ all }: FetchedPage, name: string): string | undefined {
  const found = all('meta').find(
    ({ attributes }) => attributes['name'] === name || attributes['property'] === name,
  );
  return found?.attributes['content'];
}

/** Address of a link element by its relation and type. */
export function linkOf({ all }: FetchedPage, rel: string, type?: string): string | undefined {
  const found = all('link').find(
    ({ attributes }) =>
      attributes['rel'] === rel && (type === undefined || attributes['type'] === type),
  );
  return found?.attributes['href'];
}

/** Levels of the headings that follow each other with a step down of more than one. */
export function skippedHeadings({ elements }: FetchedPage): readonly string[] {
  const levels = elements.flatMap(({ tag, text }) =>
    /^h[1-6]$/.test(tag) ? [{ level: Number(tag[1]), text }] : [],
  );
  return levels.flatMap(({ level, text }, index) => {
    const before = levels[index - 1]?.level ?? 0;
    return level > before + 1 ? [`h${level} ${text.trim()} after h${before}`] : [];
  });
}
