// The one path of every operation, with or without HTTP: body check, transaction, key, handler, answer.
import type { Config } from '#config';
import type { Tx } from '#database';
import type { MediaStore } from '#storage';
import type { TextWork } from '#text';
import { conclude, undo } from './attempt.ts';
import type { Attempt as AttemptOf } from './attempt.ts';
import { recordRead } from './audited-reads.ts';
import type { AuditSink } from './audited-reads.ts';
import { tried } from './dry-run.ts';
import { holding } from './holding.ts';
import type { Bound } from './bind.ts';
import { requireScope } from './caller.ts';
import type { Caller } from './caller.ts';
import { claimKey, fingerprintOf, rememberAnswer } from './idempotency.ts';
import { isSuperseded } from './superseded.ts';
import { translated } from './translated.ts';
import type { Key, Remembered } from './idempotency.ts';
import { holdCaller, requireStanding } from './hold.ts';
import type { Answer, Listening, Refusal } from './implement.ts';
import { lookingAgain } from './looking-again.ts';
import { longTexts, unasked } from './long-texts.ts';
import type { Asking } from './long-texts.ts';
import { mediaTypeOf } from './input/media-type.ts';
import { pathOf } from './paths.ts';
import { payloadOf } from './payload.ts';
import type { Payload, Reserve } from './payload.ts';
import type { ArrivingBytes } from './input/upload.ts';
import { isProblem, problem } from './problem.ts';
import { allowanceLeft, charging } from './quotas.ts';

export interface Kernel extends AuditSink {
  readonly config: Config;
  readonly text: TextWork;
  readonly store: MediaStore;
  /** Aborts when the server stops and cannot wait any longer for bodies that are still arriving. */
  readonly givingUp: AbortSignal;
  readonly uploadWindowMs: number;
  /** Told after each commit, with its transaction: what waits in the outbox is carried at once. */
  readonly committed: (tx: Tx) => void;
  /** Makes a wait for news of a topic; `gone` aborts when nobody wants the answer any more. */
  readonly listen: (topic: string, gone: AbortSignal | undefined) => Listening;
  /** Fail loudly where an operation answers a problem that it does not declare. */
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
  readonly accept?: string | undefined;
  /** Left out: a call in process. */
  readonly asking?: Asking;
  /** Left out: a call in process, whose answer is not made into bytes. */
  readonly reserve?: Reserve;
  /** Aborts when the client leaves. Made when it is asked for: few operations wait. */
  readonly gone?: () => AbortSignal;
}

export interface Performed {
  readonly status: number;
  /** undefined: the status has no body, or the call was in process. */
  readonly payload: Payload | undefined;
  readonly location?: string | undefined;
  /** Of a replay, which has no answer of a handler. */
  readonly etag?: string | undefined;
  readonly answer?: Answer;
  readonly replayed?: true;
}

function serialized(
  bound: Bound,
  answer: Answer,
  without: readonly string[] = [],
): string | undefined {
  const serialize = bound.serialize.get(answer.status);
  if (serialize === undefined) return undefined;
  if (without.length === 0) return serialize(answer.body);
  const blank = Object.fromEntries(without.map((member) => [member, null]));
  return serialize({ ...(answer.body as object), ...blank });
}

function baseContext(kernel: Kernel, call: Call, now: Date) {
  const { caller } = call;
  return {
    caller,
    problem,
    config: kernel.config,
    now,
    requireScope: (scope: Parameters<typeof requireScope>[1]) => {
      if (caller !== null) requireScope(caller, scope);
    },
  };
}

async function prepared(kernel: Kernel, bound: Bound, call: Call): Promise<unknown> {
  const { caller } = call;
  const { config, db, store, text } = kernel;
  const now = kernel.now();
  const requireAllowance = allowanceLeft({ db, limits: config.limits, caller, now });
  const { diffLines } = longTexts(text, call.asking ?? unasked);
  const context = { caller, config, db, store, text, diffLines, now, problem, requireAllowance };
  return bound.prepare?.(context, call);
}

async function read(kernel: Kernel, bound: Bound, call: Call): Promise<Performed> {
  const mediaType = mediaTypeOf(bound.operation, call.accept);
  const listen = (topic: string) =>
    holding(kernel.db, call.caller, kernel.listen(topic, call.gone?.()));
  const { db, text } = kernel;
  const base = baseContext(kernel, call, kernel.now());
  const { spotlight } = longTexts(text, call.asking ?? unasked);
  const context = { ...base, db, listen, mediaType, spotlight };
  const answer = await bound.handle(context, call, await prepared(kernel, bound, call));
  if ('refusal' in answer) throw answer.refusal;
  await recordRead(kernel, { operation: bound.operation, caller: call.caller }, answer.audited);
  const { status, location } = answer;
  const { reserve } = call;
  const payload = reserve && (await payloadOf(bound, answer, reserve));
  return { status, payload, location, answer };
}

/** What a write answers is short, or has no key to be remembered under. */
interface Written extends Performed {
  readonly payload: string | undefined;
}

type Attempt = AttemptOf<Written>;

function writeContext(kernel: Kernel, call: Call, tx: Tx, attempt: Attempt) {
  const now = kernel.now();
  const { caller } = call;
  const charge = charging({ tx, caller, limits: kernel.config.limits, now }, (refused) => {
    attempt.charge ??= refused;
  });
  const afterwards = (work: NonNullable<Attempt['afterwards']>) => {
    attempt.afterwards = work;
  };
  const whenRefused = (work: () => Promise<void>) => {
    attempt.whenRefused = work;
  };
  const dryRun = call.query['dry_run'] === true;
  return { ...baseContext(kernel, call, now), tx, charge, afterwards, whenRefused, dryRun };
}

interface Effort {
  readonly tx: Tx;
  readonly key: Key | undefined;
  readonly attempt: Attempt;
  readonly prepared: unknown;
}

async function effect(
  kernel: Kernel,
  bound: Bound,
  call: Call,
  effort: Effort,
): Promise<Written | Refusal> {
  const { tx, attempt, prepared } = effort;
  attempt.tx = tx;
  attempt.charge = undefined;
  attempt.afterwards = undefined;
  attempt.whenRefused = undefined;
  const context = writeContext(kernel, call, tx, attempt);
  const before = await begun(bound, call, effort, context.now);
  if (before.remembered !== undefined) return again(before.remembered, attempt);
  const answer = await bound.handle(context, call, prepared);
  // Not remembered under the key: it is a refusal, and the next try may succeed.
  if ('refusal' in answer) return answer;
  if (call.caller !== null) requireStanding(bound.operation, call.caller, await before.standing);
  return done(bound, call, answer, { ...effort, now: context.now });
}

/** Takes the key and holds the account. */
async function begun(bound: Bound, { caller }: Call, { tx, key }: Effort, now: Date) {
  if (caller === null) return { remembered: undefined, standing: undefined };
  const claimed = key === undefined ? undefined : claimKey(tx, caller, key, now);
  // Whoever holds the account alone may wait for it; the same key never does.
  if (bound.alone) await claimed;
  const standing = holdCaller(tx, caller, bound.alone);
  // Another that held it alone may have ended it while this one waited.
  if (bound.alone) requireStanding(bound.operation, caller, await standing);
  return { remembered: await claimed, standing };
}

function done(
  bound: Bound,
  { caller }: Call,
  answer: Answer,
  { tx, key, attempt, now }: Effort & { readonly now: Date },
): Written {
  const payload = serialized(bound, answer);
  const remembered = kept(bound, answer, payload);
  if (key !== undefined && caller !== null) rememberAnswer(tx, caller, key, { ...remembered, now });
  const performed = { status: answer.status, payload, location: answer.location, answer };
  attempt.answered = { remembered, performed };
  return performed;
}

/**
 * The key was used before: by an earlier request, which is replayed; or by this very one, whose
 * connection broke after the commit, and whose secrets nobody has seen yet.
 */
function again(before: Remembered, attempt: Attempt): Written {
  const own = attempt.answered;
  if (own !== undefined && own.remembered.body === before.body) return own.performed;
  return {
    status: before.status,
    payload: before.body ?? undefined,
    location: before.location ?? undefined,
    etag: before.etag ?? undefined,
    replayed: true,
  };
}

/** What a replay will answer: the same, without its secrets. */
function kept(bound: Bound, answer: Answer, payload: string | undefined): Remembered {
  const { secrets } = bound.operation;
  const body = secrets === undefined ? payload : serialized(bound, answer, secrets);
  return {
    status: answer.status,
    body: body ?? null,
    location: answer.location ?? null,
    etag: answer.etag ?? null,
  };
}

async function write(kernel: Kernel, bound: Bound, call: Call): Promise<Performed> {
  const dryRun = call.query['dry_run'] === true;
  const key =
    call.idempotencyKey === undefined || dryRun || call.caller === null
      ? undefined
      : {
          key: call.idempotencyKey,
          fingerprint: await fingerprintOf(
            bound.operation.method,
            pathOf(bound.operation.path, call.params),
            bound.operation.body ? call.body : undefined,
          ),
        };
  const attempt: Attempt = {
    charge: undefined,
    tx: undefined,
    afterwards: undefined,
    whenRefused: undefined,
    answered: undefined,
  };
  const ready = await prepared(kernel, bound, call);
  const run = () =>
    kernel.db.transaction(
      (tx) => effect(kernel, bound, call, { tx, key, attempt, prepared: ready }),
      { detectsItself: key !== undefined, rollback: dryRun },
    );
  const tryOnce = async () => {
    const performed = await lookingAgain(run);
    attempt.whenRefused = undefined;
    if (!dryRun) await conclude(kernel, attempt);
    if ('refusal' in performed) throw performed.refusal;
    return dryRun ? tried(performed) : performed;
  };
  try {
    try {
      return await tryOnce();
    } catch (error) {
      if (!(await isSuperseded(kernel, { caller: call.caller, key }, error))) throw error;
      await undo(attempt, error);
      return await tryOnce();
    }
  } catch (error) {
    await undo(attempt, error);
    throw translated(bound, error, attempt.charge);
  }
}

/**
 * Runs an operation whose caller, scope, headers and query were admitted.
 * @throws any problem that the operation declares; unavailable where the database does not answer
 */
export async function perform(kernel: Kernel, bound: Bound, call: Call): Promise<Performed> {
  try {
    if (bound.operation.method !== 'GET') return await write(kernel, bound, call);
    return await read(kernel, bound, call);
  } catch (error) {
    const told = translated(bound, error);
    if (kernel.strict && isProblem(told) && !bound.operation.allProblems.includes(told.problem)) {
      throw new Error(
        `${bound.operation.name} answers ${told.problem}, which it does not declare.`,
        { cause: told },
      );
    }
    throw told;
  }
}
