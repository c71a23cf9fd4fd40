// Renders a text for its place in a page.
import { moveHeadings } from './outline.ts';
import type { createRenderer, Page } from './renderer.ts';

/** UTF-16 units of HTML. Every reader of the page receives all of it, and a text has at most a million. */
const htmlMax = 2 * 1024 * 1024;

/**
 * Returns the page with its headings below one of level `below`; undefined: headings keep their levels.
 * Returns `size` if the HTML is too long.
 */
export function renderBelow(
  render: ReturnType<typeof createRenderer>,
  markdown: string,
  below: number | undefined,
): Page | 'size' {
  const page = render(markdown);
  if (page.html.length > htmlMax) return 'size';
  return below === undefined ? page : { ...page, html: moveHeadings(page.html, below) };
}
