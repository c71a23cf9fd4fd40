// The help of the operator's commands, which needs no server and no database.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAdminScope, scopes, trustLevelMax } from '@colophon/contract';
import { runAdmin } from '../src/admin/run.ts';
import { freshName } from './harness.ts';

async function admin(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const written = { out: '', complaint: '' };
  const code = await runAdmin(args, {
    settings,
    stdout: { write: (piece) => (written.out += piece) },
    stderr: { write: (piece) => (written.complaint += piece) },
  });
  return { ...written, code };
}

test('help names every admin scope and the highest trust level, and ends with 0', async () => {
  for (const args of [['help'], []]) {
    const { code, out, complaint } = await admin(args);
    assert.deepEqual([code, complaint], [0, '']);
    assert.ok(out.includes(`(${scopes.filter(isAdminScope).join(', ')})`), out);
    assert.match(out, new RegExp(`trust level, 0 to ${trustLevelMax},`));
  }
});

test('the help has lines that fit a terminal, and says where to read on', async () => {
  const { out } = await admin(['help']);
  const [title, ...lines] = out.trimEnd().split('\n');
  assert.equal(title, 'npm run --silent admin -- COMMAND');
  assert.match(lines.at(-1) ?? '', /^docs\/running\.md /);
  for (const line of lines.slice(0, -1)) assert.match(line, /^(?: {2}[a-z]| {6}[a-z(-]|$)/);
  for (const line of lines) assert.ok(line.length <= 100, line);
});

test('the help of a command is that of this command, and creates no database', async () => {
  const dataDir = join(tmpdir(), freshName());
  const { out: all } = await admin(['help']);
  const names = [...all.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  assert.equal(names.length, 12, all);
  for (const name of names)
    for (const args of [
      [name, '--help'],
      [name, '-h'],
      [name, 'x', '--help'],
      ['help', name],
    ]) {
      const { code, out, complaint } = await admin(args, { DATA_DIR: dataDir });
      assert.deepEqual([code, complaint], [0, '']);
      assert.deepEqual(
        [...out.matchAll(/^ {2}([a-z-]+)/gm)].map(([, found]) => found),
        [name],
      );
    }
  assert.equal(existsSync(dataDir), false);
});
