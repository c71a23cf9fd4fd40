// npm run find PATH: where an endpoint is declared, implemented and tested.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const declaration =
  /\boperation\(\s*'(?<name>\w+)',\s*\{(?:(?!\boperation\()[\s\S])*?\bpath:\s*'(?<path>[^']+)'/g;
const methodOf = /\bmethod:\s*'(?<method>[A-Z]+)'/;

interface Found {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** file:line, in the form that editors open. */
  readonly place: string;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function declarations(): Found[] {
  return globSync('packages/contract/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(resolve(root, file), 'utf8');
      return [...text.matchAll(declaration)].map(({ 0: match, index, groups }) => {
        const { name = '', path = '' } = groups ?? {};
        const around = match + text.slice(index + match.length, index + match.length + 200);
        const method = methodOf.exec(around)?.groups?.['method'] ?? '';
        return { name, method, path, place: `${file}:${lineAt(text, index)}` };
      });
    });
}

/** `{id}` in either path matches anything: both the template and a real path find the operation. */
function samePath(template: string, asked: string): boolean {
  const wanted = template.split('/');
  const given = asked.split('/');
  const isOpen = (part: string | undefined): boolean => part !== undefined && /^\{.*\}$/.test(part);
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part === given[index] || isOpen(part) || isOpen(given[index]))
  );
}

function matchesOf(operations: readonly Found[], asked: string): Found[] {
  const [method, path] = asked.includes(' ') ? asked.split(' ') : [undefined, asked];
  const clean = (path ?? '').replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '');
  const fits = operations.filter((found) => method === undefined || found.method === method);
  const exact = fits.filter((found) => samePath(found.path, clean) || found.name === clean);
  return exact.length > 0 ? exact : fits.filter((found) => found.path.includes(clean));
}

function implementation(found: Found): readonly string[] {
  const file = found.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const [source] = globSync(`packages/server/src/areas/*/operations/${file}.ts`, { cwd: root });
  if (source === undefined) return [`no operations/${file}.ts yet`];
  const text = readFileSync(resolve(root, source), 'utf8');
  const at = text.search(new RegExp(`\\bexport\\b[^\\n]*\\b${found.name}\\b`));
  const test = source.replace(/\.ts$/, '.test.ts');
  return [
    `${source}:${at < 0 ? 1 : lineAt(text, at)}`,
    existsSync(resolve(root, test)) ? `${test}:1` : 'no test yet',
  ];
}

function main(words: readonly string[]): number {
  const asked = words.join(' ').trim();
  if (asked === '') {
    process.stdout.write(
      'Name an operation: npm run find /v1/articles/{id}, or a part of a path, or "GET /v1/me", or readMe.\n',
    );
    return 1;
  }
  const operations = declarations();
  const found = matchesOf(operations, asked);
  if (found.length === 0) {
    const paths = [...new Set(operations.map(({ path }) => path))].toSorted();
    process.stdout.write(
      `No operation matches "${asked}". The paths are:\n${paths.map((path) => `  ${path}\n`).join('')}`,
    );
    return 1;
  }
  for (const operation of found) {
    process.stdout.write(`${operation.method} ${operation.path}  ${operation.name}\n`);
    for (const place of [operation.place, ...implementation(operation)])
      process.stdout.write(`  ${place}\n`);
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
