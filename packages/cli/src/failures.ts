// Failures as people and scripts see them: what happened, what to do next, the request id, the exit code.
import type { ProblemError } from '@colophon/sdk';
import { adviceAbout } from './advice.ts';
import { exits, problemExits } from './exit-codes.ts';
import { fileTrouble } from './file-trouble.ts';
import { adviceFor } from './invocation.ts';
import type { Invocation } from './invocation.ts';
import { toJson } from './json.ts';
import { asCommands } from './output/as-commands.ts';
import { oneLine, printable } from './output/printable.ts';
import { styleOf } from './output/style.ts';
import type { Terminal } from './terminal.ts';

/** A failure that the user can correct. */
export interface Failure extends Error {
  readonly exitCode: number;
  readonly next?: string;
  /** Whether it is said also after Ctrl-C, in place of what that leaves open: it knows more. */
  readonly isFinal?: true;
}

/** Returns an error with an exit code and a sentence that says what to do next. */
export function failure(message: string, next?: string, exitCode: number = exits.failed): Failure {
  return Object.assign(new Error(message), {
    name: 'Failure',
    exitCode,
    ...(next === undefined ? {} : { next }),
  });
}

/** Returns a failure for a command line that is wrong. */
export function misuse(message: string, next?: string): Failure {
  return failure(message, next, exits.usage);
}

function isFailure(error: unknown): error is Failure {
  return error instanceof Error && error.name === 'Failure';
}

/** Without the class, which would load the client for every failure. */
function isProblemError(error: unknown): error is ProblemError {
  return error instanceof Error && error.name === 'ProblemError';
}

const networkHint =
  'Check the address (`colophon profile list`), the network, and that the service runs. Then run the same command again.';

/** The detail says that nothing was sent. */
const portHint =
  'Correct the port of the address (`colophon profile list`, --url, COLOPHON_URL). Then run the same command again.';

function nextOf(error: ProblemError, invocation: Invocation): string {
  const advice = error.outcomeUnknown ? adviceFor(invocation) : undefined;
  if (advice !== undefined) return advice.next;
  if (error.source === 'network' && !error.retryable) return portHint;
  if (error.source !== 'service') return networkHint;
  return adviceAbout(error, invocation);
}

function requestIdOf(error: ProblemError): string | undefined {
  return error.problem.request_id ?? error.headers?.get('x-request-id') ?? undefined;
}

async function problemLines(
  error: ProblemError,
  invocation: Invocation,
): Promise<readonly string[]> {
  const { problem } = error;
  const { detail, errors = [] } = problem;
  const request = requestIdOf(error);
  // The detail repeats the first fault for clients that read nothing else.
  const isRepeated = errors.some((fault) => detail?.includes(fault.detail));
  const about = detail === undefined || isRepeated ? [] : [`  ${oneLine(detail)}`];
  const faults = errors.map(
    (fault) => `  ${oneLine(fault.pointer === '' ? '/' : fault.pointer)}: ${oneLine(fault.detail)}`,
  );
  return [
    `${oneLine(problem.title)} (${problem.name})`,
    ...(await Promise.all([...about, ...faults].map(asCommands))),
    `Next: ${oneLine(nextOf(error, invocation))}`,
    ...(request === undefined ? [] : [`Request: ${oneLine(request)}`]),
  ];
}

function exitOf({ source, problem }: ProblemError): number {
  if (source === 'network') return exits.network;
  if (source === 'gateway') return exits.gateway;
  return problemExits[problem.name];
}

interface Report {
  readonly exitCode: number;
  readonly lines: readonly string[];
  readonly body: object;
}

async function reportOf(error: unknown, invocation: Invocation): Promise<Report> {
  if (isProblemError(error)) {
    const exitCode = exitOf(error);
    const lines = await problemLines(error, invocation);
    const { problem, attempts, outcomeUnknown } = error;
    const { idempotency_key } = (outcomeUnknown ? adviceFor(invocation) : undefined) ?? {};
    const body = {
      ...problem,
      exit_code: exitCode,
      attempts,
      outcome_unknown: outcomeUnknown,
      idempotency_key,
      next: nextOf(error, invocation),
    };
    return { exitCode, lines, body };
  }
  const trouble = fileTrouble(error);
  return plainReport(trouble === undefined ? error : failure(trouble.message, trouble.next));
}

function plainReport(error: unknown): Report {
  const text = error instanceof Error ? error.message : String(error);
  const next = isFailure(error) ? error.next : undefined;
  const exitCode = isFailure(error) ? error.exitCode : exits.failed;
  const lines = [printable(text), ...(next === undefined ? [] : [`Next: ${printable(next)}`])];
  return { exitCode, lines, body: { error: text, exit_code: exitCode, next } };
}

/** Says what to do after Ctrl-C, if something may have been written. */
function interruption(invocation: Invocation): Report | undefined {
  const advice = adviceFor(invocation);
  if (advice === undefined) return undefined;
  const exitCode = exits.interrupted;
  const body = { error: 'Interrupted.', exit_code: exitCode, ...advice };
  return { exitCode, lines: ['Interrupted.', `Next: ${advice.next}`], body };
}

/** Reports a failure on standard error, as JSON with --json, and returns the exit code. */
export async function reportFailure(
  error: unknown,
  terminal: Terminal,
  json: boolean,
  invocation: Invocation,
): Promise<number> {
  const isInterrupted = terminal.signal.aborted && !(isFailure(error) && error.isFinal === true);
  const report = isInterrupted ? interruption(invocation) : await reportOf(error, invocation);
  if (report === undefined) return exits.interrupted;
  const { exitCode, lines, body } = report;
  const style = styleOf(terminal, 'errors');
  const [first = '', ...rest] = lines;
  terminal.errors.write(
    json ? `${toJson(body)}\n` : [`${style('red', 'colophon:')} ${first}`, ...rest, ''].join('\n'),
  );
  return exitCode;
}
