// Markdown to safe HTML in worker threads, bounded in time, memory and output.
import { createHash } from 'node:crypto';
import { Piscina } from 'piscina';
import type { Heading, Page, Site } from './markdown/renderer.ts';
import type { RenderTask } from './render.ts';

/** Why a text has no HTML: shown as plain text it can always be. */
export type Unrendered = 'deadline' | 'memory' | 'size' | 'failed' | 'busy';

export type Rendered =
  | { readonly html: string; readonly headings: readonly Heading[]; readonly reason: null }
  | { readonly html: null; readonly headings: readonly []; readonly reason: Unrendered };

export interface RenderOptions {
  readonly site: Site;
  /** Milliseconds of work; waiting for a free thread does not count. */
  readonly deadlineMs?: number;
}

export interface Rendering extends AsyncDisposable {
  /**
   * Safe HTML of a Markdown text, or the reason why there is none. The event loop is left alone,
   * whatever the text. An answer that does not depend on the hour (all but `busy`) may be kept.
   */
  render(markdown: string, options: RenderOptions): Promise<Rendered>;
}

/** To be raised whenever the same text is rendered differently, by us or by a library. */
const rendererVersion = 2;

const deadlineMs = 4_000;
const idleMs = 60_000;
const threads = 2;

interface Bounds {
  /** Of each thread: what the worst texts of a million characters need. */
  readonly memoryMb: number;
  /** Texts wait in memory: beyond this many they are shown as they are. */
  readonly waiting: number;
}

const usualBounds: Bounds = { memoryMb: 384, waiting: 64 };

/** Names everything that the HTML of a text depends on beside the text. */
export function rendererFor(site: Site): string {
  const addresses = createHash('sha256').update(`${site.baseUrl}\n${site.mediaBaseUrl}`);
  return `${rendererVersion}-${addresses.digest('hex').slice(0, 12)}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** UTF-16 units of HTML. Escaped, a character may be six. */
const escapedMax = 2 * 1024 * 1024;
const leftOut =
  '\n\n[The rest is left out on this page. The Markdown of the article has all of it.]';

/** HTML that shows a text as it was written; of one that grows too long, the beginning. */
export function preformatted(markdown: string): string {
  const escaped = markdown.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
  // Neither half of a character nor half of its escape stays at the end.
  const shown =
    escaped.length <= escapedMax
      ? escaped
      : escaped.slice(0, escapedMax).replace(/(?:&[a-z]{0,4}|[\ud800-\udbff])$/, '') + leftOut;
  return `<pre class="plain">${shown}</pre>\n`;
}

function none(reason: Unrendered): Rendered {
  return { html: null, headings: [], reason };
}

function reasonOf(error: unknown, stopped: AbortSignal): Unrendered | undefined {
  if (stopped.aborted) return 'deadline';
  const { code } = error as Error & { readonly code?: string };
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : undefined;
}

/**
 * Lets as many in as there are threads. The pool's own queue is left standing when the thread that it
 * waits for is ended, until somebody else comes.
 */
function openQueue(waitingMax: number) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    /** Whether it is this one's turn now, after a wait; false when too many wait already. */
    async enter(): Promise<boolean> {
      if (busy < threads) {
        busy += 1;
        return true;
      }
      if (waiting.length >= waitingMax) return false;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return true;
    },
    leave(): void {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    },
  };
}

/** Calls `stop` when the work has taken too long; answers what ends the watch. */
function watch(begun: Int32Array, ms: number, stop: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const begins = Atomics.waitAsync(begun, 0, 0);
  const start = () => {
    if (!over) timer = setTimeout(stop, ms);
  };
  if (begins.async) void begins.value.then(start);
  else start();
  return () => {
    over = true;
    clearTimeout(timer);
    Atomics.notify(begun, 0);
  };
}

/** Starts no thread yet, and ends those that rest. */
export function openRendering(
  onError: (error: Error) => void,
  bounds: Bounds = usualBounds,
): Rendering {
  const pool = new Piscina<RenderTask, Page | 'size' | Error>({
    filename: new URL('render.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    recordTiming: false,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMb, maxYoungGenerationSizeMb: 64 },
  });
  pool.on('error', onError);
  const queue = openQueue(bounds.waiting);
  return {
    render: async (markdown, options) => {
      if (!(await queue.enter())) return none('busy');
      const begun = new Int32Array(new SharedArrayBuffer(4));
      const late = new AbortController();
      const unwatch = watch(begun, options.deadlineMs ?? deadlineMs, () => late.abort());
      try {
        const task = { markdown, site: options.site, begun };
        const page = await pool.run(task, { signal: late.signal });
        if (page === 'size') return none(page);
        if (!(page instanceof Error)) return { ...page, reason: null };
        onError(page);
        return none('failed');
      } catch (error) {
        const reason = reasonOf(error, late.signal);
        if (reason === undefined) throw error;
        return none(reason);
      } finally {
        unwatch();
        queue.leave();
      }
    },
    [Symbol.asyncDispose]: () => pool.close({ force: true }),
  };
}
