// HTML of other programs as Markdown: parsed to a tree, whose links can be changed before it is written.
import type { Element } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { defaultHandlers, toMdast } from 'hast-util-to-mdast';
import type { State } from 'hast-util-to-mdast';
import type { Nodes, PhrasingContent, Root } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';

type Tree = Nodes;

/** The caption of a figure or table: a paragraph of its own, emphasised. */
function figcaption(state: State, node: Element) {
  const children = state.all(node) as PhrasingContent[];
  const isPlain = children.every(({ type }) => type !== 'emphasis' && type !== 'break');
  const content = isPlain ? [{ type: 'emphasis' as const, children }] : children;
  return { type: 'paragraph' as const, children: content };
}

/** An embedded page becomes a link to it. */
function iframe(_: State, { properties }: Element) {
  const { src, title } = properties;
  if (typeof src !== 'string' || src === '') return undefined;
  const text = typeof title === 'string' && title !== '' ? title : src;
  const link = {
    type: 'link' as const,
    url: src,
    children: [{ type: 'text' as const, value: text }],
  };
  return { type: 'paragraph' as const, children: [link] };
}

/** A video or sound becomes a link, whose words are the name of its file if nothing else is shown. */
function player(state: State, node: Element) {
  const made = defaultHandlers.video(state, node);
  if (made === undefined || Array.isArray(made) || made.type !== 'link') return made;
  const isShown = made.children.some((child) => child.type !== 'text' || child.value.trim() !== '');
  if (isShown) return made;
  const name = made.url.replace(/[?#][^]*$/, '').replace(/^[^]*\//, '');
  const value = made.title || name || made.url;
  return value === '' ? undefined : { ...made, children: [{ type: 'text' as const, value }] };
}

export interface HtmlText {
  /** Addresses of all images and links. */
  readonly addresses: readonly string[];
  readonly plain: string;
  /** Short pieces of HTML, such as titles, as plain text. */
  readonly short: readonly string[];
}

/** Reads an article, and short pieces of HTML that belong to it. */
export function readHtml(given: {
  readonly html: string;
  readonly short: readonly string[];
}): HtmlText {
  const tree = parsedOnce(given.html);
  return {
    addresses: [...addressesIn(tree)],
    plain: plainText(tree),
    short: given.short.map((html) => plainText(parseHtml(html))),
  };
}

/** Writes HTML as Markdown, with other addresses for those in `addresses`. */
export function writeHtml(given: {
  readonly html: string;
  readonly addresses: ReadonlyMap<string, string>;
}): string {
  return writeMarkdown(parsedOnce(given.html), (address) => given.addresses.get(address));
}

let last: { readonly html: string; readonly tree: Tree } | undefined;

/** An article is read once and written at most a few times right after. */
function parsedOnce(html: string): Tree {
  if (last?.html !== html) last = { html, tree: parseHtml(html) };
  return last.tree;
}

/** Parses a fragment. Scripts, styles, comments and forms are left out. */
export function parseHtml(html: string): Tree {
  const html5 = fromHtml(html, { fragment: true });
  const handlers = { figcaption, iframe, video: player, audio: player };
  const nodeHandlers = { comment: () => undefined };
  const tree = toMdast(html5, { document: true, handlers, nodeHandlers });
  walk(tree, linkAddress);
  return tree;
}

/** A paragraph that is only an address becomes a link: other programs embed what it leads to. */
function linkAddress(node: Nodes): void {
  if (node.type !== 'paragraph' || node.children.length !== 1) return;
  const [child] = node.children;
  if (child?.type !== 'text' || !/^\s*https?:\/\/\S+\s*$/.test(child.value)) return;
  node.children = [{ type: 'link', url: child.value.trim(), children: [child] }];
}

/** Calls `visitor` for each node, in the order of the text. */
function walk(node: Nodes, visitor: (node: Nodes) => void): void {
  visitor(node);
  if ('children' in node) for (const child of node.children) walk(child, visitor);
}

/** Returns the addresses of all images and links. */
function addressesIn(tree: Tree): ReadonlySet<string> {
  const found = new Set<string>();
  walk(tree, (node) => {
    if (node.type === 'image' || node.type === 'link') found.add(node.url);
  });
  return found;
}

/** Returns the text without its marks, on one line. */
export function plainText(tree: Tree): string {
  const parts: string[] = [];
  walk(tree, (node) => {
    if (node.type === 'text' || node.type === 'inlineCode') parts.push(node.value);
    if (node.type === 'paragraph' || node.type === 'break') parts.push(' ');
  });
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}

/** Writes a tree as Markdown, with other addresses where `addressOf` returns one. */
export function writeMarkdown(
  tree: Tree,
  addressOf: (url: string) => string | undefined = () => undefined,
): string {
  const copy = structuredClone(tree) as Root;
  walk(copy, (node) => {
    if (node.type === 'image' || node.type === 'link') node.url = addressOf(node.url) ?? node.url;
  });
  return toMarkdown(copy, {
    bullet: '-',
    fences: true,
    rule: '-',
    extensions: [gfmToMarkdown()],
  });
}
