// The words of a Markdown text's beginning, without its marks, code blocks, addresses and tags.

import markdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/**
 * HTML is recognised only to be left out: nothing here is ever rendered. Without the block rule a tag
 * around a paragraph takes only itself away, not the words between it and the closing tag. Nesting
 * beyond 20, CommonMark's own setting, is what hostile brackets cost most by.
 */
const parser = markdownIt({ html: true, linkify: false, maxNesting: 20 }).disable('html_block');

const SPACES = /\s+/g;
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/**
 * Plain text of the first `limit` UTF-16 code units of a Markdown text, on one line. Headings,
 * paragraphs and table cells are joined by spaces; of an image its alternative text is kept; what is
 * in backticks only with `inlineCode`. The limit bounds the cost: hostile Markdown is slow by length.
 */
export function plainText(
  markdown: string,
  options: { limit: number; inlineCode: boolean },
): string {
  const beginning = markdown.slice(0, options.limit).replace(HALF_CHARACTER, '').toWellFormed();
  const words: string[] = [];
  for (const block of parser.parse(beginning, {})) {
    if (block.type === 'inline') words.push(wordsOf(block.children ?? [], options.inlineCode));
  }
  return words.join(' ').replaceAll(SPACES, ' ').trim();
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
