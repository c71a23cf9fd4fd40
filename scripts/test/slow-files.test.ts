// The list of slow files names files that exist.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { slowFiles } from './slow-files.ts';

test('each slow file exists', () => {
  const root = resolve(import.meta.dirname, '../..');
  const missing = [...slowFiles].filter((file) => !existsSync(resolve(root, file)));
  assert.deepEqual(missing, []);
});
