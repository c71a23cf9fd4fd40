// npm run new -- OPERATION: writes the skeleton of a new operation, which type-checks and passes its test.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { operationList, scopes } from '@colophon/contract';
import type { Access, Method } from '@colophon/contract';
import {
  contractFileOf,
  declarationOf,
  fieldsOf,
  implementationOf,
  kebab,
  testOf,
} from './new/skeleton.ts';
import type { NewOperation } from './new/skeleton.ts';

const root = resolve(import.meta.dirname, '..');
const contract = join(root, 'packages/contract/src');
const server = join(root, 'packages/server');

const usage = `Usage: npm run new -- OPERATION --area AREA --path PATH [options]

  OPERATION          its name: a verb and what it acts on, for example listBookmarks
  --area AREA        the area that it belongs to
  --path PATH        for example /v1/articles/{id}/bookmarks
  --method METHOD    GET, POST, PUT, PATCH or DELETE; without it, the verb decides
  --access ACCESS    public, token or a scope; without it, token
  --summary TEXT     one line, in the imperative; without it, the words of the name
  --file NAME        the file of the contract, in an area that has several
`;

const areas = globSync('packages/server/src/areas/*/operations/index.ts', { cwd: root })
  .map((file) => file.split('/')[4] ?? '')
  .toSorted();
const accesses: readonly string[] = ['public', 'token', ...scopes];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

const methodOfVerb: readonly (readonly [RegExp, Method])[] = [
  [/^(?:list|read|search)/, 'GET'],
  [/^(?:update|set)/, 'PATCH'],
  [/^(?:delete|revoke|un)/, 'DELETE'],
];

function wordsOf(name: string): string {
  const words = kebab(name).replaceAll('-', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const options = {
  area: { type: 'string', default: '' },
  path: { type: 'string', default: '' },
  method: { type: 'string' },
  access: { type: 'string', default: 'token' },
  summary: { type: 'string' },
  file: { type: 'string' },
} as const;

interface Input extends NewOperation {
  readonly file: string | undefined;
}

/** @throws TypeError: an unknown option */
function readInput(args: readonly string[]): Input {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const { area, path, access, file } = values;
  const name = positionals.join(' ');
  const method = values.method ?? methodOfVerb.find(([verb]) => verb.test(name))?.[1] ?? 'POST';
  const summary = (values.summary ?? wordsOf(name)).replace(/\.$/, '');
  // `faultsOf` checks the last two.
  return { name, area, path, summary, file, method: method as Method, access: access as Access };
}

/** The files of an area in the contract that contain operations; for a small area, the only one. */
function contractFiles(area: string): readonly string[] {
  const single = join(contract, `${area}.ts`);
  if (existsSync(single)) return [single];
  const index = readFileSync(join(contract, area, 'index.ts'), 'utf8');
  return Array.from(index.matchAll(/from '\.\/([\w-]+\.ts)'/g), ([, file = '']) =>
    join(contract, area, file),
  );
}

const faultOf = (what: string, value: string, allowed: readonly string[]) =>
  allowed.includes(value)
    ? undefined
    : `There is no ${what} "${value}". Choose one of: ${allowed.join(', ')}.`;

function nameFault(name: string): string | undefined {
  if (!/^[a-z]+(?:[A-Z][a-z]*)*$/.test(name))
    return `An operation has a name in camelCase that begins with a verb, such as listBookmarks, and not "${name}".`;
  const known = operationList.find((operation) => operation.name === name);
  return known && `The name ${name} is taken, by ${known.method} ${known.path}.`;
}

function pathFault({ method, path }: Input): string | undefined {
  if (!/^\/v1(?:\/(?:[a-z][\w-]*|\{\w+\}))+$/.test(path))
    return `A path begins with /v1/, such as /v1/articles/{id}/bookmarks: "${path}" does not. Set it with --path.`;
  const shape = (one: string) => one.replaceAll(/\{\w+\}/g, '{}');
  const known = operationList.find(
    (operation) => operation.method === method && shape(operation.path) === shape(path),
  );
  return (
    known && `${method} ${path} is taken, by ${known.name}. Choose another --path or --method.`
  );
}

function fileFault({ area, file }: Input): string | undefined {
  if (!areas.includes(area)) return undefined;
  const files = contractFiles(area).map((one) => basename(one, '.ts'));
  if (files.length > 1 && file === undefined)
    return `The contract of ${area} has several files: ${files.join(', ')}. Choose one with --file, or name a new one.`;
  return file === undefined || (files.length > 1 && /^[a-z][a-z-]*$/.test(file))
    ? undefined
    : `The contract of ${area} has one file: leave out --file.`;
}

function faultsOf(input: Input): readonly string[] {
  const faults = [
    nameFault(input.name),
    faultOf('area', input.area, areas),
    faultOf('method', input.method, methods),
    faultOf('access', input.access, accesses),
    pathFault(input),
    fileFault(input),
  ];
  return faults.filter((fault) => fault !== undefined);
}

/** Adds names to an import statement; the formatter breaks its lines. */
function withImports(text: string, from: string, names: readonly string[]): string {
  const pattern = new RegExp(`import \\{([^}]*)\\} from '${from.replaceAll('.', '\\.')}';\n`);
  const [statement, present = ''] = pattern.exec(text) ?? [];
  const all = new Set([...present.split(',').map((name) => name.trim()), ...names]);
  const sorted = [...all].filter(Boolean).toSorted((a, b) => a.localeCompare(b, 'en'));
  if (names.length === 0) return text;
  const made = `import { ${sorted.join(', ')} } from '${from}';\n`;
  if (statement !== undefined) return text.replace(statement, made);
  return text.replace(/^import /m, `${made}import `);
}

/** Puts a line into a list of lines that begin alike, in the order of the alphabet. */
function withLine(text: string, line: string): string {
  const lines = text.trimEnd().split('\n');
  const at = lines.findIndex((one) => one.startsWith('export') && one > line);
  lines.splice(at < 0 ? lines.length : at, 0, line);
  return `${lines.join('\n')}\n`;
}

/** Declares the operation in a file of the contract, which is made if there is none yet. */
function declare(input: Input): readonly string[] {
  const { area, file } = input;
  const isFolder = !existsSync(join(contract, `${area}.ts`));
  const only = contractFiles(area)[0] ?? '';
  const path = file === undefined ? only : join(contract, area, `${file}.ts`);
  const isNew = !existsSync(path);
  const text = isNew ? contractFileOf(input) : readFileSync(path, 'utf8');
  const fields = isFolder ? '../fields.ts' : './fields.ts';
  writeFileSync(path, withImports(text, fields, fieldsOf(input)) + declarationOf(input));
  if (!isNew) return [path];
  const index = join(contract, area, 'index.ts');
  writeFileSync(index, withLine(readFileSync(index, 'utf8'), `export * from './${file}.ts';`));
  return [path, index];
}

/** Writes the operation, its test, and the line that serves it. */
function implement(input: Input): readonly string[] {
  const folder = join(server, 'src/areas', input.area, 'operations');
  const [file, test, index] = [
    `${kebab(input.name)}.ts`,
    `${kebab(input.name)}.test.ts`,
    'index.ts',
  ];
  const line = `export { ${input.name} } from './${file}';`;
  writeFileSync(join(folder, file), implementationOf(input));
  writeFileSync(join(folder, test), testOf(input));
  const served = readFileSync(join(folder, index), 'utf8');
  writeFileSync(join(folder, index), withLine(served, line));
  return [file, test, index].map((one) => join(folder, one));
}

/** Adds the row of the table that states the declared access a second time. */
function decideAccess({ name, access }: Input): string {
  const path = join(server, 'test/scopes/needs.ts');
  const short: Readonly<Record<string, string>> = { public: 'anybody', token: 'anyToken' };
  const row = `  ${name}: ${short[access] ?? `{ access: '${access}' }`},\n`;
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(/\n\};\n/, () => `\n${row}};\n`),
  );
  return path;
}

/** The tables of who sees what that need a row for the operation, which only a person can write. */
function tablesOf({ method, area, path }: Input): readonly string[] {
  const isRead = method === 'GET' && ['articles', 'social', 'media', 'moderation'].includes(area);
  return [
    ...(isRead ? ['audited-reads.ts'] : []),
    ...(/^\/v1\/(?:articles|topics)/.test(path) ? ['visibility.ts'] : []),
    ...(area === 'moderation' ? ['moderation-visibility.ts'] : []),
  ].map((file) => `packages/server/test/${file}`);
}

function run(command: string, args: readonly string[]): void {
  execFileSync(process.execPath, [join(root, command), ...args], { cwd: root, stdio: 'pipe' });
}

function main(args: readonly string[]): number {
  let input: Input;
  try {
    input = readInput(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 1;
  }
  const faults = faultsOf(input);
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n\n${usage}`);
    return 1;
  }
  const files = [...declare(input), ...implement(input), decideAccess(input)];
  run('node_modules/oxfmt/bin/oxfmt', files);
  run('scripts/docs.ts', []);
  const list = files.map((file) => `  ${relative(root, file)}\n`).join('');
  const tables = tablesOf(input).map(
    (file) => `Add a row that says who sees its response to ${file}.\n`,
  );
  process.stdout.write(
    `Wrote ${input.method} ${input.path}:\n${list}Now edit the declaration, the operation and its test.\n${tables.join('')}Then run: npm test -- ${kebab(input.name)} contract.test\n`,
  );
  return 0;
}

process.exitCode = main(process.argv.slice(2));
