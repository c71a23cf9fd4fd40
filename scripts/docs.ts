// npm run docs: writes the pages that follow from the contract, and the borders as pages and lint rules.
import { writeFile } from 'node:fs/promises';
import { limitsPage } from './limits-page.ts';
import { bordersPage, lintedBorders } from './lint-borders.ts';
import { operationsPage } from './operations-table.ts';

const files = {
  'docs/operations.md': operationsPage(),
  'docs/limits.md': limitsPage(),
  'docs/borders.md': bordersPage(),
  '.oxlintrc.borders.json': lintedBorders(),
};
for (const [name, text] of Object.entries(files)) {
  await writeFile(new URL(`../${name}`, import.meta.url), text);
  process.stdout.write(`Wrote ${name}.\n`);
}
