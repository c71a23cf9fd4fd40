// The link of a process to its supervisor.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ToProcess, ToSupervisor } from './messages.ts';

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

test('a process hands over what it counted before its end, however long its other figures take', async () => {
  const program = new URL('../../test/faults/last-figures-child.ts', import.meta.url);
  const child = fork(fileURLToPath(program));
  try {
    const handed: unknown[] = [];
    child.on('message', (message: ToSupervisor) => {
      for (const [id, question] of message.kind === 'ask' ? message.questions : []) {
        handed.push(question);
        child.send({ kind: 'answers', answers: [[id, true]] } satisfies ToProcess);
      }
    });
    await once(child, 'exit');
    assert.deepEqual(handed, [['last', ['counted']]]);
  } finally {
    child.kill('SIGKILL');
  }
});
