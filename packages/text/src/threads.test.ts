// Deadlines of worker threads: processor time counts, even if the main thread is busy or the thread has to wait.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { takeDescriptors } from '../../server/test/take-descriptors.ts';
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

/** Works without an end. */
const endless = join(folder, 'endless.mjs');
await writeFile(
  endless,
  `import { worker } from ${JSON.stringify(import.meta.resolve('./lib/worker.ts'))};
  export default worker(() => {
    for (;;);
  });`,
);

/** Takes ever more memory. */
const greedy = join(folder, 'greedy.mjs');
await writeFile(
  greedy,
  `import { worker } from ${JSON.stringify(import.meta.resolve('./lib/worker.ts'))};
  export default worker(() => {
    for (const kept = []; ; kept.push({ one: kept.length }));
  });`,
);

const deadlineMs = 1_000;

const open = (program = held, patience = 4) =>
  openThreads<Int32Array, string>(
    {
      file: pathToFileURL(program),
      threads: 1,
      memoryMb: 64,
      deadlineMs,
      patience,
      idleMs: 60_000,
      waiting: 10,
    },
    (error) => assert.fail(error),
  );

const twoIntegers = () => new Int32Array(new SharedArrayBuffer(8));

test('a result that is there when the main thread is free again is not late', async () => {
  // A busy machine may not have run the thread when the main thread is free again.
  await using threads = open(held, 1_000);
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

test('work that does not end is ended at its deadline', async () => {
  // However busy the machine is.
  await using threads = open(endless, 1_000);
  const ended = { result: null, failure: 'deadline' };
  assert.deepEqual(await threads.run(twoIntegers(), undefined), ended);
});

test('work that got no processor is not late, and has a result when it gets one', async () => {
  // However busy the machine is.
  await using threads = open(held, 1_000);
  const task = twoIntegers();
  const running = threads.run(task, undefined);
  await wait(2 * deadlineMs);
  Atomics.store(task, 1, 1);
  Atomics.notify(task, 1);
  assert.deepEqual(await running, { result: 'done', failure: null });
});

test('work that gets no processor for very long is ended as on a crowded machine, and the next work has a thread', async () => {
  await using threads = open();
  assert.deepEqual(await threads.run(twoIntegers(), undefined), {
    result: null,
    failure: 'crowded',
  });
  const task = twoIntegers();
  Atomics.store(task, 1, 1);
  assert.deepEqual(await threads.run(task, undefined), { result: 'done', failure: null });
});

for (const flag of ['max-old-space-size', 'max-heap-size'])
  test(`the limit of memory holds whatever --${flag} of the process is`, async () => {
    // As in NODE_OPTIONS.
    setFlagsFromString(`--${flag}=4096`);
    await using threads = open(greedy, 1_000);
    const ended = { result: null, failure: 'memory' };
    assert.deepEqual(await threads.run(twoIntegers(), undefined, 60_000), ended);
  });

test('a task is refused when no thread can start, and the next one finds a thread', async (t) => {
  const errors: Error[] = [];
  await using threads = openThreads<Int32Array, string>(
    {
      file: pathToFileURL(held),
      threads: 1,
      memoryMb: 64,
      deadlineMs,
      idleMs: 60_000,
      waiting: 10,
    },
    (error) => errors.push(error),
  );
  const task = new Int32Array(new SharedArrayBuffer(8));
  Atomics.store(task, 1, 1);
  const giveBack = takeDescriptors(0);
  if (giveBack === undefined) {
    t.skip('prlimit is missing');
    return;
  }
  try {
    // Both wait for the same thread: the second takes its turn after the first.
    const refused = [threads.run(task, 'one'), threads.run(task, 'other')];
    for (const one of refused) assert.deepEqual(await one, { result: null, failure: 'crowded' });
  } finally {
    giveBack();
  }
  assert.equal(errors.length, 2);
  assert.deepEqual(await threads.run(task, 'one'), { result: 'done', failure: null });
});
