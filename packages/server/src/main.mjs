// The program: sets up the run time before anything is loaded, then serves. Plain JavaScript, because stripping
// types from this one file would load the compiler, which no other file needs once it is in the cache. It names
// nothing in an import that an older Node.js lacks, so that such a one gets as far as handing over.
import * as modules from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const oldest = 24;
// Asked for at once: it changes when that process ends.
const parent = process.ppid;
const program = fileURLToPath(import.meta.url);
const installed = join(dirname(program), '../../../node_modules');

async function start() {
  // What was compiled, and stripped of its types, is kept beside the dependencies: the next start loads no
  // compiler, which saves it 20 MB and half a second. Never in a folder that others may write to. Where the
  // tree cannot be written, nothing is kept.
  const compiled = join(installed, '.cache/colophon');
  modules.enableCompileCache(compiled);
  // Threads read it from here, or each would load the compiler for itself.
  // oxlint-disable-next-line node/no-process-env
  process.env.NODE_COMPILE_CACHE ??= compiled;
  // Loading leaves tens of megabytes of garbage, for which V8 would double its new space four times and keep it.
  setFlagsFromString('--semi-space-growth-factor=1');

  try {
    const { readSettings } = await import('./read-settings.ts');
    const settings = await readSettings();
    const { serve } = await import('./serve.ts');
    await serve(settings, parent);
  } catch (error) {
    process.stderr.write(`Colophon cannot start. ${error.message}\n`);
    process.exit(1);
  }
  // V8's default, for the throughput of a busy server.
  setFlagsFromString('--semi-space-growth-factor=2');
  // After a whole collection the heap may double before the next. V8's own estimate does not see the bytes of
  // requests and answers: it collected everything after each 16 MiB that were uploaded, which took half of the time.
  setFlagsFromString('--heap-growing-percent=100');
  modules.flushCompileCache();
}

if (Number(process.versions.node.split('.')[0]) < oldest) {
  const { runOnPinnedNode } = await import('./runtime/pinned-node.mjs');
  runOnPinnedNode({ program, modules: installed, oldest });
} else {
  await start();
}
