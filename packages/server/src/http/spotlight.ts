// Marking of texts for an answer, with the problem where it has to wait.
import type { Spotlit, Texts } from '#lib/spotlight';
import type { TextWork } from '#text';
import { problem } from './problem.ts';

/** Marks what one answer holds. The function throws unavailable where too many long texts wait. */
export function spotlightBy(text: TextWork) {
  return async (records: readonly Texts[]): Promise<readonly Spotlit[]> => {
    const lit = await text.spotlight(records);
    if (lit !== undefined) return lit;
    const detail = 'Too many long texts are being marked. Try again in a moment.';
    throw problem('unavailable', detail, { retry_after_seconds: 2 });
  };
}
