// Markdown to safe HTML in worker threads, bounded in time, memory and output.
import { createHash } from 'node:crypto';
import { piecesOf } from '#lib/pieces';
import type { Signal } from '#lib/signals';
import type { Heading, Site } from './markdown/renderer.ts';
import type { RenderedPage, RenderTask } from './render.ts';
import { openThreads } from './threads.ts';
import type { Failure, Requester } from './threads.ts';

/** Why a text has no HTML: shown as plain text it can always be. */
export type Unrendered = 'deadline' | 'memory' | 'size' | 'failed' | 'busy';

export type Rendered =
  | {
      readonly html: string;
      readonly headings: readonly Heading[];
      /** What in the text is made for machines; null where nobody looked. */
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
  /** Level of the heading that the text stands under; left out, its headings keep their levels. */
  readonly below?: number;
  /** Look for what is made for machines too. */
  readonly look?: boolean;
  /** Milliseconds of work; waiting for a free thread does not count. */
  readonly deadlineMs?: number;
  /** Left out: the service itself. */
  readonly requester?: Requester;
}

export interface Rendering extends AsyncDisposable {
  /**
   * Safe HTML of a Markdown text, or the reason why there is none. The event loop is left alone,
   * whatever the text. An answer that does not depend on the hour (all but `busy`) may be kept.
   */
  render(markdown: string, options: RenderOptions): Promise<Rendered>;
}

/** To be raised whenever the same text is rendered differently, by us or by a library. */
const rendererVersion = 3;

/** Names everything that the HTML of a text depends on beside the text. */
export function rendererFor(site: Site): string {
  const addresses = createHash('sha256').update(`${site.baseUrl}\n${site.mediaBaseUrl}`);
  return `${rendererVersion}-${addresses.digest('hex').slice(0, 12)}`;
}

/** UTF-16 units of HTML. Escaped, a character may be six. */
const escapedMax = 2 * 1024 * 1024;
const leftOut =
  '\n\n[The rest is left out on this page. The Markdown of the article has all of it.]';

/** One pattern after the other: a function that is called for each match takes three times as long. */
function escaped(text: string): string {
  return text
    .replaceAll(/&/g, '&amp;')
    .replaceAll(/</g, '&lt;')
    .replaceAll(/>/g, '&gt;')
    .replaceAll(/"/g, '&quot;');
}

/** HTML that shows a text as it was written; of one that grows too long, the beginning. */
export function preformatted(markdown: string): string {
  let shown = '';
  for (const piece of piecesOf(markdown)) {
    const html = escaped(piece);
    if (shown.length + html.length > escapedMax) {
      shown += leftOut;
      break;
    }
    shown += html;
  }
  return `<pre class="plain">${shown}</pre>\n`;
}

function none(reason: Unrendered): Rendered {
  return { html: null, headings: [], signals: null, reason };
}

interface Bounds {
  /** Of each thread: what the worst texts of a million characters need. */
  readonly memoryMb: number;
  /** Texts wait in memory: beyond this many they are shown as they are. */
  readonly waiting: number;
}

const usualBounds: Bounds = { memoryMb: 384, waiting: 64 };

function reasonOf(failure: Failure): Unrendered {
  return failure === 'deadline' || failure === 'memory' ? failure : 'busy';
}

/** Starts no thread yet, and ends those that rest. */
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
