// npm run shape: the size and the connections of the code, as figures that a reader feels.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { operationList } from '@colophon/contract';

const root = resolve(import.meta.dirname, '..');
const server = join(root, 'packages/server/src');

interface Source {
  readonly lines: number;
  /** Names that the file declares and exports. */
  readonly declared: ReadonlySet<string>;
  /** Values that it imports or re-exports from its own folder and from areas, by path; '*' for all. */
  readonly links: readonly (readonly [path: string, names: readonly string[]])[];
}

function valuesIn(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim().split(' as ')[0]?.trim() ?? '')
    .filter((name) => name !== '' && !name.startsWith('type '));
}

function read(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const declared = new Set(
    Array.from(
      text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm),
      ([, name = '']) => name,
    ),
  );
  const named = text.matchAll(/^(?:import|export) \{([^}]*)\} from '([.#][^']+)';/gm);
  const whole = text.matchAll(/^(?:import \* as \w+|export \*) from '(\.[^']+)';/gm);
  const at = (specifier: string) =>
    specifier.startsWith('#')
      ? join(server, 'areas', specifier.slice(1), 'index.ts')
      : join(dirname(path), specifier);
  const links = [
    ...Array.from(named, ([, names = '', to = '']) => [at(to), valuesIn(names)] as const),
    ...Array.from(whole, ([, to = '']) => [at(to), ['*']] as const),
  ];
  return { lines: text.split('\n').length - 1, declared, links };
}

const isSource = (path: string) => !/\.test\.ts$|\/test\//.test(path);
const paths = globSync('packages/*/src/**/*.{ts,mjs}', { cwd: root })
  .map((path) => join(root, path))
  .filter(isSource);
const sources = new Map(paths.map((path) => [path, read(path)]));

/** Files that declare these names, found through files that only re-export them. */
function declaringFiles(path: string, names: readonly string[]): string[] {
  const source = sources.get(path);
  if (source === undefined) return [];
  if (names.includes('*')) return [path];
  return names.flatMap((name) => {
    if (source.declared.has(name)) return [path];
    for (const [to, exported] of source.links) {
      if (!exported.includes('*') && !exported.includes(name)) continue;
      const found = declaringFiles(to, [name]);
      if (found.length > 0) return found;
    }
    return [];
  });
}

/** The file and all files of areas whose values it uses, directly or through others. */
function filesToOpen(path: string, opened = new Set<string>()): ReadonlySet<string> {
  if (opened.has(path)) return opened;
  opened.add(path);
  for (const [to, names] of sources.get(path)?.links ?? [])
    for (const file of declaringFiles(to, names)) filesToOpen(file, opened);
  return opened;
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

const linesBelow = (folder: string) =>
  linesOf(paths.filter((path) => path.startsWith(join(root, 'packages', folder))));
const search = filesToOpen(join(server, 'areas/search/operations/search.ts'));
const linesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + (sources.get(file)?.lines ?? 0), 0);

const figures = [
  [
    'lines of a file, median / p90 / largest',
    spread([...sources.values()].map((one) => one.lines)),
  ],
  [
    'files to open for a write, median / p90 / largest',
    spread(writes.map((path) => filesToOpen(path).size)),
  ],
  [
    'the write with the most files',
    relative(
      server,
      writes.toSorted((one, other) => filesToOpen(other).size - filesToOpen(one).size)[0] ?? '',
    ),
  ],
  ['files and lines of a search', `${search.size}, ${linesOf(search)}`],
  ['lines of the server', linesBelow('server/src/')],
  ['dependencies of the server', dependenciesOf('server')],
  [
    'lines and dependencies of share-images',
    `${linesBelow('share-images/src/')}, ${dependenciesOf('share-images')}`,
  ],
] as const;
for (const [name, figure] of figures) process.stdout.write(`${name.padEnd(48)} ${figure}\n`);
