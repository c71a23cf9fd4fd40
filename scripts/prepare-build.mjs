// Builds the program when one of its files has changed: it then starts faster and needs less memory.
// Plain JavaScript, because it runs on any version of Node.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findBuiltProgram } from '../packages/server/src/runtime/built-program.mjs';

/** Builds with `node`. Without a build the program starts from its files, so a failure is only reported. */
export function buildIfChanged(root, node) {
  const script = join(root, 'scripts/build.ts');
  if (findBuiltProgram(root) !== undefined || !existsSync(script)) return;
  const { status, stderr } = spawnSync(node, [script], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(
    `The program was not built, so it starts from its files, which takes longer. npm run build shows why.\n${stderr ?? ''}`,
  );
}
