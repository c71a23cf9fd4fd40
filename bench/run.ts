// Runs one benchmark by its name: npm run bench -- read
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

const folder = import.meta.dirname;

async function names(): Promise<string[]> {
  const files = await readdir(folder);
  const programs = files.filter(
    (file) => file.endsWith('.ts') && file !== basename(import.meta.filename),
  );
  return programs.map((file) => file.slice(0, -'.ts'.length)).sort();
}

const asked = process.argv[2];
const known = await names();
if (asked === undefined || !known.includes(asked)) {
  process.stderr.write(
    `Name one benchmark: npm run bench -- NAME. There are ${known.join(', ')}.\n`,
  );
  process.exitCode = 1;
} else {
  await import(join(folder, `${asked}.ts`));
}
