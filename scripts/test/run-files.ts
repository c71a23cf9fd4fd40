// Runs test files in a few processes at once: longest first, most of them several to a process.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { fileFailure, startWorker } from './worker-process.ts';
import type { FileLimits, FileResult, TestWorker } from './worker-process.ts';

export interface Terms extends FileLimits {
  /** Ends everything: processes are killed, further files are not started. */
  readonly signal: AbortSignal;
  readonly atOnce: number;
  /** True for files that may run in a process that other files ran in. */
  readonly shares: (file: string) => boolean;
}

export interface FileReport {
  readonly file: string;
  readonly seconds: number;
  readonly events: readonly TestEvent[];
  readonly output: string;
}

/** A process is replaced after so many files, or when it has grown so much. */
const filesPerWorker = 30;
const megabytesPerWorker = 900;

/** Events that are about one run of the runner; here a run is one file, and the caller sums up. */
function isAboutTheRun(event: TestEvent): boolean {
  if (event.data === undefined || event.type === 'test:summary') return true;
  return (
    (event.type === 'test:diagnostic' || event.type === 'test:plan') && event.data.nesting === 0
  );
}

/** Errors come as plain objects from the file's process. A pass of the file itself says that it holds no test. */
function received(event: TestEvent, file: string): TestEvent {
  if (event.type === 'test:pass' && event.data.name === file)
    return fileFailure(file, `${relative('.', file)} holds no test.`);
  if (event.type !== 'test:fail') return event;
  const { error } = event.data.details;
  const rebuilt = Object.assign(new Error(error.message), { stack: String(error.stack) });
  const name = event.data.name === file ? relative('.', file) : event.data.name;
  const details = { ...event.data.details, error: rebuilt };
  return { ...event, data: { ...event.data, name, details } } as unknown as TestEvent;
}

function reported(file: string, { events, output }: FileResult): FileResult {
  const told = events
    .filter((event) => !isAboutTheRun(event))
    .map((event) => received(event, file));
  const holdsTests = told.some(({ type }) => type === 'test:pass' || type === 'test:fail');
  if (holdsTests) return { events: told, output };
  return { events: [fileFailure(file, `${relative('.', file)} holds no test.`)], output };
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

/** A process that runs one file after another, and is replaced before it has grown old. */
function sharedWorker(terms: Terms, live: Set<TestWorker>) {
  let worker: TestWorker | undefined;
  let last = '';

  async function finish(): Promise<FileResult | undefined> {
    if (worker === undefined) return undefined;
    const done = worker;
    worker = undefined;
    const why = done.ended() ? undefined : await done.finish();
    live.delete(done);
    return why === undefined ? undefined : { events: [fileFailure(last, why)], output: '' };
  }

  async function runFile(file: string): Promise<FileResult> {
    worker ??= startWorker(terms);
    live.add(worker);
    last = file;
    const result = await worker.runFile(file);
    const old = worker.files() >= filesPerWorker || worker.megabytes() > megabytesPerWorker;
    if (!old && !worker.ended()) return result;
    const left = await finish();
    return left === undefined ? result : { ...result, events: [...result.events, ...left.events] };
  }

  return { runFile, finish };
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

  async function runOne(): Promise<void> {
    const shared = sharedWorker(terms, live);
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (terms.signal.aborted) return;
      const began = performance.now();
      const result = terms.shares(file)
        ? await shared.runFile(file)
        : await runAlone(file, terms, live);
      if (terms.signal.aborted) return;
      const seconds = (performance.now() - began) / 1000;
      report({ file, seconds, ...reported(file, result) });
    }
    const left = await shared.finish();
    if (left !== undefined) report({ file: 'the last shared process', seconds: 0, ...left });
  }
  await Promise.all(Array.from({ length: terms.atOnce }, runOne));
}
