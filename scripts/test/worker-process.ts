// One process that runs test files for the test command, and all the ways in which it can end.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { collectOutput } from './output.ts';
import type { Output } from './output.ts';

export interface FileLimits {
  /** The limit for one test. */
  readonly testMilliseconds: number;
  /** The limit for one file. Both only stop tests that hang: no test fails because the machine is slow. */
  readonly fileMilliseconds: number;
}

export interface FileResult {
  readonly events: readonly TestEvent[];
  /** The output of the file. */
  readonly output: string;
}

export interface TestWorker {
  readonly megabytes: () => number;
  readonly files: () => number;
  readonly ended: () => boolean;
  runFile(file: string): Promise<FileResult>;
  /**
   * Lets the process exit on its own. Resolves with the reason why it did not and its output, or undefined.
   */
  finish(): Promise<string | undefined>;
  kill(): void;
}

interface Answer {
  readonly events: readonly TestEvent[];
  readonly megabytes: number;
}

/** MiB. Test files make much that is soon garbage: with V8's own 16, copying what is left takes a tenth of the time. */
const youngGeneration = 64;
const program = resolve(import.meta.dirname, 'worker.ts');
const finishMilliseconds = 60_000;
// A process that a file leaves running may keep the streams of its ended parent open.
const outputMilliseconds = 5_000;

/** Returns a failure of the file as a whole, which no test reports. */
export function fileFailure(file: string, why: string): TestEvent {
  const name = relative('.', file);
  const error = { message: why, stack: why };
  const details = { duration_ms: 0, type: 'test', error };
  return {
    type: 'test:fail',
    data: { name, nesting: 0, testNumber: 1, details, file, line: 1, column: 1 },
  } as unknown as TestEvent;
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `ended with exit code ${String(code)}` : `was ended by ${signal}`;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolveEnd) => {
    // Not 'close': that event waits for processes that inherited the pipes, and is missed after our
    // disconnect().
    child.once('exit', (code, signal) => resolveEnd(describeEnd(code, signal)));
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Resolves with the result of `work`, or with `late` when the time is over first. */
async function within<T>(work: Promise<T>, milliseconds: number, late: string) {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolveLate) => {
    timer = setTimeout(() => resolveLate(late), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns what an ended process printed after its last file. */
async function lastOutput(output: Output): Promise<string> {
  // A mark that never arrives: reads until both streams end.
  const mark = randomUUID();
  await within(output.reached(mark), outputMilliseconds, 'did not end');
  return output.take(mark);
}

/** The process has a group of its own, so that its children can be killed with it. */
function forkWorker(): ChildProcess {
  // Tests read what programs print; only the report of the tests may have colours.
  const { FORCE_COLOR: _forced, ...env } = process.env;
  return fork(program, [], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [...process.execArgv, `--max-semi-space-size=${youngGeneration}`],
    serialization: 'json',
  });
}

/** Starts a process that runs test files. */
export function startWorker(limits: FileLimits): TestWorker {
  const child = forkWorker();
  const output = collectOutput(child);
  let end: string | undefined;
  let files = 0;
  let megabytes = 0;
  const ended = endOf(child).then((how) => (end = how));
  // Also emitted when a message is sent to a process that has just ended; its exit is what is reported.
  child.on('error', () => undefined);

  const kill = (): void => (end === undefined ? killGroup(child) : undefined);

  async function runFile(file: string): Promise<FileResult> {
    files += 1;
    const mark = `\n${randomUUID()}\n`;
    const answered = new Promise<Answer>((resolveAnswer) => {
      child.once('message', (answer) => resolveAnswer(answer as Answer));
    });
    child.send({ file, mark, testMilliseconds: limits.testMilliseconds });
    const minutes = limits.fileMilliseconds / 60_000;
    const result = await within(
      Promise.race([answered, ended]),
      limits.fileMilliseconds,
      `did not end within ${minutes} minutes and was stopped`,
    );
    if (typeof result === 'string') {
      kill();
      await ended;
    }
    await within(output.reached(mark), outputMilliseconds, 'printed no mark');
    const printed = output.take(mark);
    if (typeof result === 'string')
      return { events: [fileFailure(file, `The file's process ${result}.`)], output: printed };
    ({ megabytes } = result);
    return { events: result.events, output: printed };
  }

  async function finish(): Promise<string | undefined> {
    if (child.connected) child.disconnect();
    const result = await within(ended, finishMilliseconds, 'still runs after its last test');
    kill();
    await ended;
    return result === 'ended with exit code 0'
      ? undefined
      : `The process ${result}.\n${await lastOutput(output)}`;
  }

  return {
    megabytes: () => megabytes,
    files: () => files,
    ended: () => end !== undefined,
    runFile,
    finish,
    kill,
  };
}
