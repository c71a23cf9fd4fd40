// Classifies database errors for callers of the database.

interface DatabaseError extends Error {
  code?: string;
  constraint?: string;
  severity?: string;
}

/** Serialization failure and deadlock: the transaction had no effect and may run again. */
const rerunnable = new Set(['40001', '40P01']);
/** The statement name is gone: the pooler or the server forgot it. The statement had no effect. */
const lostStatement = '26000';
/**
 * The plan is stale after online DDL. The code is that of everything unsupported, so the message decides; it
 * is PostgreSQL's own, and the same text comes from the shard of a distributed table.
 */
const unsupported = '0A000';
const stalePlanText = /cached plan must not change result type/;
/** The server refuses temporarily: too many connections, starting, stopping, read-only after failover. */
const refusing = new Set(['53300', '57P01', '57P02', '57P03', '25006', '53400']);
const missingTable = '42P01';
const timedOut = new Set(['57014', '55P03', '25P03', '25P04']);
const ends = new Set(['FATAL', 'PANIC']);
const network = new Set([
  // The queue of a Unix socket is full: the database is suspended, or overloaded.
  'EAGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  // The name of a container exists only while it runs, and the name server may be away too.
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Whether no connection could be opened, for whatever reason: this process may also have no descriptor or port left. */
function isUnopened(error: NodeJS.ErrnoException): boolean {
  return error.syscall === 'connect';
}

/** What a coordinator says of a worker that it lost. */
function isOfLostWorker(error: Error): boolean {
  return codeOf(error).startsWith('08') || workerLost.test(error.message);
}

/** What the driver and its pool say, which set no code. Whole: a problem may say that an account was closed. */
const driverLost =
  /^(?:Connection terminated(?: unexpectedly| due to connection timeout)?|Client (?:has encountered a connection error|was closed) and is not queryable)$/;

/**
 * What a coordinator says, with the code of an internal error, where a transaction that wrote has lost a worker, and
 * where the coordinator itself ends.
 */
const workerLost =
  /^(?:failure on connection marked as essential: |postmaster was shut down, exiting$)/;

/** Errors after which another attempt would only wait again. */
const final = new WeakSet<Error>();

/** Marks an error: the statement is not sent again. */
export function withoutRetry(error: Error): Error {
  final.add(error);
  return error;
}

export function isWithoutRetry(error: unknown): boolean {
  return error instanceof Error && final.has(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error ? ((error as DatabaseError).code ?? '') : '';
}

function isFromServer(error: unknown): boolean {
  return error instanceof Error && typeof (error as DatabaseError).severity === 'string';
}

/**
 * A constraint that a message names, whatever its language: every constraint ends with its kind, and with the
 * number of a shard where Citus made it.
 */
const namedConstraint = /(?<![\w$])([a-z]\w*_(?:pkey|key|fkey|check|excl))(?:_\d{6,})?(?![\w$])/;

/**
 * Returns the name of the violated constraint, without the suffix that Citus adds to that of a shard. Citus
 * repeats a worker's error without its fields, and an error of INSERT … SELECT without its code: then the
 * message names the constraint.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const code = codeOf(error);
  if (!code.startsWith('23') && code !== 'XX000') return undefined;
  const { constraint, message } = error as DatabaseError;
  if (constraint !== undefined && constraint !== '') return constraint.replace(/_\d{6,}$/, '');
  return isFromServer(error) ? namedConstraint.exec(message)?.[1] : undefined;
}

export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === missingTable;
}

export function isRerunnable(error: unknown): boolean {
  return rerunnable.has(codeOf(error));
}

/** Whether an earlier statement of the transaction failed, and this one was not run. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

/** Also the code of many things that have one of their own elsewhere: the caller knows which it can be. */
export function isUnsupported(error: unknown): boolean {
  return isFromServer(error) && codeOf(error) === unsupported;
}

export function isStalePlan(error: unknown): boolean {
  if (!isFromServer(error)) return false;
  const code = codeOf(error);
  return (
    code === lostStatement || (code === unsupported && stalePlanText.test((error as Error).message))
  );
}

export function isTimeout(error: unknown): boolean {
  return (
    timedOut.has(codeOf(error)) ||
    (error instanceof Error && /^timeout (?:exceeded|expired)/.test(error.message))
  );
}

/**
 * Whether the connection is lost or was refused; whether the last statement took effect is unknown. Class 08
 * comes from a coordinator that lost a worker.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // FATAL ends this connection and PANIC all connections, whatever the code.
  if (isUnopened(error) || ends.has((error as DatabaseError).severity ?? '')) return true;
  if (network.has(code) || refusing.has(code)) return true;
  return isFromServer(error) ? isOfLostWorker(error) : driverLost.test(error.message);
}

/**
 * Whether the server lacks a resource (class 53: disk 53100, memory 53200), cannot use its files (class 58:
 * I/O error 58030), or shuts down (57P0x). The statement had no effect; a later retry may succeed.
 */
export function isOutOfResources(error: unknown): boolean {
  return isFromServer(error) && /^(?:53|58)...$|^57P0.$/.test(codeOf(error));
}
