// The package as others get it: built, packed and installed into an empty folder, without a network.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Compilers by major version; the workspace's own, and that of many users. */
export const compilers = {
  7: join(root, 'node_modules/typescript-7/bin/tsc'),
  5: join(root, 'node_modules/typescript-5/bin/tsc'),
} as const;

async function majorOf(node: string): Promise<number> {
  const { stdout } = await run(node, ['-p', 'process.versions.node.split(".")[0]']);
  return Number(stdout);
}

/** The oldest Node from 20 on that this machine has; COLOPHON_OLD_NODE names one elsewhere. */
export async function oldestNode(): Promise<string> {
  const named = process.env['COLOPHON_OLD_NODE'];
  if (named !== undefined) return named;
  const places = (process.env['PATH'] ?? '').split(delimiter);
  const found = places.map((place) => join(place, 'node')).filter((file) => existsSync(file));
  const rated = await Promise.all(
    [...new Set([...found, process.execPath])].map(
      async (file) => [await majorOf(file), file] as const,
    ),
  );
  const [oldest] = rated.filter(([major]) => major >= 20).toSorted(([a], [b]) => a - b);
  return oldest?.[1] ?? process.execPath;
}

export interface Installed extends AsyncDisposable {
  /** Where the package is installed; a module folder. */
  readonly folder: string;
  /** The folder that was packed. */
  readonly built: string;
  readonly node: string;
  /** The packed file. */
  readonly tarball: string;
  /** What npm wrote on its standard error. */
  readonly complaints: string;
  readonly files: readonly string[];
}

/** Nothing of this machine's npm settings, and the given Node first. */
function quietEnvironment(node: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(own),
    PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
    npm_config_userconfig: '/dev/null',
    npm_config_update_notifier: 'false',
  };
}

async function build(to: string): Promise<void> {
  await run(process.execPath, [join(root, 'scripts/sdk/build.ts'), to]);
}

/** Packs a folder that was built, and installs it into an empty folder below `place`. */
export async function installFolder(
  place: string,
  built: string,
): Promise<Omit<Installed, typeof Symbol.asyncDispose>> {
  const folder = join(place, 'empty');
  const node = await oldestNode();
  const env = quietEnvironment(node);
  await mkdir(folder);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', place, built], {
    env,
  });
  const [packed] = JSON.parse(stdout) as readonly {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  const tarball = join(place, packed?.filename ?? '');
  await writeFile(join(folder, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', tarball];
  const { stderr } = await run('npm', install, { cwd: folder, env });
  const files = (packed?.files ?? []).map(({ path }) => path);
  return { folder, built, tarball, node, complaints: stderr, files };
}

/** Builds, packs and installs; the folders are removed at the end. */
export async function installPacked(): Promise<Installed> {
  const place = await mkdtemp(join(tmpdir(), 'colophon-sdk-'));
  await build(join(place, 'built'));
  return {
    ...(await installFolder(place, join(place, 'built'))),
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }),
  };
}

/** A second build of the same sources, file by file. */
export async function builtAgain(files: readonly string[]): Promise<readonly string[]> {
  const place = await mkdtemp(join(tmpdir(), 'colophon-sdk-again-'));
  try {
    await build(join(place, 'built'));
    return await Promise.all(files.map((file) => readFile(join(place, 'built', file), 'utf8')));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Errors and warnings of a compiler for a file in a folder, and its diagnostics; none is an empty list. */
export async function compile(
  version: keyof typeof compilers,
  folder: string,
  file: string,
): Promise<{ readonly faults: string; readonly figures: string }> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.asynciterable',
  ];
  // Several threads each check what they share: one alone takes half of the processor time.
  const other = version === 5 ? [] : ['--ignoreConfig', '--singleThreaded'];
  const flags = [...strict, ...target, ...other, '--noEmit', '--extendedDiagnostics', file];
  const outcome = await run(process.execPath, [compilers[version], ...flags], {
    cwd: folder,
  }).catch((error: { readonly stdout?: string }) => ({
    stdout: error.stdout ?? 'It did not run.',
  }));
  const lines = outcome.stdout.split('\n');
  const isFigure = (line: string) => /^[A-Za-z][\w ()/'-]+:\s+[\d.]+[Ks]?$/.test(line.trim());
  return {
    faults: lines.filter((line) => line.trim() !== '' && !isFigure(line)).join('\n'),
    figures: lines.filter(isFigure).join('\n'),
  };
}
