// What operations may ask the transparency log, whose area is above theirs.
import type { LogIdentity, LogProof } from '@colophon/contract';
import type { Db } from '#database';

export interface TransparencyLog {
  /** Returns the proof that a revision, with this signature, is in the published tree; null while it is not. */
  readonly prove: (
    db: Db,
    revision: { readonly revisionId: string; readonly signature: string | null },
  ) => Promise<LogProof | null>;
  /** Returns what identifies the log; null before it was started. */
  readonly describe: (db: Db) => Promise<LogIdentity | null>;
}
