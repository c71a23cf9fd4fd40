// HTML as a tree that can be compared: attributes by name, no white space that shows nowhere.
import { defaultTreeAdapter, parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Tree[];
}

export type Tree = string | Element;

const blocks = new Set(
  'address article aside blockquote details dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

function isBlock(tree: Tree | undefined): boolean {
  return tree === undefined || (typeof tree !== 'string' && blocks.has(tree.tag));
}

function joinTexts(trees: readonly Tree[]): Tree[] {
  const list: Tree[] = [];
  for (const tree of trees) {
    const last = list.at(-1);
    if (typeof tree === 'string' && typeof last === 'string') list[list.length - 1] = last + tree;
    else list.push(tree);
  }
  return list;
}

/** White space between blocks, and at the ends of one, is not seen; elsewhere one space is as many. */
function collapseSpace(trees: readonly Tree[], parentIsBlock: boolean): Tree[] {
  const texts = joinTexts(trees);
  const ends = (tree: Tree | undefined) => (tree === undefined ? parentIsBlock : isBlock(tree));
  return texts.flatMap((tree, index): Tree[] => {
    if (typeof tree !== 'string') return [tree];
    let text = tree.replaceAll(/[ \t\n]+/g, ' ');
    if (ends(texts[index - 1])) text = text.trimStart();
    if (ends(texts[index + 1])) text = text.trimEnd();
    return text === '' ? [] : [text];
  });
}

function treesOf(nodes: readonly DefaultTreeAdapterTypes.ChildNode[], inPre: boolean): Tree[] {
  return nodes.flatMap((node): Tree[] => {
    if (defaultTreeAdapter.isTextNode(node)) return [node.value];
    if (!defaultTreeAdapter.isElementNode(node)) return [`<!${node.nodeName}>`];
    const { tagName: tag, attrs } = node;
    const attributes = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
    const verbatim = inPre || tag === 'pre';
    const children = treesOf(node.childNodes, verbatim);
    return [{ tag, attributes, children: verbatim ? joinTexts(children) : children }];
  });
}

/** Applies `change` from the leaves up; what it answers takes the element's place. */
export function mapTrees(
  trees: readonly Tree[],
  change: (element: Element) => readonly Tree[],
): readonly Tree[] {
  return joinTexts(
    trees.flatMap((tree) =>
      typeof tree === 'string'
        ? [tree]
        : change({ ...tree, children: mapTrees(tree.children, change) }),
    ),
  );
}

/** White space as a page shows it; `pre` keeps its own. */
export function tidyTrees(trees: readonly Tree[], parentIsBlock = true): readonly Tree[] {
  return collapseSpace(
    trees.map((tree) => {
      if (typeof tree === 'string') return tree;
      if (tree.tag === 'pre') return { ...tree, children: joinTexts(tree.children) };
      return { ...tree, children: tidyTrees(tree.children, isBlock(tree)) };
    }),
    parentIsBlock,
  );
}

/** What a browser makes of a piece of HTML. */
export function parseHtml(html: string): readonly Tree[] {
  return treesOf(parseFragment(html).childNodes, false);
}

/** Every element of a tree. */
export function elementsOf(trees: readonly Tree[]): readonly Element[] {
  return trees.flatMap((tree) =>
    typeof tree === 'string' ? [] : [tree, ...elementsOf(tree.children)],
  );
}

/** The text of a tree, as it would be copied. */
export function textOf(trees: readonly Tree[]): string {
  return trees.map((tree) => (typeof tree === 'string' ? tree : textOf(tree.children))).join('');
}
