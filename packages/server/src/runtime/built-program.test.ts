// Tests of when the build stands for the files, and that its stack traces name them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { buildsIn, findBuiltProgram, hashOf, manifestName } from './built-program.mjs';

const root = mkdtempSync(join(tmpdir(), 'colophon-built-'));
after(() => rmSync(root, { recursive: true, force: true }));
const manifest = join(buildsIn(root), manifestName);
const built = join(buildsIn(root), 'first');
const output = join(built, 'run.mjs');

function stateOf(name: string) {
  const file = join(root, name);
  const { mtimeMs, size } = statSync(file);
  return [name, { time: Math.floor(mtimeMs), size, hash: hashOf(readFileSync(file)) }] as const;
}

function writeManifest(changed: object = {}): void {
  const files = Object.fromEntries(['one.ts', 'two.ts'].map(stateOf));
  const outputs = { 'run.mjs': statSync(output).size };
  writeFileSync(manifest, JSON.stringify({ root, folder: 'first', files, outputs, ...changed }));
}

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(built, { recursive: true });
  for (const name of ['one.ts', 'two.ts']) writeFileSync(join(root, name), `// ${name}`);
  writeFileSync(output, 'built();');
  writeManifest();
});

test('the build stands for files that are as they were, whatever their time', () => {
  assert.equal(findBuiltProgram(root), built);
  utimesSync(join(root, 'one.ts'), 1_000, 1_000);
  assert.equal(findBuiltProgram(root), built);
});

const changes: Readonly<Record<string, () => void>> = {
  'a file has another length': () => writeFileSync(join(root, 'two.ts'), '// 2'),
  'a file has other content of the same length': () => {
    writeFileSync(join(root, 'two.ts'), '// owt.ts');
    utimesSync(join(root, 'two.ts'), 1_000, 1_000);
  },
  'a file was deleted': () => rmSync(join(root, 'one.ts')),
  'the tree was copied from elsewhere': () => writeManifest({ root: '/elsewhere' }),
  'the build is gone': () => rmSync(built, { recursive: true }),
  'a file of the build is gone': () => rmSync(output),
  'a file of the build is cut off': () => truncateSync(output, 3),
  'nothing was built': () => rmSync(manifest),
  'the manifest is cut off': () => writeFileSync(manifest, '{"root":'),
  'the manifest is not one': () => writeFileSync(manifest, 'null'),
  'the manifest is older': () => writeManifest({ outputs: undefined }),
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
