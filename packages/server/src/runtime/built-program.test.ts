// Tests of when the build stands for the files, and that its stack traces name them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { buildsIn, findBuiltProgram, manifestName, stateOf } from './built-program.mjs';

const root = mkdtempSync(join(tmpdir(), 'colophon-built-'));
after(() => rmSync(root, { recursive: true, force: true }));
const manifest = join(buildsIn(root), manifestName);
const built = join(buildsIn(root), 'first');

function writeManifest(changes: object = {}): void {
  const files = {
    'one.ts': stateOf(join(root, 'one.ts')),
    'two.ts': stateOf(join(root, 'two.ts')),
  };
  writeFileSync(manifest, JSON.stringify({ root, folder: 'first', files, ...changes }));
}

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(built, { recursive: true });
  for (const name of ['one.ts', 'two.ts']) writeFileSync(join(root, name), `// ${name}`);
  writeManifest();
});

test('the build stands for files that are as they were', () => {
  assert.equal(findBuiltProgram(root), built);
});

const changes: Readonly<Record<string, () => void>> = {
  'a file has another length': () => writeFileSync(join(root, 'two.ts'), '// 2'),
  'a file has another time': () => utimesSync(join(root, 'one.ts'), 1_000, 1_000),
  'a file was deleted': () => rmSync(join(root, 'one.ts')),
  'a file changed while it was built': () => writeManifest({ files: { 'one.ts': 'changed' } }),
  'the tree was copied from elsewhere': () => writeManifest({ root: '/elsewhere' }),
  'the build is gone': () => rmSync(built, { recursive: true }),
  'nothing was built': () => rmSync(manifest),
  'the manifest is cut off': () => writeFileSync(manifest, '{"root":'),
  'the manifest is not one': () => writeFileSync(manifest, 'null'),
};

for (const [name, change] of Object.entries(changes)) {
  test(`the files are used: ${name}`, () => {
    change();
    assert.equal(findBuiltProgram(root), undefined);
  });
}

test('a stack trace of the built program names a file and a line of the source', () => {
  const program = `
    import { loadProgram } from './load-program.mjs';
    const { run } = await loadProgram('run', () => { throw new Error('The program is not built.'); });
    await run(1).catch(({ cause }) => console.log(cause.stack));`;
  const traced = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { PATH: process.env['PATH'], PORT: 'none' },
    encoding: 'utf8',
  });
  assert.match(traced, /packages\/server\/src\/config\/\S+\.ts:\d+:\d+/);
  assert.match(traced, /packages\/server\/src\/run\.ts:\d+:\d+/);
});
