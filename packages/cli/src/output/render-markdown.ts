// Markdown for the terminal: headings, lists, quotes, code, tables, and links with their addresses.
import { wrapAnsi } from 'fast-wrap-ansi';
import MarkdownIt from 'markdown-it';
import { oneLine, printable } from './printable.ts';
import type { Style } from './style.ts';
import { table } from './table.ts';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

interface Node {
  readonly token: Token;
  readonly children: readonly Node[];
}

interface Place {
  readonly width: number;
  readonly style: Style;
}

/** Without HTML: tags are shown as text. */
const markdown = new MarkdownIt({ html: false, linkify: true });

/** Returns opening and closing tokens as nodes of a tree. */
function treeOf(tokens: readonly Token[]): readonly Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const token of tokens) {
    const here = open.at(-1) ?? root;
    if (token.nesting < 0) {
      open.pop();
      continue;
    }
    const children: Node[] = [];
    here.push({ token, children });
    if (token.nesting > 0) open.push(children);
  }
  return root;
}

const attribute = (token: Token, name: string) => printable(String(token.attrGet(name) ?? ''));

function linkText({ token, children }: Node, style: Style): string {
  const address = oneLine(attribute(token, 'href'));
  const text = inlineText(children, style);
  const shown = style('underline', text);
  return oneLine(plainText(children)) === address ? shown : `${shown} <${address}>`;
}

function imageText({ token }: Node): string {
  return `[image: ${oneLine(token.content)}] <${oneLine(attribute(token, 'src'))}>`;
}

type Inline = (node: Node, style: Style) => string;

const inlines: Readonly<Record<string, Inline>> = {
  softbreak: () => ' ',
  hardbreak: () => '\n',
  code_inline: ({ token }, style) => style('cyan', printable(token.content)),
  em_open: ({ children }, style) => style('italic', inlineText(children, style)),
  strong_open: ({ children }, style) => style('bold', inlineText(children, style)),
  s_open: ({ children }, style) => style('strikethrough', inlineText(children, style)),
  link_open: linkText,
  image: imageText,
};

function inlineText(nodes: readonly Node[], style: Style): string {
  return nodes
    .map((node) => inlines[node.token.type]?.(node, style) ?? printable(node.token.content))
    .join('');
}

const noStyle: Style = (_, text) => text;
const plainText = (nodes: readonly Node[]) => inlineText(nodes, noStyle);

/** Returns the inline content of a block. */
function contentOf({ children }: Node, style: Style): string {
  return children.map(({ token }) => inlineText(treeOf(token.children ?? []), style)).join('');
}

const wrapLines = (text: string, width: number) =>
  wrapAnsi(text, Math.max(width, 20), { hard: true }).split('\n');

/** Puts `first` before the first line and as many spaces, or `rest`, before the others. */
function indent(lines: readonly string[], first: string, rest = ' '.repeat(first.length)) {
  return lines.map((line, at) => `${at === 0 ? first : rest}${line}`.trimEnd());
}

type Block = (node: Node, place: Place) => readonly string[];

const list: Block = ({ token, children }, { width, style }) => {
  const begin = Number(token.attrGet('start') ?? 1);
  const tight = children.some(({ children: [paragraph] }) => paragraph?.token.hidden);
  return children.flatMap((item, at) => {
    const mark = token.type === 'ordered_list_open' ? `${begin + at}. ` : '• ';
    const lines = blocks(item.children, { width: width - mark.length, style }, tight);
    const gap = tight || at === 0 ? [] : [''];
    return [...gap, ...indent(lines.length === 0 ? [''] : lines, mark)];
  });
};

const codeBlock: Block = ({ token }, { style }) =>
  printable(token.content)
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `    ${style('cyan', line)}`);

function rowsIn({ children }: Node): string[][] {
  return children.map((row) => row.children.map((one) => oneLine(contentOf(one, noStyle))));
}

const tableBlock: Block = ({ children }, place) => {
  const [head = [], ...rows] = children.flatMap(rowsIn);
  const drawn = table(
    head.map((title) => ({ title })),
    rows.length === 0 ? [head.map(() => '')] : rows,
    place,
  );
  return drawn.trimEnd().split('\n');
};

const blockKinds: Readonly<Record<string, Block>> = {
  heading_open: (node, { width, style }) => {
    const text = `${node.token.markup.startsWith('#') ? node.token.markup : '#'} ${contentOf(node, style)}`;
    return wrapLines(style('bold', text), width);
  },
  paragraph_open: (node, { width, style }) => wrapLines(contentOf(node, style), width),
  bullet_list_open: list,
  ordered_list_open: list,
  blockquote_open: ({ children }, { width, style }) => {
    const bar = style('dim', '│ ');
    return indent(blocks(children, { width: width - 2, style }), bar, bar);
  },
  fence: codeBlock,
  code_block: codeBlock,
  hr: (_, { width, style }) => [style('dim', '─'.repeat(Math.min(width, 40)))],
  table_open: tableBlock,
};

function blocks(nodes: readonly Node[], place: Place, tight = false): readonly string[] {
  return nodes.flatMap((node, at) => {
    const lines = blockKinds[node.token.type]?.(node, place) ?? [printable(node.token.content)];
    return at === 0 || tight ? lines : ['', ...lines];
  });
}

/** Returns Markdown of participants as printable lines of at most `width` columns. */
export function renderMarkdown(text: string, { width, style }: Place): string {
  return blocks(treeOf(markdown.parse(text, {})), { width: Math.min(width, 100), style }).join(
    '\n',
  );
}
