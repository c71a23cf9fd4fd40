// Renders Markdown to safe HTML in worker threads, bounded in time, memory and output.
import { createHash } from 'node:crypto';
import type { Signal } from './signals/signals.ts';
import type { Heading, Site } from './markdown/renderer.ts';
import type { RenderedPage, RenderTask } from './render.ts';
import { openThreads } from './threads.ts';
import type { Failure, Requester } from './threads.ts';

/** Why a text has no HTML. It can always be shown as plain text. */
export type Unrendered = 'deadline' | 'memory' | 'size' | 'failed' | 'busy';

export type Rendered =
  | {
      readonly html: string;
      readonly headings: readonly Heading[];
      /** The signals in the text; null when they were not requested. */
      readonly signals: readonly Signal[] | null;
      readonly reason: null;
    }
  | {
      readonly html: null;
      readonly headings: readonly [];
      readonly signals: null;
      readonly reason: Unrendered;
    };

export interface RenderOptions {
  readonly site: Site;
  /** The level of the heading above the text. If it is left out, headings keep their levels. */
  readonly below?: number;
  /** Also find signals. */
  readonly look?: boolean;
  /** Milliseconds of processor time. Waiting for a free thread does not count. */
  readonly deadlineMs?: number;
  /** The default is the service itself. */
  readonly requester?: Requester;
}

export interface Rendering extends AsyncDisposable {
  /**
   * Renders a Markdown text and returns safe HTML, or the reason why there is none. Never blocks the event
   * loop. Results that do not depend on the current load (all but `busy`) may be cached.
   */
  render(markdown: string, options: RenderOptions): Promise<Rendered>;
}

/** Increment it whenever the same text is rendered differently, by our change or a library's. */
const rendererVersion = 5;

/** Returns a key of everything that the HTML of a text depends on apart from the text. */
export function rendererFor(site: Site): string {
  const addresses = createHash('sha256').update(`${site.baseUrl}\n${site.mediaBaseUrl}`);
  return `${rendererVersion}-${addresses.digest('hex').slice(0, 12)}`;
}

function none(reason: Unrendered): Rendered {
  return { html: null, headings: [], signals: null, reason };
}

interface Bounds {
  /** Memory of each thread: what the worst texts of a million characters need. */
  readonly memoryMb: number;
  /** Waiting texts take memory: when this many wait, further texts are shown as plain text. */
  readonly waiting: number;
  /** How many times its deadline a text may take on a machine that is busy otherwise. */
  readonly patience: number;
}

const usualBounds: Bounds = { memoryMb: 384, waiting: 64, patience: 4 };

function reasonOf(failure: Failure): Unrendered {
  return failure === 'deadline' || failure === 'memory' ? failure : 'busy';
}

/** Opens the rendering. No thread starts until the first text, and idle threads end. */
export function openRendering(
  onError: (error: Error) => void,
  bounds: Bounds = usualBounds,
): Rendering {
  const options = {
    file: new URL('render.ts', import.meta.url),
    threads: 2,
    deadlineMs: 4_000,
    idleMs: 60_000,
    ...bounds,
  };
  const threads = openThreads<RenderTask, RenderedPage | 'size' | Error>(options, onError);
  return {
    render: async (markdown, { site, below, look = false, deadlineMs, requester }) => {
      const task = { markdown, site, below, look };
      const { result, failure } = await threads.run(task, requester, deadlineMs);
      if (failure !== null) return none(reasonOf(failure));
      if (result === 'size') return none(result);
      if (!(result instanceof Error)) return { ...result, reason: null };
      onError(result);
      return none('failed');
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
