// npm run docs: writes what follows from the contract and the code: pages, a table, the borders as lint rules.
import { readFile, writeFile } from 'node:fs/promises';
import { limitsPage } from './limits-page.ts';
import { bordersPage, lintedBorders } from './lint-borders.ts';
import { operationsPage } from './operations-table.ts';
import { withShape } from './shape-figures.ts';

const architecture = await readFile(new URL('../docs/architecture.md', import.meta.url), 'utf8');

const files = {
  'docs/operations.md': operationsPage(),
  'docs/limits.md': limitsPage(),
  'docs/borders.md': bordersPage(),
  'docs/architecture.md': withShape(architecture),
  '.oxlintrc.borders.json': lintedBorders(),
};
for (const [name, text] of Object.entries(files)) {
  await writeFile(new URL(`../${name}`, import.meta.url), text);
  process.stdout.write(`Wrote ${name}.\n`);
}
