// What a start loads: no compiler, once everything is in the cache.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const program = new URL('main.mjs', import.meta.url).pathname;
/** Runs before the program, and says at its end which parts of Node.js were loaded. */
const told = `data:text/javascript,${encodeURIComponent(
  "process.once('exit', () => process.stdout.write(process.moduleLoadList.join(' ')));",
)}`;

/** Whether a start loads the compiler; it ends as soon as everything is loaded, by a setting that is none. */
function loadsCompiler(env: Readonly<Record<string, string>> = {}): boolean {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', told, program], {
    env: { PATH: process.env['PATH'], PORT: 'none', ...env },
    encoding: 'utf8',
  });
  assert.match(stderr, /^Colophon cannot start\. /);
  assert.equal(status, 1);
  return stdout.includes('internal/deps/amaro');
}

test('a start without a cache loads the compiler, one with a filled cache does not', () => {
  assert.equal(loadsCompiler({ NODE_DISABLE_COMPILE_CACHE: '1' }), true);
  loadsCompiler();
  assert.equal(loadsCompiler(), false);
});
