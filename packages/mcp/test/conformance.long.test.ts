// The official conformance suite and the official inspector against the tool host and a real service. npx fetches
// both at fixed versions from the registry of npm, so this is a long test; without the registry it is skipped.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startServer } from '../../server/test/harness.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../scripts/programs/conformance.ts');

/** Whether npm can fetch packages here. */
async function hasRegistry(): Promise<boolean> {
  return run('npm', ['ping'], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}

test('the conformance suite and the inspector, in both revisions', async (context) => {
  if (!(await hasRegistry())) return context.skip('npm reaches no registry');
  await using server = await startServer();
  const maxBuffer = 64 * 1024 * 1024;
  const { stdout } = await run(process.execPath, [script, server.baseUrl], { maxBuffer }).catch(
    (error: Error & { readonly stdout?: string }) => assert.fail(error.stdout ?? error.message),
  );
  const lines = stdout.trim().split('\n');
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('passed ')),
    [],
  );
  // Two revisions of the suite; the inspector calls four methods in two eras over two transports.
  assert.equal(lines.length, 2 + 4 * 2 * 2);
});
