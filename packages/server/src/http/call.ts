// The input and output of one call of an operation, and the context that its handler receives.
import type { Config } from '#config';
import type { Db, Tx } from '#database';
import type { Ledger } from '#ledger';
import type { MediaStore } from '#storage';
import type { TextWork } from '@colophon/text';
import type { Traces } from '#tracing';
import type { AuditSink } from './audited-reads.ts';
import type { CompiledOperation } from './compile-operation.ts';
import { requireScope } from './caller.ts';
import type { Caller } from './caller.ts';
import type { Answer, Listening } from './implement.ts';
import { longTexts, nobodyPays } from './long-texts.ts';
import type { Payer } from './long-texts.ts';
import type { Payload, Reserve } from './payload.ts';
import type { ArrivingBytes } from './input/upload.ts';
import type { UploadsUnderWay } from './input/uploads-under-way.ts';
import { problem } from './problem.ts';
import type { Browser } from './session-cookie.ts';
import type { ShareRead } from './shared-reads.ts';
import type { TransparencyLog } from './transparency.ts';
import { allowanceLeft } from './write/quotas.ts';

export interface Kernel extends AuditSink {
  /** Returns the reads of one public request, which may come from a standby. */
  readonly publicReads: () => Db;
  readonly config: Config;
  readonly text: TextWork;
  readonly store: MediaStore;
  readonly ledger: Ledger;
  /** Aborted when the server stops and no longer waits for bodies that are still arriving. */
  readonly givingUp: AbortSignal;
  readonly uploadWindowMs: number;
  readonly uploading: UploadsUnderWay;
  /** undefined: no operation is traced. */
  readonly traces?: Traces | undefined;
  /** Called after each commit with its transaction, so that new outbox messages are relayed at once. */
  readonly committed: (tx: Tx) => void;
  /** Starts listening for events of a topic. `gone` is aborted when the client no longer needs the answer. */
  readonly listen: (topic: string, gone: AbortSignal | undefined) => Listening;
  readonly transparency: TransparencyLog;
  /** Throw an error if an operation returns a problem that it does not declare. */
  readonly strict: boolean;
}

export interface Call {
  readonly caller: Caller | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly bytes?: ArrivingBytes | undefined;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly shown?: string | undefined;
  readonly accept?: string | undefined;
  /** Known for ceremonies only. */
  readonly browser?: Browser;
  /** Undefined for a call in process. */
  readonly payer?: Payer;
  /** Undefined for a call in process, whose answer is not serialized. */
  readonly reserve?: Reserve;
  /** Shares the read with other requests; undefined for one that reads alone. */
  readonly share?: ShareRead | undefined;
  /**
   * Returns a signal that is aborted when the client disconnects. It is created on demand: few operations
   * wait.
   */
  readonly gone?: () => AbortSignal;
}

export interface Performed {
  readonly status: number;
  /** Undefined if the status has no body or the call was in process. */
  readonly payload: Payload | undefined;
  readonly location?: string | undefined;
  /** Set for a replay, which has no `answer`. */
  readonly etag?: string | undefined;
  readonly answer?: Answer;
  readonly replayed?: true;
}

export function serialize(
  compiled: CompiledOperation,
  answer: Answer,
  without: readonly string[] = [],
): string | undefined {
  const serialize = compiled.serialize.get(answer.status);
  if (serialize === undefined) return undefined;
  if (without.length === 0) return serialize(answer.body);
  const blank = Object.fromEntries(without.map((member) => [member, null]));
  return serialize({ ...(answer.body as object), ...blank });
}

const noBrowser: Browser = { userAgent: undefined, address: '' };

export function baseContext(kernel: Kernel, call: Call, now: Date) {
  const { caller } = call;
  return {
    caller,
    problem,
    browser: call.browser ?? noBrowser,
    config: kernel.config,
    now,
    requireScope: (scope: Parameters<typeof requireScope>[1]) => {
      if (caller !== null) requireScope(caller, scope);
    },
  };
}

export async function prepare(
  kernel: Kernel,
  compiled: CompiledOperation,
  call: Call,
): Promise<unknown> {
  const { caller } = call;
  const { config, db, store, text } = kernel;
  const now = kernel.now();
  const requireAllowance = allowanceLeft({ db, limits: config.limits, caller, now });
  const { diffLines } = longTexts(text, call.payer ?? nobodyPays);
  const context = { caller, config, db, store, text, diffLines, now, problem, requireAllowance };
  return compiled.prepare?.(context, call);
}
