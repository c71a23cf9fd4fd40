// The program: sets up the run time before anything is loaded, then serves.
// Plain JavaScript, because stripping types from this one file would load the compiler, which no other file
// needs once it is cached. Its imports name nothing that an older Node.js lacks, so that such a version can
// start a newer one.
import * as modules from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { installed, keepCompiledCode, loadProgram } from './runtime/load-program.mjs';
import { wakeThreadPool } from './runtime/thread-pool-wakeup.mjs';

const oldest = 24;
// Read first: it changes when the parent process ends.
const parent = process.ppid;
const program = fileURLToPath(import.meta.url);

// It would end the process. What it does is up to the supervisor.
process.on('SIGUSR2', () => undefined);

async function start() {
  wakeThreadPool();
  keepCompiledCode();
  // Loading leaves tens of megabytes of garbage, for which V8 would double its new space four times and keep
  // it.
  setFlagsFromString('--semi-space-growth-factor=1');

  try {
    const { run } = await loadProgram('run', () => import('./run.ts'));
    await run(parent);
  } catch (error) {
    process.stderr.write(`Colophon cannot start. ${error.message}\n`);
    process.exit(1);
  }
  // V8's default, for the throughput of a busy server.
  setFlagsFromString('--semi-space-growth-factor=2');
  // After a full collection the heap may double before the next one. V8's own estimate ignores the bytes of
  // requests and answers: it ran a full collection after each 16 MiB uploaded, which took half of the time.
  setFlagsFromString('--heap-growing-percent=100');
  modules.flushCompileCache();
}

const usage =
  'It starts with npm start and has no arguments: its settings are environment variables, which docs/running.md lists. Commands of the operator: npm run admin -- help';

// The start on Windows imports this program, and has an argument of its own.
const argument = process.argv.slice(2).find((one) => one !== '--production');
if (argument === '--help') {
  process.stdout.write(`Colophon, a publishing service. ${usage}\n`);
} else if (argument !== undefined) {
  process.stderr.write(`Colophon does not know the argument ${argument}. ${usage}\n`);
  process.exitCode = 1;
} else if (Number(process.versions.node.split('.')[0]) < oldest) {
  const { runOnPinnedNode } = await import('./runtime/pinned-node.mjs');
  runOnPinnedNode({ program, modules: installed, oldest });
} else {
  await start();
}
