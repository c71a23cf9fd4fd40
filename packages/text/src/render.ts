// The worker side of rendering: renders one text at a time.
import { signalsIn } from './signals/signals.ts';
import type { Signal } from './signals/signals.ts';
import { worker } from './lib/worker.ts';
import { createRenderer } from './markdown/renderer.ts';
import type { Page, Site } from './markdown/renderer.ts';
import { renderBelow } from './markdown/render-below.ts';

export interface RenderTask {
  readonly markdown: string;
  readonly site: Site;
  /** The level of the heading above the text. undefined: headings keep their levels. */
  readonly below: number | undefined;
  /** Whether to find signals too. */
  readonly look: boolean;
}

export interface RenderedPage extends Page {
  /** null when they were not requested. */
  readonly signals: readonly Signal[] | null;
}

const renderers = new Map<string, ReturnType<typeof createRenderer>>();

function rendererFor(site: Site): ReturnType<typeof createRenderer> {
  const key = JSON.stringify(site);
  const known = renderers.get(key) ?? createRenderer(site);
  renderers.set(key, known);
  return known;
}

function renderTask({ markdown, site, below, look }: RenderTask): RenderedPage | 'size' | Error {
  try {
    const page = renderBelow(rendererFor(site), markdown, below);
    return page === 'size' ? page : { ...page, signals: look ? signalsIn(markdown) : null };
  } catch (error) {
    // Rendering would fail again. Returning the error distinguishes this from a thread that cannot work.
    return error as Error;
  }
}

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker(renderTask);
