// Renders Markdown to HTML that is safe in any page: CommonMark, GFM, footnotes; no author HTML.
import markdownIt from 'markdown-it';
import type { MarkdownIt } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import type { Site } from './addresses.ts';
import { linkLikeGfm } from './autolinks.ts';
import { alignCells, captionPictures, identifyHeadings, placeTaskBoxes } from './blocks.ts';
import type { Heading } from './blocks.ts';
import { markDirections } from './directions.ts';
import { presentFootnotes } from './footnotes.ts';
import { highlightWithin } from './highlight.ts';
import { tameLinks } from './links.ts';
import { strikeLikeGfm } from './strikethrough.ts';

export type { Heading } from './blocks.ts';
export type { Site } from './addresses.ts';

export interface Page {
  readonly html: string;
  readonly headings: readonly Heading[];
}

function writeSafely(parser: MarkdownIt): void {
  const { rules } = parser.renderer;
  const escaped = (content = '') => parser.utils.escapeHtml(content);
  // With HTML disabled no rule makes these tokens. They are escaped here because nothing else escapes them.
  rules['html_block'] = (tokens, index) => escaped(tokens[index]?.content);
  rules['html_inline'] = (tokens, index) => escaped(tokens[index]?.content);
}

/**
 * Returns a renderer for one site. It is synchronous and slow on hostile texts: call it only in a worker with
 * a deadline. @throws RangeError: for deep nesting
 */
export function createRenderer(site: Site): (markdown: string) => Page {
  let highlight = highlightWithin();
  let headings: Heading[] = [];
  const parser = markdownIt({
    html: false,
    linkify: true,
    highlight: (code, language) => highlight(code, language),
  });
  // Every link is parsed, so that a rejected link loses its address but not its form.
  parser.validateLink = () => true;
  // The text of a link is shown as it was written, without decoding.
  parser.normalizeLinkText = (text) => text;
  linkLikeGfm(parser);
  strikeLikeGfm(parser);
  parser.use(footnotes).disable('footnote_inline');
  presentFootnotes(parser);
  writeSafely(parser);
  parser.core.ruler.push('headings', (state) => identifyHeadings(state, headings));
  parser.core.ruler.push('tasks', placeTaskBoxes);
  parser.core.ruler.push('alignment', alignCells);
  parser.core.ruler.push('directions', markDirections);
  parser.core.ruler.push('safe_links', (state) => tameLinks(state, site));
  parser.core.ruler.push('captions', captionPictures);
  return (markdown) => {
    highlight = highlightWithin();
    headings = [];
    return { html: parser.render(markdown), headings };
  };
}
