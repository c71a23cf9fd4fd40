// The link of a process to a supervisor that does not answer.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('a supervisor that does not answer delays no request: what it should count is unknown', async () => {
  const child = fork(fileURLToPath(new URL('../../test/faults/link-client.ts', import.meta.url)));
  try {
    const results: unknown[] = [];
    child.on('message', (message: { readonly kind: string; readonly results?: unknown }) => {
      if (message.kind === 'results') results.push(message.results);
    });
    await once(child, 'exit');
    assert.deepEqual(results, [['unknown', 'unknown']]);
  } finally {
    child.kill('SIGKILL');
  }
});
