// Tests of bytes whose store hangs, fails or is left before it was read.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { failWhenSilent } from './silence.ts';

const minute = 60_000;

test('the bytes are those of the store, also none', async () => {
  const pieces = ['one', 'two', 'three'].map((text) => Buffer.from(text));
  const read = (from: Buffer[]) => buffer(failWhenSilent(Readable.from(from), minute));
  assert.equal((await read(pieces)).toString(), 'onetwothree');
  assert.equal((await read([])).length, 0);
});

test('a store that sends nothing fails its reader, with an error that clients retry', async () => {
  const body = new PassThrough();
  await assert.rejects(buffer(failWhenSilent(body, 20)), {
    code: 'EIO',
    message: 'The store sent nothing for 20 ms.',
  });
  assert.ok(body.destroyed);
});

test('time in which nobody reads does not count', async () => {
  const body = new PassThrough();
  const bytes = failWhenSilent(body, 20);
  await wait(60);
  body.end('late');
  assert.equal((await buffer(bytes)).toString(), 'late');
});

test('an error that comes before the first read reaches the reader, and an end that comes too early', async () => {
  const failing = new PassThrough();
  const bytes = failWhenSilent(failing, minute);
  failing.destroy(new Error('reset'));
  await new Promise((closed) => void failing.once('close', closed));
  await assert.rejects(buffer(bytes), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'EIO');
    assert.equal((error.cause as Error).message, 'reset');
    return true;
  });
  const ending = new PassThrough();
  ending.write('a part');
  const early = buffer(failWhenSilent(ending, minute));
  setImmediate(() => ending.destroy());
  await assert.rejects(early, { code: 'EIO' });
});

test('a reader that leaves closes the body, before its first read and while it waits', async () => {
  for (const reads of [false, true]) {
    const body = new PassThrough();
    const bytes = failWhenSilent(body, minute);
    if (reads) bytes.resume();
    bytes.destroy();
    await once(bytes, 'close');
    assert.ok(body.destroyed);
  }
});
