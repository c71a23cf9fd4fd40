// What a command of the operator is.
import type { Services } from '#services';

/** One command: what it takes, what it does, and its code: 0 done, 1 something is wrong. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** Looks and changes nothing: the database is not migrated for it. */
  readonly looksOnly?: true;
  readonly run: (services: Services, args: readonly string[]) => Promise<number>;
}
