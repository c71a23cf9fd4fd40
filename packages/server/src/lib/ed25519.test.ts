// Tests of Ed25519 verification: the vectors of the RFC, odd lengths and values, flipped bits.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import {
  fieldPrime,
  forge,
  groupOrder,
  littleEndian,
  minusOneWithSign,
  scalarOf,
  torsion,
} from '#test/edwards-forgery';
import { freshKeyPair, keyPairOf } from '#test/key-pairs';
import { rfcVectors } from '#test/rfc8032';
import { isSoundPublicKey, verifySignature } from './ed25519.ts';

const pair = freshKeyPair();
const message = Buffer.from('publishing-network/key/v1');
const signature = pair.sign(message);
const r = signature.subarray(0, 32);
const s = signature.subarray(32);
const sNumber = BigInt(`0x${Buffer.from(s).reverse().toString('hex')}`);

const isTaken = (bytes: Uint8Array, text: Uint8Array = message, key: Uint8Array = pair.publicKey) =>
  verifySignature(bytes, text, key);

for (const vector of rfcVectors) {
  test(`accepted: ${vector.name} of RFC 8032, and it is what signing makes`, () => {
    const made = keyPairOf(Buffer.from(vector.secret, 'hex'));
    const text = Buffer.from(vector.message, 'hex');
    assert.equal(made.publicKey.toString('hex'), vector.publicKey);
    assert.equal(made.sign(text).toString('hex'), vector.signature);
    assert.equal(isSoundPublicKey(made.publicKey), true);
    assert.equal(isTaken(Buffer.from(vector.signature, 'hex'), text, made.publicKey), true);
  });
}

test('accepted: 50 fresh pairs over messages of 0 to 49 bytes; refused under any other pair', () => {
  for (let length = 0; length < 50; length += 1) {
    const other = freshKeyPair();
    const text = Buffer.alloc(length, length);
    assert.equal(isTaken(other.sign(text), text, other.publicKey), true);
    assert.equal(isTaken(other.sign(text), text), false);
  }
});

test('refused: S + nL, as often as it fits into 32 bytes', () => {
  assert.equal(isTaken(signature), true);
  for (let number = sNumber + groupOrder; number < 2n ** 256n; number += groupOrder)
    assert.equal(isTaken(Buffer.concat([r, littleEndian(number)])), false, String(number));
});

test('refused: S = 0, L - 1, L, L + 1, p, all ones, and -S', () => {
  const numbers = [0n, groupOrder - 1n, groupOrder, groupOrder + 1n, fieldPrime, 2n ** 256n - 1n];
  for (const number of [...numbers, groupOrder - sNumber])
    assert.equal(isTaken(Buffer.concat([r, littleEndian(number)])), false, String(number));
});

test('refused: special values for R and S together, under a sound key', () => {
  const values = [
    0n,
    1n,
    groupOrder - 1n,
    groupOrder,
    fieldPrime - 1n,
    fieldPrime,
    fieldPrime + 1n,
  ];
  const encoded = [...values.map(littleEndian), Buffer.alloc(32, 0xff), minusOneWithSign];
  for (const first of encoded) {
    for (const second of encoded) assert.equal(isTaken(Buffer.concat([first, second])), false);
  }
});

test('refused: every length but 64, by truncation, added zeros and repetition', () => {
  for (let length = 0; length < 64; length += 1)
    assert.equal(isTaken(signature.subarray(0, length)), false, `${length} bytes`);
  for (const more of [Buffer.alloc(1), Buffer.alloc(64), signature, Buffer.from('20', 'hex')]) {
    assert.equal(isTaken(Buffer.concat([signature, more])), false);
    assert.equal(isTaken(Buffer.concat([more, signature])), false);
  }
});

test('refused: R and S in the wrong order, R twice, S twice, either reversed', () => {
  const reversed = (bytes: Buffer) => Buffer.from(bytes).reverse();
  for (const [first, second] of [
    [s, r],
    [r, r],
    [s, s],
    [reversed(r), s],
    [r, reversed(s)],
  ] as const)
    assert.equal(isTaken(Buffer.concat([first, second])), false);
});

test('refused: the other spelling of a small R, with an S that fits the bytes sent', () => {
  // y = 1 can also be encoded as p + 1, and x = 0 also with a sign: neither is the canonical encoding of its
  // point.
  const spellings = [
    littleEndian(fieldPrime + 1n),
    littleEndian(1n + 2n ** 255n),
    minusOneWithSign,
  ];
  for (const blindAs of spellings) {
    for (const blindTorsion of [0, 4]) {
      const input = { secret: scalarOf('odd R'), blind: 0n, blindTorsion, blindAs };
      const { signature: forged, publicKey } = forge(input, message);
      assert.equal(isSoundPublicKey(publicKey), true);
      assert.equal(isTaken(forged, message, publicKey), false);
    }
  }
});

test('refused: a signature over another message, the empty one, and one byte more or less', () => {
  const others = [Buffer.alloc(0), message.subarray(1), message.subarray(0, -1)];
  for (const text of [...others, Buffer.concat([message, Buffer.alloc(1)])])
    assert.equal(isTaken(signature, text), false);
});

test('refused: 1,000 random bit flips over signature, message and key', () => {
  const sizes = [signature.length, message.length, pair.publicKey.length];
  for (let flip = 0; flip < 1_000; flip += 1) {
    const parts = [signature, message, pair.publicKey].map((part) => Buffer.from(part));
    const which = flip % 3;
    const bit = randomInt((sizes[which] ?? 1) * 8);
    const part = parts[which] ?? Buffer.alloc(0);
    part.writeUInt8(part.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    const [bytes = signature, text = message, key = pair.publicKey] = parts;
    assert.equal(verifySignature(bytes, text, key), false, `bit ${bit} of part ${which}`);
  }
});

test('refused: every single bit of the signature flipped', () => {
  for (let bit = 0; bit < 512; bit += 1) {
    const bytes = Buffer.from(signature);
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    assert.equal(isTaken(bytes), false, `bit ${bit}`);
  }
});

/** The bytes of keys that must be rejected, by their fault. */
const unsound: readonly (readonly [string, Buffer])[] = [
  ...torsion.map(
    (point, index) => [`${index} times a point of order 8`, Buffer.from(point.toBytes())] as const,
  ),
  ['zero with y = p', littleEndian(fieldPrime)],
  ['one with y = p + 1', littleEndian(fieldPrime + 1n)],
  ['y = p + 3', littleEndian(fieldPrime + 3n)],
  ['y = 2^255 - 1', littleEndian(2n ** 255n - 1n)],
  ['one with a sign', littleEndian(1n + 2n ** 255n)],
  ['minus one with a sign', minusOneWithSign],
  ['all ones', Buffer.alloc(32, 0xff)],
  ['y = 2, not on the curve', littleEndian(2n)],
  ['31 bytes', pair.publicKey.subarray(1)],
  ['33 bytes', Buffer.concat([pair.publicKey, Buffer.alloc(1)])],
  ['no bytes', Buffer.alloc(0)],
  ...torsion
    .slice(1)
    .map(
      (_, index) =>
        [
          `an honest key plus ${index + 1} times a point of order 8`,
          forge({ secret: 5n, blind: 7n, keyTorsion: index + 1 }, message).publicKey,
        ] as const,
    ),
];

for (const [name, key] of unsound) {
  test(`unsound key: ${name}; nothing verifies under it`, () => {
    assert.equal(isSoundPublicKey(key), false);
    // The signature of any message under the identity: R is the identity, S is zero.
    const universal = Buffer.concat([littleEndian(1n), littleEndian(0n)]);
    for (const bytes of [signature, universal]) assert.equal(isTaken(bytes, message, key), false);
  });
}
