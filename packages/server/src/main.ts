// The program: sets up the run time before anything is loaded, then serves.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// What was compiled, and stripped of its types, is kept beside the dependencies: the next start loads no
// compiler, which saves it 20 MB and half a second. Never in a folder that others may write to. Where the
// tree cannot be written, nothing is kept.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/colophon'));
// Loading leaves tens of megabytes of garbage, for which V8 would double its new space four times and keep it.
setFlagsFromString('--semi-space-growth-factor=1');

try {
  const { serve } = await import('./serve.ts');
  await serve();
} catch (error) {
  process.stderr.write(`Colophon cannot start. ${(error as Error).message}\n`);
  process.exit(1);
}
// V8's default, for the throughput of a busy server.
setFlagsFromString('--semi-space-growth-factor=2');
flushCompileCache();
