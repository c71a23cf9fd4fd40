// Temporary folders of processes that were killed are removed, and none that a process uses.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeTemporary, sweepTemporary } from './temporary-folders.ts';
import type { TemporaryKind } from './temporary-folders.ts';

// The folders of other tests, which run at the same time, are not looked at.
const parent = await mkdtemp(join(tmpdir(), 'ct-temporary-'));
process.env['TMPDIR'] = parent;
after(() => rm(parent, { recursive: true }));

const source = import.meta.resolve('./temporary-folders.ts');

/** Starts a process that makes a folder and runs until it is killed. */
async function another(kind: TemporaryKind) {
  const script = `const { makeTemporary } = await import(${JSON.stringify(source)});
    process.stdout.write(await makeTemporary('${kind}'));
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [folder] = await once(child.stdout, 'data');
  return {
    folder: String(folder),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('the folder of a killed process is removed at the next sweep, and not while the process runs', async () => {
  for (const kind of ['drawing', 'backup'] as const) {
    const [own, other] = [await makeTemporary(kind), await another(kind)];
    await sweepTemporary();
    assert.deepEqual([existsSync(own), existsSync(other.folder)], [true, true]);
    await other.kill();
    await sweepTemporary();
    assert.deepEqual([existsSync(own), existsSync(other.folder)], [true, false]);
  }
});

test('the folder of a process whose pid another one has now is removed', async () => {
  const own = await makeTemporary('backup');
  const folder = own.replace(/-\d+-([^-]+)$/, '-1-$1');
  assert.notEqual(folder, own);
  await mkdir(folder);
  await sweepTemporary();
  assert.deepEqual([existsSync(own), existsSync(folder)], [true, false]);
});

test('a folder that names no process, or one of another host, is removed by its age only', async () => {
  const names = ['colophon-drawing-AbCd12', 'colophon-drawing-000000000000-1999999999-1-AbCd12'];
  for (const name of names) {
    const folder = join(parent, name);
    await mkdir(folder);
    await sweepTemporary();
    assert.ok(existsSync(folder), name);
    const old = new Date(Date.now() - 25 * 3_600_000);
    await utimes(folder, old, old);
    await sweepTemporary();
    assert.ok(!existsSync(folder), name);
  }
});

test('a folder of another kind stays, however old', async () => {
  const folder = await mkdtemp(join(parent, 'colophon-data-'));
  await utimes(folder, 0, 0);
  await sweepTemporary();
  assert.ok(existsSync(folder));
});
