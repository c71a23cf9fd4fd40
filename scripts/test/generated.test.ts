// Generated files are as their source says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { limitsPage } from '../limits-page.ts';
import { operationsPage } from '../operations-table.ts';

test('docs/operations.md is fresh: npm run docs writes it', async () => {
  const file = new URL('../../docs/operations.md', import.meta.url);
  assert.equal(await readFile(file, 'utf8'), operationsPage());
});

test('docs/limits.md is fresh: npm run docs writes it', async () => {
  const file = new URL('../../docs/limits.md', import.meta.url);
  assert.equal(await readFile(file, 'utf8'), limitsPage());
});
