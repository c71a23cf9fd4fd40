// Tests of the limit of processor time: work counts, and waiting does not.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { limitProcessor } from './processor-limit.ts';
import type { ProcessorLimits } from './processor-limit.ts';

const minute = 60_000;

/** Runs a program to its end, limited from its first line on, and returns how it ended. */
async function run(program: string, limits: ProcessorLimits) {
  const words = ['-e', `process.stdout.write('.'); ${program}`];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  // The start of Node.js may be more work than a test allows.
  await once(child.stdout, 'data');
  const watch = limitProcessor(child, limits);
  const [code, signal] = await once(child, 'close');
  watch.stop();
  return { code, signal, excess: watch.excess() };
}

const byProcessor = { skip: existsSync('/proc/self/stat') ? false : 'the system has no /proc' };

test('a process that works for too long is ended', async () => {
  assert.deepEqual(await run('for (;;);', { workMs: 500, longestMs: 10 * minute }), {
    code: null,
    signal: 'SIGKILL',
    excess: 'work',
  });
});

test('a process that waits is not, however long it takes', byProcessor, async () => {
  const waiting = await run('setTimeout(() => undefined, 1_500)', {
    workMs: 500,
    longestMs: 10 * minute,
  });
  assert.deepEqual(waiting, { code: 0, signal: null, excess: undefined });
});

test('a process that waits for ever is ended for its time', byProcessor, async () => {
  assert.deepEqual(
    await run('setInterval(() => undefined, 1_000)', { workMs: minute, longestMs: 300 }),
    {
      code: null,
      signal: 'SIGKILL',
      excess: 'time',
    },
  );
});
