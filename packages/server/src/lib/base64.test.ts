// Tests of base64 decoding: every accepted encoding, and what Node's own decoder would also accept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readBase64 } from './base64.ts';
import { effort } from '#test/effort';

// 32 and 64 bytes whose text contains both of the characters in which the alphabets differ.
const key = Buffer.from('fbefff'.repeat(10) + '0102', 'hex');
const signature = Buffer.concat([key, key]);

test('base64url and base64, with padding and without: the same bytes', () => {
  for (const bytes of [key, signature]) {
    const url = bytes.toString('base64url');
    const plain = bytes.toString('base64');
    assert.match(url, /[-_]/);
    const padded = url + plain.slice(url.length);
    assert.ok(padded.endsWith('='));
    for (const text of [url, padded, plain, plain.replaceAll('=', '')])
      assert.deepEqual(readBase64(text, bytes.length), bytes, text);
  }
});

test('refused: both alphabets in one text', () => {
  const text = key.toString('base64url');
  assert.match(text, /-.*_/);
  assert.equal(readBase64(text.replace('-', '+'), 32), undefined);
});

test('refused: another length, more or less padding than is due', () => {
  const url = signature.toString('base64url');
  for (const text of [
    url.slice(0, -1),
    `${url}A`,
    `${url}=`,
    `${url}===`,
    `=${url}`,
    `${url}==A`,
    '',
  ])
    assert.equal(readBase64(text, 64), undefined, text);
  assert.deepEqual(readBase64(`${url}==`, 64), signature);
  assert.equal(readBase64(url, 63), undefined);
  assert.equal(readBase64(url, 65), undefined);
});

test('refused: every other last character that stands for the same bytes', () => {
  for (const bytes of [Buffer.alloc(32, 7), Buffer.alloc(64, 7)]) {
    const text = bytes.toString('base64url');
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => text.slice(0, -1) + last)
      .filter((other) => other !== text && Buffer.from(other, 'base64url').equals(bytes));
    assert.ok(others.length >= 3, 'the decoder forgives');
    for (const other of others) assert.equal(readBase64(other, bytes.length), undefined, other);
  }
});

test('refused: blanks, line ends, NUL and what is not base64, wherever they stand', () => {
  const text = key.toString('base64url');
  for (const odd of [' ', '\n', '\r\n', '\t', '\0', '.', '%3D', 'é', '\u{1f989}', '\ufeff']) {
    for (const at of [0, 20, text.length])
      assert.equal(readBase64(text.slice(0, at) + odd + text.slice(at), 32), undefined);
    assert.equal(readBase64(text.slice(0, 20) + odd + text.slice(20 + odd.length), 32), undefined);
  }
});

test('what is taken is one of the four spellings of the bytes, whatever comes', () => {
  const alphabet = [...'ABab01+/-_= '];
  const nearly = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 8 });
  fc.assert(
    fc.property(nearly, fc.integer({ min: 0, max: 6 }), (text, length) => {
      const bytes = readBase64(text, length);
      if (bytes === undefined) return;
      const forms = [bytes.toString('base64'), bytes.toString('base64url')];
      assert.equal(bytes.length, length);
      assert.ok(forms.some((form) => form.replaceAll('=', '') === text.replaceAll('=', '')));
      assert.ok(!text.includes('=') || text.length % 4 === 0);
    }),
    { numRuns: effort(3_000, 60_000) },
  );
});
