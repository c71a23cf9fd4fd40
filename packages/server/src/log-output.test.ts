// The output of the log on a full disk and with a slow reader: nothing throws, nothing waits, and it goes on later.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '#test/throw-away-database';
import { openLogOutput } from './log-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'colophon-output-'));
after(() => {
  spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
});

const line = (number: number) => `${JSON.stringify({ number, text: 'x'.repeat(1_000) })}\n`;
interface Line {
  readonly number?: number;
  readonly dropped?: number;
}
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one) as Line);

/** Every line is whole and in order, and the missing ones are counted. */
function requireComplete(lines: readonly Line[], count: number): void {
  const numbers = lines.flatMap(({ number }) => number ?? []);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  const dropped = lines.reduce((sum, one) => sum + (one.dropped ?? 0), 0);
  assert.ok(dropped > 0);
  assert.equal(numbers.length + dropped, count);
}

const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;

test('a full disk: lines wait, later ones are dropped and counted, and all goes on', async (t) => {
  if (!isMounted) return t.skip('nothing may be mounted here');
  appendFileSync(join(folder, 'filler'), Buffer.alloc(32 * 1024));
  const descriptor = openSync(join(folder, 'log'), 'a');
  const output = openLogOutput(descriptor);
  const began = performance.now();
  for (let number = 0; number < 3_000; number += 1) output.write(line(number));
  assert.ok(performance.now() - began < 30_000, 'no write waits');
  rmSync(join(folder, 'filler'));
  spawnSync('mount', ['-o', 'remount,size=16m', folder]);
  const read = () => readFileSync(join(folder, 'log'), 'utf8');
  await until('the count is written', () => read().includes('"dropped"'));
  output.write(line(3_000));
  requireComplete(linesOf(read()), 3_001);
  closeSync(descriptor);
});

test('a reader that is slow: no write waits for it', async () => {
  const pipe = join(tmpdir(), `colophon-pipe-${process.pid}`);
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  after(() => rmSync(pipe));
  const reading = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writing = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  const output = openLogOutput(writing);
  const began = performance.now();
  for (let number = 0; number < 3_000; number += 1) output.write(line(number));
  assert.ok(performance.now() - began < 30_000, 'no write waits');
  const [chunk, pieces] = [Buffer.alloc(65_536), [] as string[]];
  await until('the count is read', () => {
    try {
      for (;;) pieces.push(chunk.toString('latin1', 0, readSync(reading, chunk)));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN');
    }
    return pieces.join('').includes('"dropped"');
  });
  requireComplete(linesOf(pieces.join('')), 3_000);
  closeSync(writing);
  closeSync(reading);
});
