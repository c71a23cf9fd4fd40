// npm run shape: the size and the connections of the code. npm run shape -- OPERATION lists the files to open.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { operationList } from '@colophon/contract';

const root = resolve(import.meta.dirname, '..');
const server = join(root, 'packages/server/src');

/** A declaration of a module, from its comment to its end. */
interface Declaration {
  readonly lines: number;
  /** Every name in its code: more than it uses, never less. */
  readonly names: ReadonlySet<string>;
}

interface Source {
  readonly lines: number;
  /** Values and types that it declares, by name; '' is what runs when the module is loaded. */
  readonly declared: ReadonlyMap<string, Declaration>;
  /** Values that it imports or re-exports from its own folder and from areas: its name for each, and theirs. */
  readonly links: readonly (readonly [path: string, names: ReadonlyMap<string, string>])[];
}

function valuesIn(names: string): ReadonlyMap<string, string> {
  const values = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(' as '));
  return new Map(values.map(([theirs = '', own = theirs]) => [own, theirs]));
}

const linesIn = (text: string) => text.trimEnd().split('\n').length;

const begin = String.raw`(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type)`;
const begins = new RegExp(String.raw`^(?=/\*\*|${begin} [\w[{]|for \(|await )`, 'm');
const beginOf = new RegExp(String.raw`^\s*${begin} (\w*)`);

/** Cuts a module at the lines that begin a declaration or the comment above one. */
function declarationsIn(text: string): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  let comment = '';
  for (const piece of text.split(begins).slice(1)) {
    const whole = comment + piece;
    const code = whole.replaceAll(/^\s*(?:\/\*[^]*?\*\/|\/\/.*)/gm, '');
    comment = code.trim() === '' ? whole : '';
    if (comment !== '') continue;
    const name = beginOf.exec(code)?.[1] ?? '';
    const { lines, names } = found.get(name) ?? { lines: 0, names: [] };
    const used = code.match(/[A-Za-z_$][\w$]*/g) ?? [];
    found.set(name, { lines: lines + linesIn(whole), names: new Set([...names, ...used]) });
  }
  return found;
}

function read(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const named = text.matchAll(/^(?:import|export) \{([^}]*)\} from '([.#][^']+)';/gm);
  const whole = text.matchAll(/^(?:import \* as \w+|export \*) from '(\.[^']+)';/gm);
  const at = (specifier: string) =>
    specifier.startsWith('#')
      ? join(server, 'areas', specifier.slice(1), 'index.ts')
      : join(dirname(path), specifier);
  const links = [
    ...Array.from(named, ([, names = '', to = '']) => [at(to), valuesIn(names)] as const),
    ...Array.from(whole, ([, to = '']) => [at(to), valuesIn('*')] as const),
  ];
  return { lines: text.split('\n').length - 1, declared: declarationsIn(text), links };
}

const isSource = (path: string) => !/\.test\.ts$|\/test\//.test(path);
const paths = globSync('packages/*/src/**/*.{ts,mjs}', { cwd: root })
  .map((path) => join(root, path))
  .filter(isSource);
const sources = new Map(paths.map((path) => [path, read(path)]));

/** The declarations that an operation uses, by file. */
type Used = Map<string, Set<string>>;

/** Adds a value and all values of areas that it uses, directly or through others. */
function addUsed(path: string, name: string, used: Used): boolean {
  const source = sources.get(path);
  if (source === undefined) return false;
  const declaration = source.declared.get(name);
  if (declaration === undefined)
    return source.links.some(([to, names]) => {
      const theirs = names.has('*') ? name : names.get(name);
      return theirs !== undefined && addUsed(to, theirs, used);
    });
  const names = used.get(path) ?? new Set();
  if (names.has(name)) return true;
  used.set(path, names.add(name));
  for (const other of [...declaration.names, '']) addUsed(path, other, used);
  return true;
}

/** The declarations to read to understand an operation. */
function usedBy(path: string): Used {
  const used: Used = new Map();
  for (const name of sources.get(path)?.declared.keys() ?? []) addUsed(path, name, used);
  return used;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return `${at(0.5)} / ${at(0.9)} / ${sorted.at(-1)}`;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const writes = operationList
  .filter(({ method }) => method !== 'GET')
  .flatMap(({ name }) => paths.filter((path) => path.endsWith(`/operations/${kebab(name)}.ts`)));
function dependenciesOf(name: string): number {
  const manifest = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
  return Object.keys((JSON.parse(manifest) as { readonly dependencies: object }).dependencies)
    .length;
}

const linesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + (sources.get(file)?.lines ?? 0), 0);
const linesBelow = (folder: string) =>
  linesOf(paths.filter((path) => path.startsWith(join(root, 'packages', folder))));
const linesUsed = (path: string, names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + (sources.get(path)?.declared.get(name)?.lines ?? 0), 0);
const search = usedBy(join(server, 'areas/search/operations/search.ts'));
const ofSearch = (folder: string) => {
  const files = [...search].filter(([path]) => path.startsWith(join(server, folder)));
  const lines = files.reduce((sum, [path, names]) => sum + linesUsed(path, names), 0);
  return `${files.length}, ${lines}`;
};

const figures = [
  [
    'lines of a file, median / p90 / largest',
    spread([...sources.values()].map((one) => one.lines)),
  ],
  [
    'files to open for a write, median / p90 / largest',
    spread(writes.map((path) => usedBy(path).size)),
  ],
  [
    'the write with the most files',
    relative(
      server,
      writes.toSorted((one, other) => usedBy(other).size - usedBy(one).size)[0] ?? '',
    ),
  ],
  ['files and lines that a search uses', ofSearch('areas')],
  ['of these in areas/search', ofSearch('areas/search')],
  ['lines of the server', linesBelow('server/src/')],
  ['dependencies of the server', dependenciesOf('server')],
  ...['islands', 'share-images', 'text'].map((name) => [
    `lines and dependencies of ${name}`,
    `${linesBelow(`${name}/src/`)}, ${dependenciesOf(name)}`,
  ]),
] as const;

/** Prints the files to open for one operation, with the lines of what it uses in each and of the whole file. */
function listFiles(operation: string): void {
  const path = paths.find((one) => one.endsWith(`/operations/${kebab(operation)}.ts`));
  if (path === undefined) {
    process.stdout.write(`No operation is called ${operation}.\n`);
    return;
  }
  for (const [file, names] of usedBy(path)) {
    const used = String(linesUsed(file, names)).padStart(4);
    const lines = String(sources.get(file)?.lines).padStart(3);
    process.stdout.write(`${used} of ${lines}  ${relative(server, file)}\n`);
  }
}

const [operation] = process.argv.slice(2);
if (operation !== undefined) listFiles(operation);
else for (const [name, figure] of figures) process.stdout.write(`${name.padEnd(48)} ${figure}\n`);
