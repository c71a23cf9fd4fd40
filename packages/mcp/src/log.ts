// The log of the tool host: one line for each error on standard error, which is the only place for it over stdio.
import { visible } from './untrusted.ts';

/** Logs an error. A line cannot be forged: what callers and servers sent is written with visible characters only. */
export function logError(error: unknown): void {
  process.stderr.write(`${visible(String(error)).replaceAll('\n', ' ')}\n`);
}
