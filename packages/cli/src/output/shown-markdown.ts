// Markdown of participants for the terminal, however long it takes to render.
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { startLimitedWorker } from '../import/limited-worker.ts';
import { printable } from './printable.ts';
import { renderMarkdown } from './render-markdown.ts';
import type { Given } from './render-markdown.worker.ts';
import { isStyled } from './style.ts';
import type { Style } from './style.ts';

/** Characters that take a second at most, whatever they are. */
const shortMax = 65_536;
/** An ordinary text of a million characters takes a second. */
const renderMs = 10_000;

const own = import.meta.url;
/** Beside this file in the sources; in a built program, beside the program. */
const program = own.endsWith('.ts')
  ? new URL('./render-markdown.worker.ts', own)
  : new URL('../render-markdown.worker.js', own);

/** Resolves with the text, or with undefined after `limitMs` or if the thread ends in an error. */
async function renderedApart(given: Given, limitMs: number): Promise<string | undefined> {
  const worker = startLimitedWorker(program, given);
  const ending = new AbortController();
  const { signal } = ending;
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([text]) => text as string),
      wait(limitMs, undefined, { signal }),
    ]);
  } catch {
    // Too deep for the stack or too large for the memory: as good as too slow.
    return undefined;
  } finally {
    ending.abort();
    await worker.terminate();
  }
}

/**
 * Returns Markdown as printable lines of at most `width` columns. A text that is made to be slow comes back as it
 * is, below a line that says so.
 */
export async function shownMarkdown(
  text: string,
  { width, style }: { readonly width: number; readonly style: Style },
  limitMs = renderMs,
): Promise<string> {
  if (text.length <= shortMax) return renderMarkdown(text, { width, style });
  const shown = await renderedApart({ text, width, colours: isStyled(style) }, limitMs);
  if (shown !== undefined) return shown;
  const said = style('dim', 'This text takes too long to lay out. It follows as it was written.');
  return `${said}\n\n${printable(text)}`;
}
