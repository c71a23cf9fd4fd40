// npm run docs: writes the pages that follow from the contract.
import { writeFile } from 'node:fs/promises';
import { operationsPage } from './operations-table.ts';

const file = new URL('../docs/operations.md', import.meta.url);
await writeFile(file, operationsPage());
process.stdout.write('Wrote docs/operations.md.\n');
