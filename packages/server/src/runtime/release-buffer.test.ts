// Tests that releaseBuffer frees memory of its own bytes only.
import assert from 'node:assert/strict';
import test from 'node:test';
import { releaseBuffer } from './release-buffer.ts';

test('memory of its own is released, and a second time does nothing', () => {
  const bytes = Buffer.alloc(64 * 1024, 1);
  releaseBuffer(bytes);
  assert.equal(bytes.length, 0);
  assert.equal((bytes.buffer as ArrayBuffer).detached, true);
  releaseBuffer(bytes);
});

test('memory that others share stays', () => {
  const whole = Buffer.alloc(8, 1);
  releaseBuffer(whole.subarray(2, 4));
  assert.deepEqual([...whole], [1, 1, 1, 1, 1, 1, 1, 1]);
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  releaseBuffer(shared);
  assert.equal(shared.length, 4);
  // Short texts share one block of memory.
  const [one, other] = [Buffer.from('one'), Buffer.from('other')];
  releaseBuffer(one);
  assert.equal(`${one.toString()} ${other.toString()}`, 'one other');
});

test('the memory of a process does not grow with what it released', () => {
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 4_000; n += 1) releaseBuffer(Buffer.allocUnsafeSlow(64 * 1024));
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 1024 * 1024, `${grown} bytes are still held`);
});
