// Tests of .env files: encodings, and files that cannot be read.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { readEnvFile } from './env-file.ts';

const name = 'COLOPHON_TEST_OF_ENV_FILES';

function fileOf(t: TestContext, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-env-'));
  const file = join(folder, '.env');
  writeFileSync(file, content);
  t.after(() => {
    rmSync(folder, { recursive: true });
    delete process.env[name];
  });
  return file;
}

test('a variable of the environment takes precedence over .env', (t) => {
  const file = fileOf(t, `# a comment\n${name}="from the file"\n`);
  readEnvFile(file);
  assert.equal(process.env[name], 'from the file');
  process.env[name] = 'of the environment';
  readEnvFile(file);
  assert.equal(process.env[name], 'of the environment');
});

test('a .env in another encoding, or with a byte order mark, is refused and not ignored', (t) => {
  const text = `${name}=x\r\n`;
  for (const content of [
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.from(text, 'utf16le'),
    `\uFEFF${text}`,
    Buffer.from(`${name}=é`, 'latin1'),
  ])
    assert.throws(
      () => readEnvFile(fileOf(t, content)),
      /^Error: \/.+ is not text in UTF-8 .+: save/,
    );
  assert.equal(process.env[name], undefined);
});

test('a missing .env is not an error', () => {
  readEnvFile('no-such-file.env');
});

test('a .env that cannot be read is refused in one sentence', () => {
  assert.throws(
    () => readEnvFile(import.meta.dirname),
    /^Error: \/.+ cannot be read \(.+\): make it/,
  );
});

test('a process of a supervisor keeps the settings of its supervisor', (t) => {
  t.after(() => delete process.env['COLOPHON_PROCESS']);
  process.env['COLOPHON_PROCESS'] = 'web-1';
  // It would be refused if it were read.
  readEnvFile(import.meta.dirname);
});
