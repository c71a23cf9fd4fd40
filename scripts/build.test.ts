// Tests of npm run build, in a copy of the tree.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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
  assert.match(first, /\/\w{16}$/);
  // Proves that the build is used.
  const run = join(first, 'run.mjs');
  const text = readFileSync(run, 'utf8');
  writeFileSync(
    run,
    text.replace(/^\/\/ packages.*/m, (line) => "console.log('built');".padEnd(line.length)),
  );
  assert.equal(printedByStart(), 'built\n');
  appendFileSync(program, "\nconsole.log('from the files');\n");
  assert.equal(findBuiltProgram(folder), undefined);
  assert.equal(printedByStart(), 'from the files\n');
  build();
  const second = findBuiltProgram(folder);
  assert.notEqual(second, first);
  assert.equal(printedByStart(), 'from the files\n', 'which are in the build now');
  assert.equal(readdirSync(buildsIn(folder)).length, 3, 'a server may still run from the first');
});

test('packages of a start are joined, and no answer makes the built server load the HTTP client of Node.js', () => {
  const made = findBuiltProgram(folder) ?? '';
  const texts = readdirSync(made)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => readFileSync(join(made, name), 'utf8'));
  assert.deepEqual(
    texts.filter((text) => /^(?:import|\}) .*"(?:fastify|pg|ajv|node:crypto)";$/m.test(text)),
    [],
  );
  const asking = texts.filter((text) => text.includes('function isFetchResponse('));
  assert.equal(asking.length, 1);
  assert.match(asking[0] ?? '', /function isFetchResponse\(obj\) \{\s+return false;/);
});

test('a damaged build is not used, and the next one replaces it', () => {
  const before = findBuiltProgram(folder) ?? '';
  truncateSync(join(before, 'run.mjs'), 10);
  assert.equal(findBuiltProgram(folder), undefined);
  assert.equal(printedByStart(), 'from the files\n');
  build();
  assert.equal(findBuiltProgram(folder), before, 'of the same content');
  assert.equal(printedByStart(), 'from the files\n');
});

test('a build can be read by other users, whatever the umask of the builder', () => {
  const before = process.umask(0o077);
  try {
    appendFileSync(program, '\n// With another umask.\n');
    build();
  } finally {
    process.umask(before);
  }
  const made = findBuiltProgram(folder) ?? '';
  assert.equal(statSync(made).mode & 0o777, 0o755);
  for (const name of [
    ...readdirSync(made).map((one) => join(made, one)),
    join(buildsIn(folder), manifestName),
  ])
    assert.equal(statSync(name).mode & 0o777, 0o644, name);
});

test('what decides the build counts as a source', () => {
  const settings = join(folder, 'packages/server/package.json');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, `${text}\n`);
  assert.equal(findBuiltProgram(folder), undefined);
  writeFileSync(settings, text);
  assert.notEqual(findBuiltProgram(folder), undefined);
});

test('old builds are removed but the five newest, and unfinished ones', () => {
  const builds = buildsIn(folder);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'unfinished-x']) mkdirSync(join(builds, name));
  for (const [at, name] of readdirSync(builds).toSorted().entries())
    utimesSync(join(builds, name), 1_000 + at, 1_000 + at);
  appendFileSync(program, '\n// Once more.\n');
  build();
  const kept = readdirSync(builds);
  assert.equal(kept.length, 7, `the current one, five others and the manifest: ${kept.join(' ')}`);
  assert.ok(!kept.includes('unfinished-x'));
});
