// The server and the operator's program in a few large files, for tests that start them as processes. Loading their
// thousand modules takes more than half of a start.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
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
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import type { Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '../../..');
const entryPoints = {
  main: join(root, 'packages/server/src/main.mjs'),
  admin: join(root, 'packages/server/src/admin/main.ts'),
};
const cache = join(root, 'node_modules/.cache/colophon-bundles');
const dayMs = 24 * 60 * 60_000;

/** Other packages are loaded from node_modules: most are CommonJS, and some find their files by their place. */
const bundled = /^(?:[./#]|@colophon\/|typebox(?:\/|$)|@noble\/)/;

/** It starts further processes of the program beside it. */
const moved = 'packages/server/src/supervise.ts';

/** Files keep their own place: they find workers, migrations and assets by it. */
const inPlace: Plugin = {
  name: 'in place',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'entry-point' || bundled.test(path) ? undefined : { path, external: true },
    );
    onLoad({ filter: /\/packages\/.*\.(?:ts|mjs)$/ }, async ({ path }) => {
      if (relative(root, path) === moved) return undefined;
      const text = await readFile(path, 'utf8');
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path));
      return { contents, loader: extname(path) === '.ts' ? 'ts' : 'js' };
    });
  },
};

async function removeOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    const { mtimeMs } = await stat(folder);
    if (mtimeMs < Date.now() - dayMs) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Bundles the programs and returns their folder: main.mjs and admin.mjs. Equal sources give an equal path, so that
 * the compiled code of the last run is found again.
 */
export async function bundlePrograms(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints,
    outdir: cache,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    plugins: [inPlace],
  });
  // Ends its process, which would belong to the run.
  await stop();
  const hash = createHash('sha256');
  for (const { path, contents } of outputFiles) hash.update(path).update(contents);
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    await removeOld();
    const unfinished = await mkdtemp(join(cache, 'unfinished-'));
    for (const { path, contents } of outputFiles)
      await writeFile(join(unfinished, basename(path)), contents);
    // Servers may run as another user.
    await chmod(unfinished, 0o755);
    // Another run may have been faster.
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  }
  return folder;
}
