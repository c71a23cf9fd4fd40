// The service's own renderer, for the preview in the editor: the same code, so the same HTML.
import { createRenderer, preformat, renderBelow } from '@colophon/text/markdown';
import type { Site } from '@colophon/text/markdown';

/** The level of the title, which the headings of a text are below. */
const titleLevel = 1;

/** Returns a function that renders a text as the page of an article does. */
export function openRenderer(site: Site): (markdown: string) => string {
  const render = createRenderer(site);
  return (markdown) => {
    try {
      const page = renderBelow(render, markdown, titleLevel);
      return page === 'size' ? preformat(markdown) : page.html;
    } catch {
      // As on the page: a text that is nested too deeply is shown as it was written.
      return preformat(markdown);
    }
  };
}
