// The worker's side: renders one text after the other.
import { createRenderer } from './markdown/renderer.ts';
import type { Page, Site } from './markdown/renderer.ts';

export interface RenderTask {
  readonly markdown: string;
  readonly site: Site;
  /** One shared integer: becomes 1 when the work begins, so that waiting does not count. */
  readonly begun: Int32Array;
}

/** UTF-16 units of HTML. Every reader of the page is sent all of it, and a text has at most a million. */
const htmlMax = 2 * 1024 * 1024;

const renderers = new Map<string, ReturnType<typeof createRenderer>>();

function rendererFor(site: Site): ReturnType<typeof createRenderer> {
  const key = JSON.stringify(site);
  const known = renderers.get(key) ?? createRenderer(site);
  renderers.set(key, known);
  return known;
}

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default ({ markdown, site, begun }: RenderTask): Page | 'size' | Error => {
  const render = rendererFor(site);
  Atomics.store(begun, 0, 1);
  Atomics.notify(begun, 0);
  try {
    const page = render(markdown);
    return page.html.length > htmlMax ? 'size' : page;
  } catch (error) {
    // It would fail again: told apart from a thread that cannot work.
    return error as Error;
  }
};
