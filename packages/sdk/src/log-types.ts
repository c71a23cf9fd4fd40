// What callers give and get of a log. It names no type of the algorithms, which are not published on their own.

/** The transparency log that you trust, and the witnesses that must have seen its checkpoints. */
export interface TrustedLog {
  /** The key of the log, `name+id+key`: `log.verifier_key` of GET /v1/meta, from a source you trust. */
  readonly verifierKey: string;
  /** Keys of witnesses that you trust. Without them, only the log itself vouches for a checkpoint. */
  readonly witnesses?: readonly string[] | undefined;
  /** How many of these witnesses must have signed. Default: all of them. */
  readonly quorum?: number | undefined;
}

/** A witness that signed a checkpoint, and when it did, as it says itself. */
export interface Witnessed {
  readonly name: string;
  readonly at: string;
}

/** A checkpoint whose signatures verify. */
export interface SignedCheckpoint {
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
  /** The signed note, as it was received. */
  readonly note: string;
  /** The trusted witnesses that signed it. */
  readonly witnesses: readonly Witnessed[];
}

/**
 * Why a checkpoint is not accepted. `malformed`: it is none. `other-log`: it is of another log, or not signed
 * by the trusted key. `signature`: a signature by a trusted key does not verify. `too-few-witnesses`: fewer of
 * the trusted witnesses signed it than you require.
 */
export type CheckpointReason = 'malformed' | 'other-log' | 'signature' | 'too-few-witnesses';

/** A tree of which size and root are known. */
export interface KnownTree {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Where the log contains a publication. */
export interface LoggedFacts {
  readonly origin: string;
  /** The number of the leaf, from 0. */
  readonly index: number;
  /** The size of the tree that contains it. */
  readonly size: number;
  /** When the log says that it happened. The log decides this; the witnesses do not. */
  readonly at: string;
  /** The trusted witnesses that signed this tree: the publication existed when they did. */
  readonly witnesses: readonly Witnessed[];
}

/**
 * Why the log's part of a proof is refused. `log`: it is malformed. `log-checkpoint`: the checkpoint is
 * malformed or its signature does not verify. `log-entry`: the leaf is about another publication.
 * `log-inclusion`: the leaf is not in the tree.
 */
export type LogReason = 'log' | 'log-checkpoint' | 'log-entry' | 'log-inclusion';
