// The type of a plugin that brings none.
declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';
  export default function footnotes(parser: MarkdownIt): void;
}
