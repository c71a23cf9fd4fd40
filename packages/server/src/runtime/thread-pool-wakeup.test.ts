// Tests of the task that wakes the threads of libuv.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Counts the tasks for files of a process that has nothing else to do for as long. */
function tasksWithin(milliseconds: number): number {
  const code = `
    import { createHook } from 'node:async_hooks';
    import { wakeThreadPool } from ${JSON.stringify(import.meta.resolve('./thread-pool-wakeup.mjs'))};
    let tasks = 0;
    createHook({ init: (_, type) => void (tasks += type === 'FSREQCALLBACK' ? 1 : 0) }).enable();
    wakeThreadPool();
    setTimeout(() => console.log(tasks), ${milliseconds});`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  return Number(out);
}

test('the threads get a task each second, and the process ends when nothing else is left to do', () => {
  assert.ok(tasksWithin(2_500) >= 1);
  assert.equal(tasksWithin(0), 0);
});

test('every program of the server wakes its threads', () => {
  for (const program of ['../main.mjs', '../admin/main.mjs']) {
    const source = readFileSync(new URL(program, import.meta.url), 'utf8');
    assert.match(source, /^ *wakeThreadPool\(\);$/m);
  }
});
