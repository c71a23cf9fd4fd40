// What is made from one read, for readers who are signed out: made once for all who ask, and again after a change.
import type { PageAnswer, PageContext } from './context.ts';

interface Way<Found> {
  /** Reads everything that the answer shows. */
  readonly read: () => Promise<Found>;
  /** Makes the answer. `whole` is false when a later attempt may give a better one. */
  readonly make: (found: Found) => Promise<{ readonly shown: PageAnswer; readonly whole: boolean }>;
}

/**
 * Returns the answer as it was sent before, if what was read is the same as then; otherwise a new one. Those
 * who ask while somebody reads share the next read. `key` names everything that the answer depends on besides
 * what is read.
 */
export async function shownAgain<Found>(
  { caller, joined, keptPages }: Pick<PageContext, 'caller' | 'joined' | 'keptPages'>,
  key: string,
  { read, make }: Way<Found>,
): Promise<PageAnswer> {
  if (caller !== null) return (await make(await read())).shown;
  return joined(key, async () => {
    const found = await read();
    const facts = JSON.stringify(found);
    const known = keptPages.get(key);
    if (known?.facts === facts) return known.shown;
    const { shown, whole } = await make(found);
    if (!whole || 'elsewhere' in shown) return shown;
    return keptPages.keep(key, { facts }, shown);
  });
}
