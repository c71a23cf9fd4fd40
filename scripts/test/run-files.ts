// Runs test files in processes of their own, a few at once, each with an end by the clock.
import { relative } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';

export interface Terms {
  /** Ends everything: running files are stopped, others are not begun. */
  readonly signal: AbortSignal;
  readonly atOnce: number;
  readonly testMilliseconds?: number;
  readonly fileMilliseconds?: number;
}

/** Events that are about one run of the runner; here a run is one file, and the caller sums up. */
function isAboutTheRun(event: TestEvent): boolean {
  if (event.data === undefined || event.type === 'test:summary') return true;
  return (
    (event.type === 'test:diagnostic' || event.type === 'test:plan') && event.data.nesting === 0
  );
}

function failed(event: TestEvent, file: string, why: string): TestEvent {
  const { data } = event as Extract<TestEvent, { type: 'test:pass' }>;
  const error = Object.assign(new Error(why), { stack: why });
  const details = { ...data.details, error };
  return { type: 'test:fail', data: { ...data, name: file, details } } as unknown as TestEvent;
}

/** The runner speaks of a file itself only when it holds no test, or when it failed beside its tests. */
function withShortName(event: TestEvent, path: string): TestEvent {
  if (event.data === undefined || !('name' in event.data) || event.data.name !== path) return event;
  const file = relative('.', path);
  if (event.type === 'test:pass') return failed(event, file, `${file} holds no test.`);
  return { ...event, data: { ...event.data, name: file } } as TestEvent;
}

async function runFile(file: string, terms: Terms): Promise<TestEvent[]> {
  const { testMilliseconds = 120_000, fileMilliseconds = 300_000 } = terms;
  const began = performance.now();
  const events: TestEvent[] = [];
  // Given to the runner as well, a time-out holds for each test; a file whose tests are over may still hang.
  const late = AbortSignal.timeout(fileMilliseconds);
  const results = run({
    files: [file],
    isolation: 'process',
    concurrency: false,
    timeout: testMilliseconds,
    signal: AbortSignal.any([terms.signal, late]),
  });
  for await (const event of results as AsyncIterable<TestEvent>) {
    if (!isAboutTheRun(event)) events.push(withShortName(event, file));
  }
  const seconds = (performance.now() - began) / 1000;
  const end = late.aborted ? ', did not end by itself and was stopped' : '';
  const message = `${relative('.', file)} (${seconds.toFixed(1)} s${end})`;
  return [{ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } }, ...events];
}

/** Calls `report` once for each file, when it has ended. */
export async function runFiles(
  files: readonly string[],
  terms: Terms,
  report: (events: TestEvent[]) => void,
): Promise<void> {
  const waiting = [...files];
  async function next(): Promise<void> {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (terms.signal.aborted) return;
      report(await runFile(file, terms));
    }
  }
  await Promise.all(Array.from({ length: terms.atOnce }, next));
}
