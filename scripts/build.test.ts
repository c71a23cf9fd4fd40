// Tests of npm run build, in a copy of the tree.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  buildsIn,
  findBuiltProgram,
  manifestName,
} from '../packages/server/src/runtime/built-program.mjs';
import { copyTree } from './test/tree-copy.ts';

const tree = copyTree();
after(() => tree[Symbol.dispose]());
const { folder } = tree;
const program = join(folder, 'packages/server/src/run.ts');

const build = () => execFileSync(process.execPath, [join(folder, 'scripts/build.ts')]);

/** Starts the server, which refuses a setting, and returns what it printed before. */
function printedByStart(): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'packages/server/src/main.mjs')],
    { env: { PATH: process.env['PATH'], PORT: 'none' }, encoding: 'utf8' },
  );
  assert.match(stderr, /^Colophon cannot start\. PORT is "none"/m);
  return stdout;
}

test('the server runs from the build until a file changes, and then from the next build', () => {
  assert.equal(findBuiltProgram(folder), undefined, 'a copy has no build');
  assert.equal(printedByStart(), '');
  build();
  const first = findBuiltProgram(folder) ?? '';
  assert.match(first, /[0-9a-f]{16}$/);
  // Proves that the build is used.
  appendFileSync(join(first, 'run.mjs'), "\nconsole.log('from the build');\n");
  assert.equal(printedByStart(), 'from the build\n');
  appendFileSync(program, "\nconsole.log('from the files');\n");
  assert.equal(findBuiltProgram(folder), undefined);
  assert.equal(printedByStart(), 'from the files\n');
  build();
  const second = findBuiltProgram(folder);
  assert.notEqual(second, first);
  assert.equal(printedByStart(), 'from the files\n', 'which are in the build now');
  assert.ok(readdirSync(buildsIn(folder)).length === 3, 'a server may still run from the first');
});

test('a file that changes while it is built counts as changed; builds of a month ago are removed', () => {
  const soon = Date.now() / 1000 + 3600;
  utimesSync(program, soon, soon);
  for (const name of readdirSync(buildsIn(folder)))
    utimesSync(join(buildsIn(folder), name), 1_000, 1_000);
  build();
  assert.equal(findBuiltProgram(folder), undefined);
  const manifest = JSON.parse(readFileSync(join(buildsIn(folder), manifestName), 'utf8')) as {
    readonly folder: string;
  };
  assert.deepEqual(
    readdirSync(buildsIn(folder)).toSorted(),
    [manifest.folder, manifestName].toSorted(),
  );
});
