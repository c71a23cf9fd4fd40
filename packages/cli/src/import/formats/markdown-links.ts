// Links to files in Markdown: found with a parser, so that code stays as it is, and replaced in the source text.
import type { Definition, Html, Image, Link, Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A link or an image of a text. */
export interface FoundLink {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  /** What is written around another address. */
  readonly before: string;
  readonly after: string;
}

/** A part of a text in which syntax of other programs is read: no code, no HTML, no link. */
export interface Found {
  readonly links: readonly FoundLink[];
  readonly opaque: readonly { readonly start: number; readonly end: number }[];
}

function titleText(title: string | null | undefined): string {
  return title ? ` "${title.replaceAll(/["\\]/g, String.raw`\$&`)}"` : '';
}

/** Returns the source of a link with another address. */
export function linkTo(
  { before, after }: Pick<FoundLink, 'before' | 'after'>,
  url: string,
): string {
  return before + plainAddress(url) + after;
}

function plainAddress(url: string): string {
  return /[\s()<>]/.test(url) ? `<${url.replaceAll(/[<>\n]/g, encodeURIComponent)}>` : url;
}

function bracket(text: string): string {
  return text.replaceAll(/[[\]\\]/g, String.raw`\$&`);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function imageLink({ url, alt, title }: Image, range: Range): FoundLink {
  const words = bracket(alt ?? '');
  return { ...range, url, before: `![${words}](`, after: `${titleText(title)})` };
}

function definitionLink({ url, title }: Definition, range: Range, source: string): FoundLink {
  const whole = source.slice(range.start, range.end);
  const label = /^\[(?:[^\]\\]|\\.)*\]/.exec(whole)?.[0] ?? '';
  return { ...range, url, before: `${label}: `, after: titleText(title) };
}

function textLink(node: Link, range: Range, source: string): FoundLink | undefined {
  const { url, title, children } = node;
  // An image inside is found on its own: such a link keeps its address, and so does a bare address.
  if (source[range.start] !== '[' || children.some(({ type }) => type === 'image'))
    return undefined;
  const first = children.at(0)?.position?.start.offset ?? range.start + 1;
  const words = source.slice(first, children.at(-1)?.position?.end.offset ?? first);
  return { ...range, url, before: `[${words}](`, after: `${titleText(title)})` };
}

function linkOf(node: Nodes, source: string, range: Range): FoundLink | undefined {
  if (node.type === 'image') return imageLink(node, range);
  if (node.type === 'definition') return definitionLink(node, range, source);
  if (node.type === 'link') return textLink(node, range, source);
  return node.type === 'html' ? htmlImage(node, range) : undefined;
}

/** An image as HTML, which the service shows as text. */
function htmlImage(node: Html, range: Range): FoundLink | undefined {
  const [, attributes] = /^<img\b([^>]*?)\/?>$/i.exec(node.value.trim()) ?? [];
  const of = (name: string) =>
    new RegExp(String.raw`\b${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes ?? '');
  const [, a, b] = of('src') ?? [];
  const url = a ?? b;
  if (url === undefined) return undefined;
  const [, c, d] = of('alt') ?? [];
  const words = bracket(c ?? d ?? '');
  return { ...range, url, before: `![${words}](`, after: ')' };
}

const opaqueTypes = new Set([
  'code',
  'inlineCode',
  'html',
  'image',
  'link',
  'definition',
  'linkReference',
]);

/** Parses a text and returns its links, and the parts that stay as they are. */
export function findLinks(source: string): Found {
  const links: FoundLink[] = [];
  const opaque: { start: number; end: number }[] = [];
  const visit = (node: Nodes): void => {
    const { start, end } = node.position ?? {};
    const range = { start: start?.offset ?? 0, end: end?.offset ?? 0 };
    const link = linkOf(node, source, range);
    if (link !== undefined) links.push(link);
    if (opaqueTypes.has(node.type)) opaque.push(range);
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(source));
  return { links, opaque };
}

/**
 * Returns the matches of a global pattern outside code, HTML and links. Parts inside others come after them, so that the
 * ends do not grow: the furthest one counts.
 */
export function matchesOutside(
  source: string,
  { opaque }: Found,
  pattern: RegExp,
): readonly RegExpExecArray[] {
  let next = 0;
  let end = 0;
  return [...source.matchAll(pattern)].filter(({ index, 0: whole }) => {
    const after = index + whole.length;
    for (let part = opaque[next]; part !== undefined && part.start < after; part = opaque[next]) {
      end = Math.max(end, part.end);
      next += 1;
    }
    return end <= index;
  });
}

/** Applies edits; of two that overlap, the first one counts. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < done) continue;
    parts.push(source.slice(done, start), text);
    done = end;
  }
  return parts.join('') + source.slice(done);
}

/** Returns the title of a text that begins with a heading of the first level, and the rest. */
export function leadingTitle(
  source: string,
): { readonly title: string; readonly rest: string } | undefined {
  const [first] = fromMarkdown(source).children;
  if (first?.type !== 'heading' || first.depth !== 1) return undefined;
  const rest = source.slice(first.position?.end.offset ?? 0).replace(/^\s*\n/, '');
  return { title: toString(first), rest };
}
