// Runs test files in several concurrent processes: longest first, most of them sharing a process.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { uncaughtError } from './counts.ts';
import type { Placement } from './files.ts';
import { fileFailure, startWorker } from './worker-process.ts';
import type { FileLimits, FileResult, TestWorker } from './worker-process.ts';

export interface Terms extends FileLimits {
  /** Aborts the run: processes are killed, further files are not started. */
  readonly signal: AbortSignal;
  readonly atOnce: number;
  readonly placementOf: (file: string) => Placement;
}

export interface FileReport {
  readonly file: string;
  readonly seconds: number;
  readonly events: readonly TestEvent[];
  readonly output: string;
}

/**
 * A process is replaced after this many files, or when it has grown too much. Only files that may be the last
 * one follow such a file. A new process takes 3 seconds of processor time until it is as fast.
 */
const filesPerWorker = 40;
const megabytesPerWorker = 900;

/** Events about a whole run of the runner. Here a run is one file, and the caller counts the totals. */
function isAboutTheRun(event: TestEvent): boolean {
  if (uncaughtError(event) !== undefined) return false;
  if (event.data === undefined || event.type === 'test:summary') return true;
  return (
    (event.type === 'test:diagnostic' || event.type === 'test:plan') && event.data.nesting === 0
  );
}

/**
 * The event of a file as a whole has its path as the name; the reporter compares the names of its start and
 * end.
 */
function withFileName(data: TestEvent['data'], file: string): object {
  const { name } = { name: undefined, ...data };
  return name === file ? { ...data, name: relative('.', file) } : { ...data };
}

/**
 * Errors arrive from the file's process as plain objects. A pass of the file itself means that it contains no
 * test.
 */
function receiveEvent(event: TestEvent, file: string): TestEvent {
  if (event.type === 'test:pass' && event.data.name === file)
    return fileFailure(file, `${relative('.', file)} contains no test.`);
  const uncaught = uncaughtError(event);
  if (uncaught !== undefined) return fileFailure(file, uncaught);
  const data = withFileName(event.data, file);
  if (event.type !== 'test:fail') return { ...event, data } as TestEvent;
  const { error } = event.data.details;
  const rebuilt = Object.assign(new Error(error.message), { stack: String(error.stack) });
  const details = { ...event.data.details, error: rebuilt };
  return { ...event, data: { ...data, details } } as unknown as TestEvent;
}

function reportOf(file: string, { events, output }: FileResult): FileResult {
  const told = events
    .filter((event) => !isAboutTheRun(event))
    .map((event) => receiveEvent(event, file));
  const holdsTests = told.some(({ type }) => type === 'test:pass' || type === 'test:fail');
  if (holdsTests) return { events: told, output };
  return { events: [fileFailure(file, `${relative('.', file)} contains no test.`)], output };
}

async function runAlone(file: string, terms: Terms, live: Set<TestWorker>): Promise<FileResult> {
  const worker = startWorker(terms);
  live.add(worker);
  try {
    const result = await worker.runFile(file);
    const why = worker.ended() ? undefined : await worker.finish();
    if (why === undefined) return result;
    return { ...result, events: [...result.events, fileFailure(file, why)] };
  } finally {
    live.delete(worker);
  }
}

/** A process that runs one file after another until it is replaced. */
function sharedWorker(terms: Terms, live: Set<TestWorker>) {
  let worker: TestWorker | undefined;
  let last = '';
  /** It ran a file that must be behind the others. */
  let isSpent = false;

  async function finish(): Promise<FileResult | undefined> {
    if (worker === undefined) return undefined;
    const done = worker;
    worker = undefined;
    isSpent = false;
    const why = done.ended() ? undefined : await done.finish();
    live.delete(done);
    return why === undefined ? undefined : { events: [fileFailure(last, why)], output: '' };
  }

  async function runFile(file: string): Promise<FileResult> {
    worker ??= startWorker(terms);
    live.add(worker);
    last = file;
    const result = await worker.runFile(file);
    isSpent ||= terms.placementOf(file) === 'last';
    if (!worker.ended()) return result;
    const left = await finish();
    return left === undefined ? result : { ...result, events: [...result.events, ...left.events] };
  }

  const isOld = (): boolean =>
    worker !== undefined &&
    (isSpent || worker.files() >= filesPerWorker || worker.megabytes() > megabytesPerWorker);

  return { runFile, finish, isOld };
}

/** Calls `report` once for each file, when it has ended. */
export async function runFiles(
  files: readonly string[],
  terms: Terms,
  report: (file: FileReport) => void,
): Promise<void> {
  const waiting = [...files];
  const live = new Set<TestWorker>();
  terms.signal.addEventListener('abort', () => {
    for (const worker of live) worker.kill();
  });

  /** Returns the next file; for an old process the next one that may follow its last. */
  function take(old: boolean): string | undefined {
    const fits = waiting.findIndex((file) => (terms.placementOf(file) === 'last') === old);
    return waiting.splice(Math.max(fits, 0), 1)[0];
  }

  async function runOne(): Promise<void> {
    const shared = sharedWorker(terms, live);
    const replace = async (): Promise<void> => {
      const left = await shared.finish();
      if (left !== undefined) report({ file: 'a shared process', seconds: 0, ...left });
    };
    for (let file = take(false); file !== undefined; file = take(shared.isOld())) {
      if (terms.signal.aborted) return;
      // No remaining file may be its last.
      if (shared.isOld() && terms.placementOf(file) === 'shared') await replace();
      const began = performance.now();
      const result =
        terms.placementOf(file) === 'alone'
          ? await runAlone(file, terms, live)
          : await shared.runFile(file);
      if (terms.signal.aborted) return;
      const seconds = (performance.now() - began) / 1000;
      report({ file, seconds, ...reportOf(file, result) });
    }
    await replace();
  }
  await Promise.all(Array.from({ length: terms.atOnce }, runOne));
}
