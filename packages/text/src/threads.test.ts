// Deadlines of worker threads while the main thread is busy, as after the process was suspended.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openThreads } from './threads.ts';

const folder = await mkdtemp(join(tmpdir(), 'colophon-threads-'));
after(() => rm(folder, { recursive: true, force: true }));

/** The task's two integers: whether its work has begun, and whether it may end. */
const held = join(folder, 'held.mjs');
await writeFile(
  held,
  `import { worker } from ${JSON.stringify(import.meta.resolve('./lib/worker.ts'))};
  export default worker((shared) => {
    Atomics.store(shared, 0, 1);
    Atomics.wait(shared, 1, 0);
    return 'done';
  });`,
);

const deadlineMs = 1_000;

const open = () =>
  openThreads<Int32Array, string>(
    {
      file: pathToFileURL(held),
      threads: 1,
      memoryMb: 64,
      deadlineMs,
      idleMs: 60_000,
      waiting: 10,
    },
    (error) => assert.fail(error),
  );

const twoIntegers = () => new Int32Array(new SharedArrayBuffer(8));

test('a result that is there when the main thread is free again is not late', async () => {
  await using threads = open();
  const task = twoIntegers();
  const running = threads.run(task, undefined);
  while (Atomics.load(task, 0) === 0) await turn();
  // Turns in which the main thread learns that the work has begun.
  for (let n = 0; n < 10; n += 1) await turn();
  Atomics.store(task, 1, 1);
  Atomics.notify(task, 1);
  // Nothing happens here for longer than the deadline.
  Atomics.wait(twoIntegers(), 0, 0, 2 * deadlineMs);
  assert.deepEqual(await running, { result: 'done', failure: null });
});

test('work that does not end is ended at its deadline, and the next work has a thread', async () => {
  await using threads = open();
  assert.deepEqual(await threads.run(twoIntegers(), undefined), {
    result: null,
    failure: 'deadline',
  });
  const task = twoIntegers();
  Atomics.store(task, 1, 1);
  assert.deepEqual(await threads.run(task, undefined), { result: 'done', failure: null });
});
