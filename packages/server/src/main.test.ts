// Tests of what a start loads: no compiler from a full cache, no service for a wrong setting.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const program = join(import.meta.dirname, 'main.mjs');
/** Runs before the program, and prints at its end which parts of Node.js were loaded. */
const told = `data:text/javascript,${encodeURIComponent(
  "process.once('exit', () => process.stdout.write(process.moduleLoadList.join(' ')));",
)}`;

const folder = mkdtempSync(join(tmpdir(), 'colophon-main-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Settings = Readonly<Record<string, string>>;
const wrong: Settings = { PORT: 'none' };
/** It ends as soon as everything is loaded. */
const nobodyThere: Settings = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };

/** Returns the parts of Node.js that a start with these settings loads; it ends on its own. */
function loadedBy(settings: Settings): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', told, program], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, ...settings },
    encoding: 'utf8',
  });
  assert.match(stderr, /^Colophon cannot start\. /);
  assert.equal(status, 1);
  return stdout;
}

const hasCompiler = (loaded: string) => loaded.includes('internal/deps/amaro');
const hasService = (loaded: string) => / NativeModule http /.test(loaded);
const loadsCompiler = (settings: Settings) => hasCompiler(loadedBy(settings));
const loadsService = (settings: Settings) => hasService(loadedBy(settings));

test('a start from the files loads the compiler without a cache, and not with a filled one', () => {
  // As below node --watch.
  const fromFiles = { ...nobodyThere, WATCH_REPORT_DEPENDENCIES: '1' };
  assert.equal(loadsCompiler({ ...fromFiles, NODE_DISABLE_COMPILE_CACHE: '1' }), true);
  loadsCompiler(fromFiles);
  const loaded = loadedBy(fromFiles);
  assert.equal(hasCompiler(loaded), false);
  assert.equal(hasService(loaded), true, 'it got as far as the service');
});

test('a start from the build loads no compiler, even without a cache', () => {
  const loaded = loadedBy({ ...nobodyThere, NODE_DISABLE_COMPILE_CACHE: '1' });
  assert.equal(hasCompiler(loaded), false);
  assert.equal(hasService(loaded), true, 'it got as far as the service');
});

test('a wrong setting is refused before the service is loaded', () => {
  assert.equal(loadsService(wrong), false);
  assert.equal(loadsService({ DATA_DIR: '/dev/null/data' }), false);
});

test('an argument is refused with what to read, --help prints it, and neither starts a server', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      env: { PATH: process.env['PATH'], DATA_DIR: folder },
      encoding: 'utf8',
      timeout: 600_000,
    });
  const refused = run('--port', '80');
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^Colophon does not know the argument --port\. .*docs\/running\.md.*\n$/,
  );
  const { status, stdout } = run('--help');
  assert.equal(status, 0);
  assert.match(stdout, /^Colophon, .*npm start.*docs\/running\.md.*admin -- help\n$/);
});
