// Nonces are long, unique, and found by their hash.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { readBase64 } from '#lib/base64';
import { hashNonce, mintNonce } from './keys.ts';

test('256 bits each, none twice, stored as SHA-256 of the text', () => {
  const minted = Array.from({ length: 1_000 }, mintNonce);
  assert.equal(new Set(minted.map(({ nonce }) => nonce)).size, 1_000);
  for (const { nonce, hash } of minted) {
    assert.equal(readBase64(nonce, 32)?.length, 32);
    assert.deepEqual(hash, createHash('sha256').update(nonce).digest());
    assert.deepEqual(hashNonce(nonce), hash);
  }
});
