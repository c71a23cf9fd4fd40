// A process that runs test files, one after another, and sends their events to the test command.
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

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
