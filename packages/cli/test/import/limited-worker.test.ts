// Tests of the memory of threads that read texts of strangers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { startLimitedWorker } from '../../src/import/limited-worker.ts';

const GiB = 1024 ** 3;
const program = `
  import { getHeapStatistics } from 'node:v8';
  import { parentPort } from 'node:worker_threads';
  parentPort.postMessage(getHeapStatistics().heap_size_limit);`;

for (const flag of ['max-old-space-size', 'max-heap-size'])
  test(`the memory of a thread is limited, whatever --${flag} allows the process`, async () => {
    // As in NODE_OPTIONS.
    setFlagsFromString(`--${flag}=4096`);
    const file = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
    const [limit] = (await once(startLimitedWorker(file), 'message')) as [number];
    assert.ok(limit < GiB, `${limit} bytes`);
  });
