// Adds to package-lock.json the packages of other platforms that the registry of the moment does not have.
// Without them `npm ci` refuses the file, because every optional dependency must be locked, needed here or not.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Entry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const machines = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

function libraryOf(words: readonly string[]): readonly string[] | undefined {
  if (words.some((word) => word.startsWith('musl'))) return ['musl'];
  return words.some((word) => word.startsWith('gnu')) ? ['glibc'] : undefined;
}

/** `@scope/binding-linux-arm64-musl` says for which platform it is made. */
function entryFor(name: string, version: string, dev: boolean): Entry | undefined {
  const words = name.replace(/^.*\//, '').split('-');
  const os = systems.filter((system) => words.includes(system));
  const cpu = machines.filter((machine) => words.includes(machine));
  const libc = libraryOf(words);
  if (os.length !== 1 || cpu.length !== 1 || !/^\d/.test(version)) return undefined;
  return {
    version,
    cpu,
    ...(dev ? { dev } : {}),
    ...(libc ? { libc } : {}),
    optional: true,
    os,
  } as Entry;
}

function isLocked(lock: Lock, path: string, name: string): boolean {
  return `node_modules/${name}` in lock.packages || `${path}/node_modules/${name}` in lock.packages;
}

/** Exact versions of what is missing, and the names about which the file cannot be completed. */
export function missingFrom(lock: Lock): {
  readonly entries: Record<string, Entry>;
  readonly unknown: string[];
} {
  const entries: Record<string, Entry> = {};
  const unknown: string[] = [];
  for (const [path, { optionalDependencies = {}, dev = false }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isLocked(lock, path, name)) continue;
      const entry = entryFor(name, version, dev);
      if (entry) entries[`node_modules/${name}`] = entry;
      else unknown.push(`${name}@${version}`);
    }
  }
  return { entries, unknown };
}

function main(): number {
  const file = resolve(import.meta.dirname, '../package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  const { entries, unknown } = missingFrom(lock);
  const packages = Object.entries({ ...lock.packages, ...entries }).toSorted(([one], [other]) =>
    one.localeCompare(other, 'en'),
  );
  const added = Object.keys(entries).length;
  if (added > 0) {
    writeFileSync(
      file,
      `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`,
    );
  }
  process.stdout.write(`Added ${added} packages of other platforms to package-lock.json.\n`);
  if (unknown.length > 0)
    process.stdout.write(`Not added, their platform is not known: ${unknown.join(', ')}\n`);
  return unknown.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
