// Compares the checkpoint of a proof with the log that this computer remembers.
import type { Context } from '../context.ts';
import { isObject } from '../json.ts';
import { openLog, readCheckpoint } from './checkpoint.ts';
import type { FoundLog } from './trust.ts';

/** Returns the checkpoint of a proof; undefined if it has none. */
function checkpointOf(proof: unknown): string | undefined {
  const log = isObject(proof) ? proof['log'] : undefined;
  const note = isObject(log) ? log['checkpoint'] : undefined;
  return typeof note === 'string' ? note : undefined;
}

/**
 * Proves that the tree of a proof and the newest tree of its log are one history, so that nobody was shown a
 * tree of their own. A proof without a checkpoint is left alone.
 *
 * @throws LogFault `forked`
 */
export async function requireOneHistory(
  context: Context,
  found: FoundLog,
  proof: unknown,
): Promise<void> {
  const note = checkpointOf(proof);
  if (note === undefined) return;
  const { verifyCheckpoint } = await import('@colophon/sdk');
  const log = await openLog(context, found);
  const newest = await readCheckpoint(context, log);
  const proven = await verifyCheckpoint(note, { verifierKey: found.trusted.verifierKey });
  const [older, newer] = proven.size <= newest.size ? [proven, newest] : [newest, proven];
  await log.client.proveConsistency(older, newer);
}
