// What the comparisons of a log with its service share.
import type { Client, ProblemError, TrustedLog } from '@colophon/sdk';
import type { LoggedHistory } from './leaves.ts';

export interface Comparison {
  readonly client: Client;
  /** `base_url` of GET /v1/meta. */
  readonly baseUrl: string;
  readonly trusted: TrustedLog;
  readonly history: LoggedHistory;
  /** The size of the audited tree. */
  readonly size: number;
  readonly signal: AbortSignal;
  /** Returns an entry of the mirror. */
  readonly entryAt: (leaf: number) => Promise<Uint8Array | undefined>;
  readonly onProgress: (compared: number) => void;
}

/** How many articles are compared at a time. */
const atOnce = 4;

/** Does work for each item, a few at a time. The first failure ends it. */
export async function forEachAtOnce<T>(
  items: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const item of items) {
    signal.throwIfAborted();
    const one = work(item).finally(() => running.delete(one));
    // It is awaited below; until then it must not end the program.
    one.catch(() => {});
    running.add(one);
    if (running.size >= atOnce) await Promise.race(running);
  }
  await Promise.all(running);
}

const absences: ReadonlySet<string> = new Set([
  'not-found',
  'gone',
  'unavailable-for-legal-reasons',
]);

/** Returns the result, or the name of the problem that says that the service does not show it. */
export async function shownOr<T>(
  call: Promise<T>,
): Promise<{ readonly value: T } | { readonly absent: string }> {
  try {
    return { value: await call };
  } catch (error) {
    const name = (error as Partial<ProblemError>).problem?.name;
    if (name !== undefined && absences.has(name)) return { absent: name };
    throw error;
  }
}
