// Tests that generated files match their sources.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { citoTerms, edgeKinds } from '@colophon/contract';
import { limitsPage } from '../limits-page.ts';
import { bordersPage, lintedBorders } from '../lint-borders.ts';
import { operationsPage } from '../operations-table.ts';
import { shapeFigures, withShape } from '../shape-figures.ts';

test('docs/operations.md is fresh: npm run docs writes it', async () => {
  const file = new URL('../../docs/operations.md', import.meta.url);
  assert.equal(await readFile(file, 'utf8'), operationsPage());
});

test('docs/limits.md is fresh: npm run docs writes it', async () => {
  const file = new URL('../../docs/limits.md', import.meta.url);
  assert.equal(await readFile(file, 'utf8'), limitsPage());
});

test('docs/borders.md and the lint rules of the borders are fresh: npm run docs writes them', async () => {
  const page = new URL('../../docs/borders.md', import.meta.url);
  assert.equal(await readFile(page, 'utf8'), bordersPage());
  const rules = new URL('../../.oxlintrc.borders.json', import.meta.url);
  assert.equal(await readFile(rules, 'utf8'), lintedBorders());
});

test('the figures of the code in docs/architecture.md are fresh: npm run docs writes them', async () => {
  const page = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  for (const name of shapeFigures().keys()) assert.ok(page.includes(`| ${name} `), name);
  assert.equal(page, withShape(page));
});

test('docs/edges.md names the term of every kind', async () => {
  const page = await readFile(new URL('../../docs/edges.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| `cito:(\w+)` +\|$/gm)].map(([, kind, term]) => [
    kind,
    term,
  ]);
  assert.deepEqual(
    rows,
    edgeKinds.map((kind) => [kind, citoTerms[kind]]),
  );
});
