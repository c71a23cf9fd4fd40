// The plain text of the beginning of a Markdown text: no syntax, code blocks, addresses or tags.

import markdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/**
 * HTML is parsed only to be left out: nothing here is ever rendered. Without the block rule, a tag around a
 * paragraph removes only itself, not the words up to the closing tag. Nesting beyond 20, which CommonMark's
 * own setting allows, is the most expensive form of hostile brackets.
 */
const newParser = () =>
  markdownIt({ html: true, linkify: false, maxNesting: 20 }).disable('html_block');
const parser = newParser();
/** Finds the blocks and leaves their contents as they are. */
const blockParser = newParser().disable(['inline', 'text_join']);

const SPACES = /\s+/g;
/** Punctuation that already ends a heading. */
const ENDED = /[.:;!?…。：；！？؟؛۔।]["'”’»)\]]?$/u;
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/**
 * Returns the plain text of the first `limit` UTF-16 code units of a Markdown text, on one line. Headings,
 * paragraphs and table cells are joined by spaces; images become their alternative text; inline code is kept
 * only with `inlineCode`. With `headings: 'apart'` a dot stands between a heading and the text after it, which would
 * otherwise read as one sentence. The limit bounds the cost, which for hostile Markdown grows with the length.
 */
export function plainText(
  markdown: string,
  options: { limit: number; inlineCode: boolean; headings?: 'apart' },
): string {
  const beginning = markdown.slice(0, options.limit).replace(HALF_CHARACTER, '').toWellFormed();
  const words: string[] = [];
  let isHeading = false;
  let isOpen = false;
  for (const { type, nesting, children } of parser.parse(beginning, {})) {
    if (nesting > 0) isHeading = type === 'heading_open';
    if (type !== 'inline') continue;
    const text = withoutMarks(wordsOf(children ?? [], options.inlineCode));
    if (text === '') continue;
    words.push(...(isOpen ? ['·', text] : [text]));
    isOpen = isHeading && options.headings === 'apart' && !ENDED.test(text);
  }
  return words.join(' ').replaceAll(SPACES, ' ').trim();
}

/** Removes the marks of footnotes, and at the beginning that of the note itself. */
function withoutMarks(text: string): string {
  return text.replace(FOOTNOTE, '').replaceAll(FOOTNOTE_MARK, '').trim();
}

/** One unit of text: a paragraph, a heading, a list item or a table cell. */
export interface Block {
  readonly text: string;
  /** `paragraph`: at the top level; `inner`: in a list or quote. */
  readonly kind: 'paragraph' | 'inner' | 'heading' | 'cell';
  /** Blocks of the same list, quote or table have the same number. */
  readonly group: number;
  /** Whether there are words outside of links and images. */
  readonly isProse: boolean;
}

const LETTER = /\p{L}/u;
const FOOTNOTE_MARK = /\[\^[^\s[\]]{1,64}\]/g;
/** A parser without footnotes reads the definition of a footnote as a paragraph. */
const FOOTNOTE = /^\[\^[^\s[\]]{1,64}\]:/;
/** The box of a task. */
const BOX = /^\[[ x]\]\s+/i;
/** How the parser shows such a reference when the note is only an address: a link to it. */
const LINKED_MARK = /^\^\S{1,64}$/;
const DEFINITION = /^ {0,3}\[(?!\^)([^\n[\]\\]{1,200})\]:/;

/**
 * Returns the labels of the link definitions in a text in the parser's form, so that it resolves references
 * to them.
 */
function referencesIn(
  text: string,
): Record<string, { readonly href: string; readonly title: string }> {
  const labels = text.split('\n').flatMap((line) => DEFINITION.exec(line)?.[1] ?? []);
  const { normalizeReference } = parser.utils;
  return Object.fromEntries(
    labels.map((label) => [normalizeReference(label), { href: '', title: '' }]),
  );
}

const kinds: Readonly<Record<string, Block['kind']>> = {
  heading_open: 'heading',
  th_open: 'cell',
  td_open: 'cell',
};

/**
 * Returns the blocks of the first `limit` UTF-16 code units of a Markdown text, each on one line, without
 * images and footnote references. Links may be defined in `definitions`, a later part of the same document.
 * The content of a block is read when it is asked for.
 */
export function plainBlocks(
  markdown: string,
  options: { readonly limit: number; readonly definitions: string },
): readonly Block[] {
  const beginning = markdown.slice(0, options.limit).replace(HALF_CHARACTER, '').toWellFormed();
  const env = { references: referencesIn(options.definitions) };
  const blocks: Block[] = [];
  let group = 0;
  let kind: Block['kind'] = 'paragraph';
  let opened = '';
  let isItem = false;
  for (const { type, level, content, nesting } of blockParser.parse(beginning, env)) {
    if (level === 0 && nesting >= 0) group += 1;
    if (type !== 'inline') {
      isItem = opened === 'list_item_open';
      opened = type;
      if (nesting > 0) kind = kinds[type] ?? (level === 0 ? 'paragraph' : 'inner');
      continue;
    }
    if (FOOTNOTE.test(content)) continue;
    blocks.push(blockOf(isItem ? content.replace(BOX, '') : content, env, { kind, group }));
  }
  return blocks;
}

/** Reads the content of a block when it is first asked for: usually that is one block of several. */
function blockOf(
  content: string,
  env: Readonly<Record<string, unknown>>,
  place: Pick<Block, 'kind' | 'group'>,
): Block {
  let prose: ReturnType<typeof proseOf> | undefined;
  const read = () => (prose ??= proseOf(parser.parseInline(content, env)[0]?.children ?? []));
  return {
    ...place,
    get text() {
      return read().text;
    },
    get isProse() {
      return LETTER.test(read().unlinked);
    },
  };
}

function proseOf(tokens: readonly Token[]): { readonly text: string; readonly unlinked: string } {
  let text = '';
  let unlinked = '';
  let linked = 0;
  for (const token of tokens) {
    linked += token.type.startsWith('link_') ? token.nesting : 0;
    const isMark = linked > 0 && LINKED_MARK.test(token.content);
    const words = token.type === 'image' || isMark ? '' : wordsOf([token], true);
    text += words;
    if (linked === 0) unlinked += words;
  }
  const clean = text.replaceAll(FOOTNOTE_MARK, '').replaceAll(SPACES, ' ').trim();
  return { text: clean, unlinked };
}

function wordsOf(tokens: Token[], inlineCode: boolean): string {
  let words = '';
  for (const token of tokens) {
    if (token.type === 'text' || (token.type === 'code_inline' && inlineCode))
      words += token.content;
    else if (token.type === 'softbreak' || token.type === 'hardbreak') words += ' ';
    else if (token.type === 'image') words += wordsOf(token.children ?? [], inlineCode);
  }
  return words;
}
