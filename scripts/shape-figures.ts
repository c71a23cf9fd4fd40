// Measures the size and the connections of the code, for npm run shape and for the table in docs/architecture.md.
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

const inEnglish = (count: number) => count.toLocaleString('en');

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return `${at(0.5)} / ${at(0.9)} / ${sorted.at(-1)}`;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the file of an operation, if there is one. */
const fileOf = (operation: string) =>
  paths.find((path) => path.endsWith(`/operations/${kebab(operation)}.ts`));

const writes = operationList
  .filter(({ method }) => method !== 'GET')
  .flatMap(({ name }) => fileOf(name) ?? []);

function dependenciesOf(name: string): number {
  const manifest = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
  return Object.keys((JSON.parse(manifest) as { readonly dependencies: object }).dependencies)
    .length;
}

const linesBelow = (folder: string) =>
  [...sources]
    .filter(([path]) => path.startsWith(join(root, 'packages', folder)))
    .reduce((sum, [, { lines }]) => sum + lines, 0);
const linesUsed = (path: string, names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + (sources.get(path)?.declared.get(name)?.lines ?? 0), 0);

function ofSearch(folder: string): string {
  const search = usedBy(join(server, 'areas/search/operations/search.ts'));
  const files = [...search].filter(([path]) => path.startsWith(join(server, folder)));
  const lines = files.reduce((sum, [path, names]) => sum + linesUsed(path, names), 0);
  return `${files.length}, ${inEnglish(lines)}`;
}

/** Returns the figures by their names. Lines of whole packages are rounded to thousands. */
export function shapeFigures(): ReadonlyMap<string, string> {
  const thousands = (folder: string) => inEnglish(Math.round(linesBelow(folder) / 1000) * 1000);
  const lines = [...sources.values()].map((one) => one.lines);
  return new Map([
    ['lines of a file: median / 90th / largest', spread(lines)],
    [
      'files to open for a write: median / 90th / most',
      spread(writes.map((path) => usedBy(path).size)),
    ],
    ['files and lines that a search uses', ofSearch('areas')],
    ['of these in `areas/search`', ofSearch('areas/search')],
    ['lines of the server', thousands('server/src/')],
    ['dependencies of the server', String(dependenciesOf('server'))],
  ]);
}

export interface OpenedFile {
  readonly path: string;
  /** Lines of what the operation uses in it. */
  readonly used: number;
  readonly lines: number;
}

/** Returns the files to open for one operation; undefined if there is none of this name. */
export function filesToOpen(operation: string): readonly OpenedFile[] | undefined {
  const path = fileOf(operation);
  if (path === undefined) return undefined;
  return [...usedBy(path)].map(([file, names]) => ({
    path: relative(server, file),
    used: linesUsed(file, names),
    lines: sources.get(file)?.lines ?? 0,
  }));
}

/** Returns docs/architecture.md with the figures of the code in the column "Now" of its section "Shape". */
export function withShape(page: string): string {
  const figures = shapeFigures();
  return page.replaceAll(/^\|.+\|$/gm, (row) => {
    const cells = row.split('|');
    const [, name = '', , now = ''] = cells;
    const figure = figures.get(name.trim());
    if (figure === undefined) return row;
    return cells.with(3, ` ${figure} `.padEnd(now.length)).join('|');
  });
}
