// Bundles the islands, the few scripts of pages, when their source has changed since the last start.
import { hash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('browser', import.meta.url));
const entries = [
  'account',
  'answer',
  'api-reference',
  'desk',
  'graph',
  'join',
  'link',
  'live',
  'notifications',
  'reading',
  'settings',
  'sign-in',
  'sign-out',
  'topics',
  'verify',
  'write',
  'write-compare',
  'write-preview',
] as const;
export type Island = (typeof entries)[number];

/** The script of each island, as a module for browsers. */
export type Islands = Readonly<Record<Island, string>>;

/** Beside the dependencies, as the compiled code of the server is. */
const cache = join(
  fileURLToPath(import.meta.resolve('esbuild')),
  '../../../.cache/colophon/islands',
);

/** The islands, and what they share: the renderer of the preview, and the client, which verifies signatures and the log. */
const folders = ['islands/src/browser', 'text/src', 'sdk/src', 'tlog/src'] as const;
const manifests = ['islands/package.json', 'text/package.json', 'sdk/package.json'] as const;
const root = fileURLToPath(new URL('../..', import.meta.url));

const options = { bundle: true, minify: true, format: 'esm', target: 'es2022' } as const;
/** Not the one of the server, which has no browser in it. */
const tsconfig = join(sources, 'tsconfig.json');

async function sourcesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.filter((name) => /(?<!\.test)\.ts$/.test(name)).map((name) => join(folder, name));
}

/** Returns everything that goes into a bundle; the manifests pin the packages. */
async function findSources() {
  const names = (await Promise.all(folders.map(sourcesIn))).flat().toSorted();
  const files = [...[...names, ...manifests].map((name) => join(root, name)), tsconfig];
  return { names, files };
}

/** Returns the files that go into a bundle, by their absolute paths. */
export async function filesOfIslands(): Promise<readonly string[]> {
  return (await findSources()).files;
}

/** Returns a hash of everything that goes into a bundle. */
export async function versionOfIslands(): Promise<string> {
  const { names, files } = await findSources();
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return hash('sha256', JSON.stringify([entries, options, names, texts]), 'hex').slice(0, 16);
}

async function build(): Promise<Islands> {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    entryPoints: entries.map((name) => join(sources, `${name}.ts`)),
    ...options,
    write: false,
    outdir: sources,
    tsconfig,
    logLevel: 'silent',
  });
  await esbuild.stop();
  const made = outputFiles.map(({ path, text }) => [basename(path, '.js'), text]);
  return Object.fromEntries(made) as Islands;
}

/** Keeps a bundle for the next start. A folder that cannot be written costs a bundling at each start. */
async function keep(file: string, islands: Islands): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await mkdir(cache, { recursive: true });
  await writeFile(unfinished, JSON.stringify(islands));
  await rename(unfinished, file);
}

/** Defined by the build of the server, which is made again when one of the files has changed. */
declare const builtIslandsVersion: string | undefined;

let bundled: Promise<Islands> | undefined;

async function load(): Promise<Islands> {
  const version =
    typeof builtIslandsVersion === 'string' ? builtIslandsVersion : await versionOfIslands();
  const file = join(cache, `${version}.json`);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  // Written by this service.
  if (kept !== undefined) return JSON.parse(kept) as Islands;
  const islands = await build();
  await keep(file, islands).catch(() => undefined);
  return islands;
}

/** Returns the scripts of the islands. They are bundled once for a process, and once for each version. */
export function bundleIslands(): Promise<Islands> {
  bundled ??= load();
  return bundled;
}
