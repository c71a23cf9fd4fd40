// Loads the program with its compiled code: from the build if there is one, otherwise from its files.
import * as modules from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findBuiltProgram } from './built-program.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..');

/** Where npm installs the packages. */
export const installed = join(root, 'node_modules');

/**
 * Enables the compile cache. It is stored beside the dependencies, with types stripped: the next start loads no
 * compiler, which saves 20 MB and half a second. It is never in a folder that others may write to. If the tree is not
 * writable, nothing is cached.
 */
export function keepCompiledCode() {
  const compiled = join(installed, '.cache/colophon');
  modules.enableCompileCache(compiled);
  // Threads read it from here; otherwise each would load the compiler itself.
  // oxlint-disable-next-line node/no-process-env
  process.env.NODE_COMPILE_CACHE ??= compiled;
}

/** Whether `node --watch` started this process. It has to see the files. */
// oxlint-disable-next-line node/no-process-env
const isWatched = () => process.env.WATCH_REPORT_DEPENDENCIES !== undefined;

/** Loads one of the programs: `name` is that of the build, `load` imports its file. */
export async function loadProgram(name, load) {
  const built = isWatched() ? undefined : findBuiltProgram(root);
  if (built === undefined) return load();
  // A stack trace names the files, although what runs are the built ones. Node reads the maps at the first trace.
  process.setSourceMapsEnabled(true);
  return import(pathToFileURL(join(built, `${name}.mjs`)).href);
}
