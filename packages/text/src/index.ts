// Work on texts that would block the event loop: it runs in a worker thread that ends when idle.
import { openDiffing } from './diffing.ts';
import type { Diffing } from './diffing.ts';
import { openJsonReading } from './json/reading.ts';
import type { JsonReading } from './json/reading.ts';
import { openMarking } from './marking.ts';
import type { Marking } from './marking.ts';
import { openQuoting } from './quoting.ts';
import type { Quoting } from './quoting.ts';
import { openRendering } from './rendering.ts';
import type { Rendering } from './rendering.ts';
import { openSpotlighting } from './spotlight/spotlighting.ts';
import type { Spotlighting } from './spotlight/spotlighting.ts';
import { openThreads } from './threads.ts';

export type { Compared, Hunk } from './diffing.ts';
export type { MarkedHunk, MarkedLine } from './marking.ts';
export type { ChangedQuotes } from './quoting.ts';
export { preformat } from './preformatted.ts';
export { rendererFor } from './rendering.ts';
export type { Rendered } from './rendering.ts';
export { openThreads } from './threads.ts';
export type { Client, Failure, Requester } from './threads.ts';
export { openTurns } from './turns.ts';
export type { Site } from './markdown/renderer.ts';
export type { Signal } from './signals/signals.ts';
export type { SpotlightRecord, Spotlit } from './spotlight/spotlight.ts';

export interface TextWork extends AsyncDisposable {
  /**
   * Detects the language of a Markdown text and returns a BCP 47 primary tag; `und` when the text is too
   * short or the guess too uncertain, undefined when the worker was too busy to respond in time: ask again later.
   */
  detectLanguage(markdown: string): Promise<string | undefined>;
  readonly diffLines: Diffing['diffLines'];
  readonly findChangedQuotes: Quoting['findChangedQuotes'];
  readonly markWords: Marking['markWords'];
  readonly readJson: JsonReading['readJson'];
  readonly render: Rendering['render'];
  readonly spotlight: Spotlighting['spotlight'];
}

/** When this many texts are waiting, the next one gets no result. */
const waitingMax = 256;
/**
 * The maximum time an author waits, whether for the detector to load (about 0.4 s) or for others. The thread
 * continues.
 */
const answerMs = 3_000;
/** The limit for the work on one text. */
const deadlineMs = 3_000;
const idleMs = 60_000;
/** UTF-16 units of Markdown that are examined; later text does not change the result. */
const lookedAt = 2_000;

/**
 * Opens the text work. No thread starts until the first text: the detector takes 90 MB while it is loaded, so
 * a server that is idle, or whose authors name their languages, does not load it.
 */
export function openTextWork(onError: (error: Error) => void): TextWork {
  const options = {
    file: new URL('detect-language.ts', import.meta.url),
    threads: 1,
    memoryMb: 256,
    deadlineMs,
    idleMs,
  };
  const detecting = openThreads<string, string>({ ...options, waiting: waitingMax }, onError);
  const diffing = openDiffing(onError);
  const marking = openMarking(onError);
  const quoting = openQuoting(onError);
  const rendering = openRendering(onError);
  const reading = openJsonReading(onError);
  const spotlighting = openSpotlighting(onError);
  return {
    diffLines: diffing.diffLines,
    findChangedQuotes: quoting.findChangedQuotes,
    markWords: marking.markWords,
    readJson: reading.readJson,
    render: rendering.render,
    spotlight: spotlighting.spotlight,
    detectLanguage: async (markdown) => {
      const late = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => late.resolve(undefined), answerMs);
      const detected = detecting.run(markdown.slice(0, lookedAt), undefined);
      try {
        const outcome = await Promise.race([detected, late.promise]);
        return outcome?.failure === 'memory' ? 'und' : (outcome?.result ?? undefined);
      } catch (error) {
        onError(error as Error);
        return undefined;
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([
        detecting[Symbol.asyncDispose](),
        diffing[Symbol.asyncDispose](),
        marking[Symbol.asyncDispose](),
        quoting[Symbol.asyncDispose](),
        rendering[Symbol.asyncDispose](),
        reading[Symbol.asyncDispose](),
        spotlighting[Symbol.asyncDispose](),
      ]);
    },
  };
}
