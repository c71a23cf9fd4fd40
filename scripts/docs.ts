// npm run docs: writes the pages that follow from the contract.
import { writeFile } from 'node:fs/promises';
import { limitsPage } from './limits-page.ts';
import { operationsPage } from './operations-table.ts';

const pages = { operations: operationsPage(), limits: limitsPage() };
for (const [name, page] of Object.entries(pages)) {
  await writeFile(new URL(`../docs/${name}.md`, import.meta.url), page);
  process.stdout.write(`Wrote docs/${name}.md.\n`);
}
