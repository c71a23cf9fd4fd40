// Failures of a log: what is wrong, where, and the checkpoints that prove it.
import type { CheckpointReason } from './log-types.ts';

/**
 * What is wrong with a log. `unreachable`: a file did not arrive. `missing`: it does not exist. `tile`: a tile
 * is not the one of the checkpoint. `entry`: an entry is not the one of its tile. `older`: the checkpoint has
 * fewer leaves than one that you saw. `forked`: the tree does not begin with the leaves of one that you saw.
 * `memory`: the remembered checkpoint cannot be read. The others are those of a checkpoint.
 */
export type LogFaultReason =
  | CheckpointReason
  | 'unreachable'
  | 'missing'
  | 'tile'
  | 'entry'
  | 'older'
  | 'forked'
  | 'memory';

/** Two checkpoints, as they were received. Both signed, and no history has both: keep them and show them. */
export interface LogEvidence {
  readonly remembered: string;
  readonly received: string;
}

export interface LogFaultFacts {
  /** The number of the leaf. */
  readonly leaf?: number;
  /** The path of the file below the address of the log. */
  readonly path?: string;
  readonly evidence?: LogEvidence;
}

/** An error about a log. Its `name` is `LogFault`. */
export interface LogFault extends Error, LogFaultFacts {
  readonly reason: LogFaultReason;
}

/** Returns the error. */
export function logFault(
  reason: LogFaultReason,
  detail: string,
  { cause, ...place }: LogFaultFacts & { readonly cause?: unknown } = {},
): LogFault {
  const error = new Error(detail, cause === undefined ? undefined : { cause });
  return Object.assign(error, { name: 'LogFault', reason, ...place });
}

/** Whether an error is about a log; with a reason, whether it is this one. */
export function isLogFault(error: unknown, reason?: LogFaultReason): error is LogFault {
  if (!(error instanceof Error) || error.name !== 'LogFault') return false;
  return reason === undefined || (error as LogFault).reason === reason;
}
