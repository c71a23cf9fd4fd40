// A process that runs test files, one after another, and sends their events to the test command.
import asyncHooks from 'node:async_hooks';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { wakeThreadPool } from '../../packages/server/src/runtime/thread-pool-wakeup.mjs';
import { uncaughtError } from './counts.ts';

wakeThreadPool();

// The runner tracks every promise to find the test of an error that no test caught. That takes a tenth of the
// processor time. Without it, such an error fails the file.
const { createHook } = asyncHooks;
Object.assign(asyncHooks, {
  createHook: (callbacks: Parameters<typeof createHook>[0]) =>
    createHook({ ...callbacks, trackPromises: false }),
});
// What fast-check does not draw uses packages/server/test/seed.ts.
const { SEED } = process.env;
if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) });
const { run } = await import('node:test');

interface Order {
  readonly file: string;
  /** Printed after the output of the file, on both streams. */
  readonly mark: string;
  readonly testMilliseconds: number;
}

/**
 * Keeps only what reporters and counts need. An error is sent as text: a copy would lose the details of an
 * assertion.
 */
function portable(event: TestEvent): TestEvent {
  if (event.type !== 'test:fail') return event;
  const { error } = event.data.details;
  const stack = inspect(error.cause instanceof Error ? error.cause : error);
  const details = { ...event.data.details, error: { message: error.message, stack } };
  return { ...event, data: { ...event.data, details } } as unknown as TestEvent;
}

async function runFile({ file, testMilliseconds }: Order): Promise<TestEvent[]> {
  const events: TestEvent[] = [];
  // Without a process for each file, modules that the files share are loaded once.
  const results = run({
    files: [file],
    isolation: 'none',
    concurrency: false,
    timeout: testMilliseconds,
  });
  for await (const event of results as AsyncIterable<TestEvent>) events.push(portable(event));
  // The file is reported as failed; the files that share its process are not.
  if (events.some((event) => uncaughtError(event) !== undefined)) process.exitCode = undefined;
  return events;
}

process.on('message', (order: Order) => {
  // The runner ends a run when nothing keeps the process alive, as in a process for one file.
  process.channel?.unref();
  void runFile(order).then((events) => {
    process.channel?.ref();
    process.stdout.write(order.mark);
    process.stderr.write(order.mark);
    process.send?.({ events, megabytes: process.memoryUsage.rss() / 2 ** 20 });
  });
});
