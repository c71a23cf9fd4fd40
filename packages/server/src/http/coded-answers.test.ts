// Tests of compressed answers in memory: made once for each content and coding, and bounded.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openCodedBytes } from './coded-answers.ts';

/** A text that compression leaves about as long as it is. */
const noise = (bytes: number) => randomBytes(bytes);

test('a text is compressed once for each coding, also for those who ask meanwhile', async () => {
  const coded = openCodedBytes(100_000);
  const text = 'The same words. '.repeat(100);
  const [one, other] = [coded('name', 'br', text), coded('name', 'br', text)];
  assert.equal(one, other, 'one work for two');
  const bytes = await one;
  assert.equal(String(brotliDecompressSync(bytes)), text);
  assert.equal(coded('name', 'br', text), bytes);
  assert.equal(String(gunzipSync(await coded('name', 'gzip', text))), text);
  const longer = `${text}!`;
  assert.equal(String(brotliDecompressSync(await coded('name', 'br', longer))), longer);
});

test('what was not sent for longest is removed first', async () => {
  const coded = openCodedBytes(10_000);
  const texts = new Map(['a', 'b', 'c'].map((name) => [name, noise(4_000)]));
  const isKept = (name: string) =>
    !(coded(name, 'gzip', texts.get(name) ?? Buffer.alloc(0)) instanceof Promise);
  const send = async (name: string) => coded(name, 'gzip', texts.get(name) ?? Buffer.alloc(0));
  for (const name of ['a', 'b']) await send(name);
  assert.ok(isKept('a'));
  await send('c');
  assert.ok(isKept('a') && isKept('c'));
  assert.ok(!isKept('b'));
});
