// Work on texts that would hold up the event loop: it runs in a worker thread that ends when idle.
import { Piscina } from 'piscina';
import { openDiffing } from './diffing.ts';
import type { Diffing } from './diffing.ts';
import { openRendering } from './rendering.ts';
import type { Rendering } from './rendering.ts';
import { openSpotlighting } from './spotlighting.ts';
import type { Spotlighting } from './spotlighting.ts';

export type { Hunk } from './diffing.ts';
export { preformatted, rendererFor } from './rendering.ts';
export type { Rendered } from './rendering.ts';
export type { Site } from './markdown/renderer.ts';

export interface TextWork extends AsyncDisposable {
  /**
   * The language of a Markdown text as a BCP 47 primary tag; `und` when it is too short, the guess too
   * weak, or the worker too busy to answer in time.
   */
  detectLanguage(markdown: string): Promise<string>;
  readonly diffLines: Diffing['diffLines'];
  readonly render: Rendering['render'];
  readonly spotlight: Spotlighting['spotlight'];
}

/** Beyond this many waiting texts the answer is `und` at once. */
const waitingMax = 256;
/** The first text after a pause waits for the detector to load, some 0.4 s. */
const deadlineMs = 3_000;
const idleMs = 60_000;
/** UTF-16 units of Markdown that are looked at; behind them nothing is new. */
const lookedAt = 2_000;

/**
 * Starts no thread yet: the detector takes 90 MB while it is loaded, so a server whose authors name
 * their languages, or that rests, does without.
 */
export function openTextWork(onError: (error: Error) => void): TextWork {
  const pool = new Piscina({
    filename: new URL('detect-language.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: waitingMax,
    idleTimeout: idleMs,
    recordTiming: false,
    execArgv: [],
  });
  pool.on('error', onError);
  const diffing = openDiffing(onError);
  const rendering = openRendering(onError);
  const spotlighting = openSpotlighting(onError);
  return {
    diffLines: diffing.diffLines,
    render: rendering.render,
    spotlight: spotlighting.spotlight,
    detectLanguage: async (markdown) => {
      try {
        const signal = AbortSignal.timeout(deadlineMs);
        return (await pool.run(markdown.slice(0, lookedAt), { signal })) as string;
      } catch (error) {
        onError(error as Error);
        return 'und';
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([
        pool.close({ force: true }),
        diffing[Symbol.asyncDispose](),
        rendering[Symbol.asyncDispose](),
        spotlighting[Symbol.asyncDispose](),
      ]);
    },
  };
}
