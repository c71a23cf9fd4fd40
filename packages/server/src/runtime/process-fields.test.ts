// Tests of what is read of a process: its name may contain what separates the fields.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { processFields } from './process-fields.ts';

const skip = existsSync('/proc/self/stat') ? false : 'the system has no /proc';
const folder = await mkdtemp(join(tmpdir(), 'colophon-fields-'));
after(() => rm(folder, { recursive: true }));

test('the fields are those behind the name of the program, whatever it is', { skip }, async () => {
  const program = join(folder, 'a) Z 1 (b');
  await symlink(process.execPath, program);
  const child = spawn(program, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  const [state = '', parent, ...others] = processFields(child.pid ?? 0) ?? [];
  assert.match(state, /^[RSD]$/);
  assert.equal(parent, String(process.pid));
  assert.match(others[17] ?? '', /^\d+$/, 'the moment of its start');
  child.stdin.end();
  await once(child, 'exit');
  assert.equal(processFields(child.pid ?? 0), undefined);
});
