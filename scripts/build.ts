// npm run build: joins the files of the server into a few, which start faster. npm start does so when one has changed.
import { createHash } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import type { OutputFile, Plugin } from 'esbuild';
import {
  buildsIn,
  findBuiltProgram,
  manifestName,
  stateOf,
} from '../packages/server/src/runtime/built-program.mjs';

/** Other packages are loaded from node_modules: most are CommonJS, and some find their files by their place. */
const joined = /^(?:[./#]|@colophon\/)/;

/** Files keep their own place: they find threads, migrations and assets by it. */
const inPlace: Plugin = {
  name: 'in place',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'entry-point' || joined.test(path) ? undefined : { path, external: true },
    );
    onLoad({ filter: /[/\\]packages[/\\].*\.(?:ts|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path));
      return { contents, loader: extname(path) === '.ts' ? 'ts' : 'js' };
    });
  },
};

const keptMs = 30 * 24 * 60 * 60_000;

/** Joins the files, in memory. Lines of a stack trace are found by the source maps. */
async function joinFiles(root: string) {
  const { outputFiles, metafile } = await build({
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
    metafile: true,
    sourcemap: 'linked',
    sourcesContent: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    plugins: [inPlace],
  });
  // Ends its process, which would keep this one alive.
  await stop();
  return { outputFiles, sources: Object.keys(metafile.inputs) };
}

/** Writes the files to a folder whose name follows from their content. Returns the name. */
async function writeFiles(builds: string, outputFiles: readonly OutputFile[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { path, contents } of outputFiles) hash.update(path).update(contents);
  const name = hash.digest('hex').slice(0, 16);
  const unfinished = await mkdtemp(join(builds, 'unfinished-'));
  for (const { path, contents } of outputFiles)
    await writeFile(join(unfinished, basename(path)), contents);
  // The service may run as another user than the one who installed it.
  await chmod(unfinished, 0o755);
  // It exists if the content was built before, or another process was faster.
  await rename(unfinished, join(builds, name)).catch(() => rm(unfinished, { recursive: true }));
  return name;
}

/** Says what the files were like when they were read. One that changed since `began` counts as changed. */
async function statesOf(root: string, sources: readonly string[], began: number) {
  const states = sources.map(async (path) => {
    const file = join(root, path);
    const isOlder = (await stat(file)).mtimeMs < began;
    return [path, isOlder ? stateOf(file) : 'changed'] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

/** Removes old builds. A server that runs from one may still load a part of it. */
async function removeOld(builds: string, current: string): Promise<void> {
  for (const name of await readdir(builds)) {
    const { mtimeMs } = await stat(join(builds, name));
    if (name !== current && name !== manifestName && mtimeMs < Date.now() - keptMs)
      await rm(join(builds, name), { recursive: true, force: true });
  }
}

/** Builds the programs `run` and `admin` of the tree in `root`, where `findBuiltProgram` finds them. */
export async function buildProgram(root: string): Promise<void> {
  const began = Date.now();
  const builds = buildsIn(root);
  const { outputFiles, sources } = await joinFiles(root);
  const files = await statesOf(root, sources, began);
  await mkdir(builds, { recursive: true });
  const folder = await writeFiles(builds, outputFiles);
  const written = join(builds, `unfinished-${process.pid}.json`);
  await writeFile(written, JSON.stringify({ root, folder, files }));
  await rename(written, join(builds, manifestName));
  await removeOld(builds, folder);
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  if (findBuiltProgram(root) === undefined) await buildProgram(root);
}
