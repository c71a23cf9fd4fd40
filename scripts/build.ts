// npm run build: joins the files of the server into a few, which start faster. npm start does so when one has changed.
import { globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import type { OutputFile } from 'esbuild';
import {
  buildsIn,
  findBuiltProgram,
  hashOf,
  manifestName,
} from '../packages/server/src/runtime/built-program.mjs';
import type { SourceState } from '../packages/server/src/runtime/built-program.mjs';
import { filesOfIslands, versionOfIslands } from '../packages/islands/src/bundle-islands.ts';
import { builtinsPlugin, packagesPlugin, sourcesPlugin } from './build-plugins.ts';

/** A server that runs from an old build may still load a part of it. */
const keptMs = 30 * 24 * 60 * 60_000;
const keptLeast = 5;
const unfinishedMs = 60 * 60_000;

/** Files that decide what is built, and are not part of it. */
const deciding = [
  'scripts/build.ts',
  'tsconfig.json',
  'packages/*/package.json',
  'scripts/build-plugins.ts',
  // Changes when npm installs another version of any package.
  'node_modules/.package-lock.json',
];

type Sources = Map<string, SourceState>;

/** Reads a source. Its time is read first: a change in between shows by a later one. */
async function readSource(root: string, file: string, sources: Sources): Promise<string> {
  const { mtimeMs, size } = await stat(file);
  const text = await readFile(file, 'utf8');
  const path = relative(root, file).split(sep).join('/');
  sources.set(path, { time: Math.floor(mtimeMs), size, hash: hashOf(text) });
  return text;
}

/** Joins the files, in memory. Lines of a stack trace are found by the source maps. */
async function joinFiles(
  root: string,
  sources: Sources,
  islands: string,
): Promise<readonly OutputFile[]> {
  try {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: {
        run: join(root, 'packages/server/src/run.ts'),
        admin: join(root, 'packages/server/src/admin/main.ts'),
      },
      // The maps name the files from a folder at this depth.
      outdir: join(buildsIn(root), 'folder'),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      write: false,
      sourcemap: 'linked',
      sourcesContent: false,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      define: { builtIslandsVersion: JSON.stringify(islands) },
      plugins: [
        packagesPlugin(root),
        sourcesPlugin(root, (file) => readSource(root, file, sources)),
        builtinsPlugin(),
      ],
      // Packages in CommonJS require modules of Node.js.
      banner: {
        js: `const require = process.getBuiltinModule('node:module').createRequire(${JSON.stringify(pathToFileURL(join(root, 'package.json')).href)});`,
      },
    });
    return outputFiles;
  } finally {
    // Ends its process, which would keep this one alive.
    await stop();
  }
}

/** Writes a file to the disk. The service may run as another user than the one who installed it. */
async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  await using opened = await open(file, 'w', 0o644);
  await opened.writeFile(content);
  await opened.chmod(0o644);
  await opened.sync();
}

/** Whether a folder has exactly these contents. */
async function isWhole(folder: string, outputFiles: readonly OutputFile[]): Promise<boolean> {
  for (const { path, contents } of outputFiles) {
    const found = await readFile(join(folder, basename(path))).catch(() => undefined);
    if (found === undefined || !found.equals(contents)) return false;
  }
  return true;
}

/** Writes the files to a folder whose name follows from their content. Returns the name. */
async function writeFiles(builds: string, outputFiles: readonly OutputFile[]): Promise<string> {
  const name = hashOf(outputFiles.map(({ path, hash }) => `${basename(path)} ${hash}\n`).join(''))
    .replaceAll(/[-_]/g, '')
    .slice(0, 16);
  const folder = join(builds, name);
  const unfinished = await mkdtemp(join(builds, 'unfinished-'));
  try {
    for (const { path, contents } of outputFiles)
      await writeDurably(join(unfinished, basename(path)), contents);
    await chmod(unfinished, 0o755);
    if (await isWhole(folder, outputFiles)) {
      for (const { path } of outputFiles) await chmod(join(folder, basename(path)), 0o644);
      return name;
    }
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
    return name;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Removes old builds but the newest ones, and what was not finished. */
async function removeOld(builds: string, current: string): Promise<void> {
  const others = (await readdir(builds)).filter((name) => ![current, manifestName].includes(name));
  const found = others.map(async (name) => {
    const { mtimeMs } = await stat(join(builds, name));
    return { name, ageMs: Date.now() - mtimeMs, isUnfinished: name.startsWith('unfinished-') };
  });
  const newestFirst = (await Promise.all(found)).toSorted((one, other) => one.ageMs - other.ageMs);
  const stuck = newestFirst.filter((one) => one.isUnfinished && one.ageMs > unfinishedMs);
  const past = newestFirst.filter((one) => !one.isUnfinished).slice(keptLeast);
  for (const { name } of [...stuck, ...past.filter(({ ageMs }) => ageMs > keptMs)])
    await rm(join(builds, name), { recursive: true, force: true });
}

/** Builds the programs `run` and `admin` of the tree in `root`, where `findBuiltProgram` finds them. */
export async function buildProgram(root: string): Promise<void> {
  const builds = buildsIn(root);
  const sources: Sources = new Map();
  for (const path of globSync(deciding, { cwd: root }))
    await readSource(root, join(root, path), sources);
  for (const file of await filesOfIslands()) await readSource(root, file, sources);
  const outputFiles = await joinFiles(root, sources, await versionOfIslands());
  await mkdir(builds, { recursive: true });
  await chmod(builds, 0o755);
  const folder = await writeFiles(builds, outputFiles);
  const outputs = outputFiles.map(
    ({ path, contents }) => [basename(path), contents.length] as const,
  );
  const manifest = {
    root,
    folder,
    files: Object.fromEntries(sources),
    outputs: Object.fromEntries(outputs),
  };
  const written = join(builds, `unfinished-${process.pid}.json`);
  await writeDurably(written, JSON.stringify(manifest));
  await rename(written, join(builds, manifestName));
  await removeOld(builds, folder);
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  if (findBuiltProgram(root) === undefined) await buildProgram(root);
}
