// Tests of PostgreSQL's messages in the server's log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLine } from './server-log.ts';

test('what PostgreSQL says is logged by its weight, and the text of failed statements is not', () => {
  const level = (line: string) => readLine(line)?.level;
  assert.equal(level('[startup] [7] LOG:  database system was not properly shut down'), 'info');
  assert.equal(level('[checkpointer] [7] ERROR:  could not write'), 'error');
  assert.equal(
    level('[client backend] [7] ERROR:  invalid input syntax: "somebody@example.org"'),
    'dropped',
  );
  assert.equal(level('[client backend] [7] FATAL:  sorry, too many clients already'), 'warn');
  assert.equal(level('[client backend] [7] PANIC:  could not write to log file'), 'error');
  assert.equal(level('postgres: error while loading shared libraries: libz.so'), undefined);
});
