// The list of slow files names files that exist.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { isSlow, namedFiles } from './slow-files.ts';

test('each file that is named exists, and a folder is slow but for what is kept', () => {
  const root = resolve(import.meta.dirname, '../..');
  const missing = namedFiles.filter((file) => !existsSync(resolve(root, file)));
  assert.deepEqual(missing, []);
  assert.ok(isSlow('packages/server/test/browser/write/write.test.ts'));
  assert.ok(!isSlow('packages/server/test/faults/kill-nine.test.ts'));
  assert.ok(!isSlow('packages/server/test/visibility.test.ts'));
});
