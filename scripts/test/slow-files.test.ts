// The list of slow files: what it names exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { isSlow } from './slow-files.ts';

test('each file and folder that is named exists; a folder is slow without those that are kept', () => {
  const root = resolve(import.meta.dirname, '../..');
  const list = resolve(import.meta.dirname, 'slow-files.json');
  const named = Object.values(JSON.parse(readFileSync(list, 'utf8'))).flat() as string[];
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((file) => !existsSync(resolve(root, file))),
    [],
  );
  assert.ok(isSlow('packages/server/test/browser/write/write.test.ts'));
  assert.ok(!isSlow('packages/server/test/faults/kill-nine.test.ts'));
  assert.ok(!isSlow('packages/server/test/visibility.test.ts'));
});
