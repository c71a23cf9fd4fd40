// The transparency log in this process: its files, what operations ask it, and the sequencer beside a pipeline.
import type { LogIdentity } from '@colophon/contract';
import { isConnectionLost, isTimeout } from '#database';
import type { TransparencyLog } from '#http';
import { openLogFiles } from '#storage';
import {
  addCheckpoint,
  describeLog,
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

/** The last description is given while the database does not answer: `/v1/meta` needs nothing else from it. */
function rememberIdentity(describe: TransparencyLog['describe']): TransparencyLog['describe'] {
  let known: LogIdentity | null = null;
  return async (db) => {
    known = await describe(db).catch((error: unknown) => {
      if (isConnectionLost(error) || isTimeout(error)) return known;
      throw error;
    });
    return known;
  };
}

/** Opens the log. A process without a pipeline only reads it. */
export async function openTransparency(services: Services): Promise<Transparency> {
  const { config } = services;
  const files = await openLogFiles(config.mediaStore);
  const witness = await openWitness(services);
  const asked: TransparencyLog = {
    prove: proveLogged,
    describe: rememberIdentity((db) => describeLog(db, config, witness?.verifierKey ?? null)),
  };
  const read = (path: string) => readLogFile(files, path);
  const close = () => files[Symbol.asyncDispose]();
  if (config.role === 'web')
    return { read, asked, witness, wake: () => undefined, [Symbol.asyncDispose]: close };
  await startLog(services);
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
