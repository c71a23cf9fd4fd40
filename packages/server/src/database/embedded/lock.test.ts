// The file of the lock, which operators read to send a signal.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeLock } from './lock.ts';

test('the file of the lock contains the pid of its holder, and nothing after it was released', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-lock-'));
  try {
    const path = join(dataDir, 'server.lock');
    const lock = await takeLock(dataDir);
    assert.equal(await readFile(path, 'utf8'), `${process.pid}\n`);
    lock[Symbol.dispose]();
    assert.equal(await readFile(path, 'utf8'), '');
    // A second disposal must not touch a descriptor that another file has by now.
    lock[Symbol.dispose]();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
