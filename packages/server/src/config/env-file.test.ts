// Tests of .env files that cannot be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvFile } from './env-file.ts';

test('a missing .env is not an error', () => {
  readEnvFile('no-such-file.env');
});

test('a .env that cannot be read is refused in one sentence', () => {
  assert.throws(
    () => readEnvFile(import.meta.dirname),
    /^Error: \/.+ cannot be read \(.+\): make it/,
  );
});

test('a process of a supervisor keeps the settings of its supervisor', (t) => {
  t.after(() => delete process.env['COLOPHON_PROCESS']);
  process.env['COLOPHON_PROCESS'] = 'web-1';
  // It would be refused if it were read.
  readEnvFile(import.meta.dirname);
});
