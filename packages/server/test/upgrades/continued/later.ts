// What the parts of a recorded site are continued with.
import type { Caller } from '../caller.ts';
import type { Kept } from '../record.ts';
import { until } from '../../throw-away-database.ts';

export interface Later {
  readonly caller: Caller;
  readonly address: string;
  readonly kept: Kept;
  /** The dump, which the earlier version left. */
  readonly dump: string;
}

/** What a later version does with something of an earlier one, by what it is. */
export type Continued = Readonly<Record<string, (later: Later) => Promise<void>>>;

/** Waits until readers get this status. */
export async function untilStatus({ caller }: Later, path: string, status: number): Promise<void> {
  await until(`${path} answers ${status}`, async () => {
    return (await caller.ask('GET', path)).status === status;
  });
}
