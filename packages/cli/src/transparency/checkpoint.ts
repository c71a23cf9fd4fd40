// Reads the newest checkpoint of a log, compares it with the remembered one, and follows the change of a key.
import type { LogClient, SignedCheckpoint } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { failure } from '../failures.ts';
import { checkpointMemory } from './memory.ts';
import type { FoundLog } from './trust.ts';

export interface OpenLog {
  readonly found: FoundLog;
  readonly client: LogClient;
}

/** Opens a log for reading. */
export async function openLog(context: Context, found: FoundLog): Promise<OpenLog> {
  const { createLogClient } = await import('@colophon/sdk');
  const { service, url, origin, trusted, memory } = found;
  const known = { url: service, origin, verifier_key: trusted.verifierKey };
  const client = createLogClient({
    url,
    ...trusted,
    memory: checkpointMemory(memory, known),
    signal: context.terminal.signal,
  });
  return { found, client };
}

/** A key that is not the one that was trusted before may be a swapped one. */
function refuseKey({ from, remembered, trusted, memory, origin }: FoundLog, detail: string) {
  const origins = remembered !== undefined && remembered.origin !== origin;
  return failure(
    from === 'option' || origins
      ? `The log is not signed by the key that you named: ${detail}`
      : `The log is not signed by its key ${trusted.verifierKey}, which this computer remembers: ${detail}`,
    `If the operator announced a new key without signing with both, name it with --key, after you checked it. ${memory.file} keeps the checkpoint of the old one as evidence.`,
    exits.no,
  );
}

/** While a key is replaced, both sign: the old key vouches for the new one. */
async function followKey(context: Context, { found }: OpenLog, note: string): Promise<void> {
  const { offered, trusted, origin, memory, from } = found;
  const { verifyCheckpoint, isLogFault } = await import('@colophon/sdk');
  if (offered === undefined || offered === trusted.verifierKey || from === 'option') return;
  const both = await verifyCheckpoint(note, { verifierKey: offered }).catch((error: unknown) => {
    if (isLogFault(error) || error instanceof TypeError) return undefined;
    throw error;
  });
  const remembered = await memory.read();
  if (both?.origin !== origin || remembered === undefined) return;
  await memory.write({ ...remembered, verifier_key: offered });
  context.output.note(
    'The log is changing its key. The old key signed too, so the new one is used from now on.',
  );
}

/**
 * Returns the newest checkpoint. It is signed by the trusted key and continues the remembered one, which it
 * replaces.
 *
 * @throws LogFault; Failure if another key signed
 */
export async function readCheckpoint(context: Context, log: OpenLog): Promise<SignedCheckpoint> {
  const { isLogFault } = await import('@colophon/sdk');
  const { found, client } = log;
  const checkpoint = await client.readCheckpoint().catch((error: unknown) => {
    throw isLogFault(error, 'other-log') ? refuseKey(found, error.message) : error;
  });
  if (found.from === 'service')
    context.output.note(
      `This computer trusts the key ${found.trusted.verifierKey} from now on. Compare it with one from another source.`,
    );
  await followKey(context, log, checkpoint.note);
  return checkpoint;
}
