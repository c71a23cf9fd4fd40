// Runs a write: key, account and effect in one transaction, and the answer that a replay repeats.
import { noMembers } from '@colophon/contract';
import { baseContext, prepare, serialize } from '../call.ts';
import type { Call, Kernel, Performed } from '../call.ts';
import type { Tx } from '#database';
import { conclude, undo } from './transaction.ts';
import type { Attempt as AttemptOf } from './transaction.ts';
import { dryRunAnswer } from './dry-run.ts';
import type { CompiledOperation } from '../compile-operation.ts';
import { anonymousHolder, claimKey, fingerprintOf, storeAnswer } from './idempotency.ts';
import { isSuperseded } from './superseded-refusal.ts';
import { translateError } from '../translate-error.ts';
import type { Holder, Key, StoredAnswer } from './idempotency.ts';
import { lockAccount, requireMayWrite } from '../lock-account.ts';
import type { Answer, Refusal } from '../implement.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { pathOf } from '../paths.ts';
import { chargerOf } from './quotas.ts';

/** The result of a write. Its payload is a string: it is short, or has no key under which it is stored. */
interface Written extends Performed {
  readonly payload: string | undefined;
}

type Attempt = AttemptOf<Written>;

function writeContext(kernel: Kernel, call: Call, tx: Tx, attempt: Attempt) {
  const now = kernel.now();
  const { caller } = call;
  const charge = chargerOf({ tx, caller, limits: kernel.config.limits, now }, (refused) => {
    attempt.charge ??= refused;
  });
  const afterwards = (work: NonNullable<Attempt['afterwards']>) => {
    attempt.afterwards = work;
  };
  const whenRefused = (work: () => Promise<void>) => {
    attempt.whenRefused = work;
  };
  const dryRun = call.query['dry_run'] === true;
  const { ledger } = kernel;
  return { ...baseContext(kernel, call, now), tx, charge, ledger, afterwards, whenRefused, dryRun };
}

interface Keyed {
  readonly holder: Holder;
  readonly key: Key;
}

/** What one attempt of a write works with. */
interface Execution {
  readonly tx: Tx;
  /** undefined if the request has no key. */
  readonly keyed: Keyed | undefined;
  readonly attempt: Attempt;
  readonly prepared: unknown;
}

async function execute(
  kernel: Kernel,
  compiled: CompiledOperation,
  call: Call,
  execution: Execution,
): Promise<Written | Refusal> {
  const { tx, attempt, prepared } = execution;
  attempt.tx = tx;
  attempt.charge = undefined;
  attempt.afterwards = undefined;
  attempt.whenRefused = undefined;
  const context = writeContext(kernel, call, tx, attempt);
  const before = await beginWrite(compiled, call, execution, context.now);
  if (before.remembered !== undefined) return replay(before.remembered, attempt);
  const answer = await compiled.handle(context, call, prepared);
  // Not stored under the key: it is a refusal, and the next attempt may succeed.
  if ('refusal' in answer) return answer;
  if (call.caller !== null) requireMayWrite(compiled.operation, call.caller, await before.statuses);
  return finishWrite(compiled, answer, { ...execution, now: context.now });
}

/** Whether it is an operation of the API, and no ceremony. */
function isOfApi({ operation }: CompiledOperation): boolean {
  return operation.path.startsWith('/v1/');
}

/** Claims the key and locks the account. */
async function beginWrite(
  compiled: CompiledOperation,
  { caller }: Call,
  { tx, keyed }: Execution,
  now: Date,
) {
  const claimed = keyed && claimKey(tx, keyed.holder, keyed.key, now);
  if (caller === null) return { remembered: await claimed, statuses: undefined };
  // An exclusive lock on the account may have to wait, so the key is claimed first; claiming never waits.
  if (compiled.alone) await claimed;
  const withCredential = isOfApi(compiled) && !compiled.endsCredentials;
  const statuses = lockAccount(tx, caller, { alone: compiled.alone, withCredential });
  // Another write with an exclusive lock may have closed the account while this one waited.
  if (compiled.alone) requireMayWrite(compiled.operation, caller, await statuses);
  return { remembered: await claimed, statuses };
}

function finishWrite(
  compiled: CompiledOperation,
  answer: Answer,
  { tx, keyed, attempt, now }: Execution & { readonly now: Date },
): Written {
  const payload = serialize(compiled, answer);
  const remembered = storedAnswer(compiled, answer, payload);
  if (keyed) storeAnswer(tx, keyed.holder, keyed.key, { ...remembered, now });
  const performed = { status: answer.status, payload, location: answer.location, answer };
  attempt.answered = { remembered, performed };
  return performed;
}

/**
 * Returns the answer for a key that was used before: by an earlier request, which is replayed; or by this
 * request, whose connection broke after the commit, and whose secrets were not sent yet.
 */
function replay(before: StoredAnswer, attempt: Attempt): Written {
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

/** Returns the answer to store for replays: the same, without its secrets. */
function storedAnswer(
  compiled: CompiledOperation,
  answer: Answer,
  payload: string | undefined,
): StoredAnswer {
  const { secrets } = compiled.operation;
  const body = secrets === undefined ? payload : serialize(compiled, answer, secrets);
  return {
    status: answer.status,
    body: body ?? null,
    location: answer.location ?? null,
    etag: answer.etag ?? null,
  };
}

async function keyedBy(
  { operation }: CompiledOperation,
  { caller, idempotencyKey, params, body }: Call,
): Promise<Keyed | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const path = pathOf(operation.path, params);
  // Keys that were stored before such operations declared their body stay valid.
  const sent = operation.body && operation.body !== noMembers ? body : undefined;
  const fingerprint = await fingerprintOf(operation.method, path, sent);
  const key = { key: idempotencyKey, fingerprint };
  return { holder: caller ?? anonymousHolder(key), key };
}

/** A person and all agents of that person take turns together. */
function ownerOf({ caller }: Call): string | undefined {
  return caller?.ownerId ?? caller?.id;
}

/**
 * Runs a write, and returns its answer, or the stored one if its key was used before.
 * @throws Problem
 */
export async function write(
  kernel: Kernel,
  compiled: CompiledOperation,
  call: Call,
): Promise<Performed> {
  const dryRun = call.query['dry_run'] === true;
  const keyed = dryRun ? undefined : await keyedBy(compiled, call);
  const attempt: Attempt = {
    charge: undefined,
    tx: undefined,
    committed: false,
    afterwards: undefined,
    whenRefused: undefined,
    answered: undefined,
  };
  const ready = await prepare(kernel, compiled, call);
  const run = () =>
    kernel.db.transaction(
      (tx) => execute(kernel, compiled, call, { tx, keyed, attempt, prepared: ready }),
      { detectsItself: keyed !== undefined, rollback: dryRun, owner: ownerOf(call) },
    );
  const tryOnce = async () => {
    const performed = await retryOnConflict(run);
    attempt.whenRefused = undefined;
    attempt.committed = !('refusal' in performed);
    if (!dryRun) await conclude(kernel, attempt);
    if ('refusal' in performed) throw performed.refusal;
    return dryRun ? dryRunAnswer(performed) : performed;
  };
  try {
    try {
      return await tryOnce();
    } catch (error) {
      // Otherwise the replay of its own answer would hide that the work after the commit failed.
      if (attempt.committed || !(await isSuperseded(kernel, keyed, error))) throw error;
      await undo(attempt, error);
      return await tryOnce();
    }
  } catch (error) {
    await undo(attempt, error);
    throw translateError(compiled, error, attempt.charge);
  }
}
