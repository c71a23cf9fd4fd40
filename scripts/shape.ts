// npm run shape: the size and the connections of the code. npm run shape -- OPERATION lists the files to open.
import { filesToOpen, shapeFigures } from './shape-figures.ts';

const [operation] = process.argv.slice(2);
if (operation === undefined) {
  for (const [name, figure] of shapeFigures())
    process.stdout.write(`${name.padEnd(48)} ${figure}\n`);
} else {
  const files = filesToOpen(operation);
  if (files === undefined) {
    process.stdout.write(`No operation is called ${operation}. docs/operations.md lists them.\n`);
    process.exitCode = 1;
  }
  for (const { path, used, lines } of files ?? [])
    process.stdout.write(`${String(used).padStart(4)} of ${String(lines).padStart(3)}  ${path}\n`);
}
