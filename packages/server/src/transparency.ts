// The transparency log in this process: its files, what operations ask it, and the sequencer beside a pipeline.
import type { LogIdentity } from '@colophon/contract';
import { isConnectionLost, isTimeout } from '#database';
import type { Db } from '#database';
import type { TransparencyLog } from '#http';
import { openLogFiles } from '#storage';
import type { LogFiles } from '#storage';
import {
  addCheckpoint,
  describeLog,
  findKeyFault,
  openWitnessKey,
  proveLogged,
  readLogFile,
  readWitnessed,
  startLog,
  startLogging,
} from '#log';
import type { Reply } from '#log';
import type { Services } from '#services';

/** This service as a witness of other logs. */
interface Witnessing {
  readonly verifierKey: string;
  readonly add: (body: string) => Promise<Reply>;
  readonly read: (hash: string) => Promise<string | undefined>;
}

export interface Transparency extends AsyncDisposable {
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  readonly asked: TransparencyLog;
  /** undefined: LOG_WITNESS_FOR names no log. */
  readonly witness: Witnessing | undefined;
  /** Call it when leaves were collected. */
  readonly wake: () => void;
}

async function openWitness(services: Services): Promise<Witnessing | undefined> {
  const { config, db } = services;
  if (config.witnessedLogs.length === 0) return undefined;
  const key = await openWitnessKey(config);
  return {
    verifierKey: key.verifierKey,
    add: (body) => addCheckpoint(body, { ...services, key }),
    read: (hash) => readWitnessed(db, config, hash),
  };
}

/** Keys change by hand, and the old one signs too for a while. */
const identityMs = 5_000;

/**
 * Gives the last description, and reads it again in the background once it is old: `/v1/meta` needs nothing else
 * from the database, and is answered while that does not.
 */
function rememberIdentity(
  describe: TransparencyLog['describe'],
  now: () => Date,
): TransparencyLog['describe'] {
  let known: { readonly identity: LogIdentity | null; readonly until: number } | undefined;
  let reading: Promise<LogIdentity | null> | undefined;
  const read = async (db: Db): Promise<LogIdentity | null> => {
    try {
      const identity = await describe(db);
      // Before the log was started, it is looked for again.
      if (identity !== null) known = { identity, until: now().getTime() + identityMs };
      return identity;
    } catch (error) {
      if (isConnectionLost(error) || isTimeout(error)) return known?.identity ?? null;
      known = undefined;
      throw error;
    } finally {
      reading = undefined;
    }
  };
  return async (db) => {
    if (known !== undefined && now().getTime() < known.until) return known.identity;
    reading ??= read(db);
    if (known === undefined) return reading;
    // The next request meets the failure.
    reading.catch(() => undefined);
    return known.identity;
  };
}

async function openFiles({ config, traces }: Services): Promise<LogFiles> {
  const files = await openLogFiles(config.mediaStore);
  if (traces === undefined) return files;
  const { tracedCalls } = await import('#tracing');
  return tracedCalls(files, ['read', 'write', 'deletePartials'], { what: 'log files', traces });
}

/** Opens the log. A process without a pipeline only reads it. */
export async function openTransparency(services: Services): Promise<Transparency> {
  const { config } = services;
  const files = await openFiles(services);
  const witness = await openWitness(services);
  const asked: TransparencyLog = {
    prove: async (db, revision) => (await proveLogged(db, [revision]))[0] ?? null,
    describe: rememberIdentity(
      (db) => describeLog(db, config, witness?.verifierKey ?? null),
      services.now,
    ),
  };
  const read = (path: string) => readLogFile(files, path);
  const close = () => files[Symbol.asyncDispose]();
  if (config.role === 'web')
    return { read, asked, witness, wake: () => undefined, [Symbol.asyncDispose]: close };
  await startLog(services);
  // Without leaves to publish nothing else would notice it for a long time.
  const fault = await findKeyFault(services);
  if (fault !== undefined)
    services.log.warn({}, `The transparency log cannot be signed now. ${fault}`);
  const logging = startLogging({ ...services, files });
  return {
    read,
    asked,
    witness,
    wake: logging.wake,
    [Symbol.asyncDispose]: async () => {
      await logging[Symbol.asyncDispose]();
      await close();
    },
  };
}
