// The log of the tool host: one line for each error on standard error, which is the only place for it over stdio.
import { visible } from './untrusted.ts';

/**
 * Logs an error with the places in the code that it comes from. A line cannot be forged: what callers and servers
 * sent is written with visible characters only.
 */
export function logError(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  process.stderr.write(`${visible(text.replaceAll(/\n\s*/g, ' '))}\n`);
}
