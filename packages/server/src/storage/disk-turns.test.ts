// Tests of the turns in which work on a disk is done.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { findProgram } from '#test/installed-programs';
import { diskWorks, inDiskTurn } from './disk-turns.ts';

const folder = await mkdtemp(join(tmpdir(), 'colophon-turns-'));
after(() => rm(folder, { recursive: true, force: true }));

test('three works run at once, a thousand wait in order, and what comes later fails at once', async () => {
  const answer = Promise.withResolvers<void>();
  const begun: number[] = [];
  const works = Array.from({ length: 1_003 }, (_, number) =>
    inDiskTurn(async () => {
      begun.push(number);
      await answer.promise;
      return number;
    }),
  );
  await assert.rejects(
    inDiskTurn(async () => 'late'),
    { code: 'EIO', message: 'The disk does not answer.' },
  );
  assert.deepEqual(begun, [0, 1, 2]);
  answer.resolve();
  const inOrder = Array.from({ length: 1_003 }, (_, number) => number);
  assert.deepEqual(await Promise.all(works), inOrder);
  assert.deepEqual(begun, inOrder);
  assert.equal(await inDiskTurn(async () => 'again'), 'again');
});

test('work that fails ends its turn', async () => {
  for (let time = 0; time < 4; time += 1)
    await assert.rejects(
      inDiskTurn(() => Promise.reject(new Error(`failed ${time}`))),
      /failed/,
    );
  assert.equal(await inDiskTurn(async () => 'done'), 'done');
});

test(
  'a disk that takes no bytes of many writers leaves a thread free for other work',
  {
    skip: findProgram('mkfifo') === undefined && 'this machine has no mkfifo',
    timeout: 120_000,
  },
  async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // A pipe takes 64 KiB, and then waits for a reader.
    const bytes = Buffer.alloc(512 * 1024, 'x');
    const writers = Array.from({ length: 8 }, () =>
      createWriteStream(pipe, { flags: 'r+', fs: diskWorks }),
    );
    await Promise.all(writers.map((writer) => once(writer, 'open')));
    const written = writers.map((writer) => finished(writer.end(bytes)));
    assert.equal(gunzipSync(await promisify(gzip)('text')).toString(), 'text');
    const reader = spawn('head', ['-c', String(8 * bytes.length), pipe], { stdio: 'ignore' });
    const ended = once(reader, 'exit');
    await Promise.all(written);
    assert.deepEqual(await ended, [0, null]);
  },
);
