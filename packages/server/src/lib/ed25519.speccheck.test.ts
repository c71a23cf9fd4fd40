// The twelve cases of "Taming the many EdDSAs" (Chalkias, Garillot, Nikolaenko; ePrint 2020/1244), rebuilt by
// arithmetic from the table that describes them. The paper's results for other libraries confirm the cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verify as verifyByNoble } from '@noble/ed25519';
import {
  forge,
  forgeUntil,
  groupOrder,
  isAcceptedNaively,
  minusOneWithSign,
  scalarOf,
  times,
  torsion,
} from '#test/edwards-forgery';
import type { Forgery, Input } from '#test/edwards-forgery';
import { isSoundPublicKey, verifySignature } from './ed25519.ts';

const secret = scalarOf('a secret');
const blind = scalarOf('a blind');
const holds = ({ difference }: Forgery) => difference.is0();
const message = Buffer.from('a message');

const plain = forge({ secret, blind }, message);
/** So large that even the top bit is set. */
const mostOften = (2n ** 256n - 1n) / groupOrder - 1n;

/** 8k is reduced by the group order before it is multiplied with A: k loses its value modulo 8. */
function losesByReduction({ challenge }: Forgery): boolean {
  const reduced = (8n * challenge) % groupOrder;
  return reduced % 8n !== 0n && !times(torsion[1] ?? plain.difference, reduced % 8n).is0();
}

const at = (input: Partial<Input>, isRight = holds) =>
  forgeUntil({ secret, blind, ...input }, isRight);

const cases: readonly (readonly [string, Forgery])[] = [
  ['A and R of small order, S = 0', at({ secret: 0n, blind: 0n, keyTorsion: 1, blindTorsion: 2 })],
  ['A of small order, R mixed', at({ secret: 0n, keyTorsion: 1, blindTorsion: 3 })],
  ['A mixed, R of small order', at({ blind: 0n, keyTorsion: 1, blindTorsion: 2 })],
  ['A and R mixed, both equations hold', at({ keyTorsion: 1, blindTorsion: 5 })],
  [
    'A and R mixed, only the equation with cofactor holds',
    at({ keyTorsion: 1, blindTorsion: 5 }, (forgery) => !holds(forgery)),
  ],
  [
    'A mixed, R of prime order, fails where 8k is reduced first',
    at({ keyTorsion: 1 }, (forgery) => !holds(forgery) && losesByReduction(forgery)),
  ],
  ['S + L', forge({ secret, blind, overflow: 1n }, message)],
  ['S beyond 2^255', forge({ secret, blind, overflow: mostOften }, message)],
  [
    'R not canonical and of small order, its canonical bytes hashed',
    at({
      blind: 0n,
      keyTorsion: 1,
      blindTorsion: 4,
      blindAs: minusOneWithSign,
      hashCanonical: true,
    }),
  ],
  [
    'R not canonical and of small order, hashed as sent',
    at({ blind: 0n, keyTorsion: 1, blindTorsion: 4, blindAs: minusOneWithSign }),
  ],
  [
    'A not canonical and of small order, its canonical bytes hashed',
    at(
      { secret: 0n, keyTorsion: 4, blindTorsion: 4, keyAs: minusOneWithSign, hashCanonical: true },
      (forgery) => holds(forgery) && !isAcceptedNaively(forgery),
    ),
  ],
  [
    'A not canonical and of small order, hashed as sent',
    at({ secret: 0n, keyTorsion: 4, blindTorsion: 4, keyAs: minusOneWithSign }),
  ],
];

const row = (accepts: (forgery: Forgery) => boolean) =>
  cases.map(([, forgery]) => (accepts(forgery) ? 'V' : 'X')).join('');

test('the cases are those of the paper: naive arithmetic answers them as published for OpenSSL 3 and Go', () => {
  assert.equal(row(isAcceptedNaively), 'VVVVXXXXXXXV');
});

test('the cases are those of the paper: ZIP 215 answers them as published for Zebra', () => {
  const accepts = ({ signature, message: text, publicKey }: Forgery) =>
    verifyByNoble(signature, text, publicKey, { zip215: true });
  assert.equal(row(accepts), 'VVVVVVXXXVVV');
});

for (const [index, [name, { signature, message: text, publicKey }]] of cases.entries()) {
  test(`refused: case ${index}, ${name}`, () => {
    assert.equal(verifySignature(signature, text, publicKey), false);
  });
}

test('keys of the cases: only those of prime order are sound', () => {
  const sound = cases.map(([, { publicKey }]) => isSoundPublicKey(publicKey));
  assert.deepEqual(
    sound.flatMap((is, index) => (is ? [index] : [])),
    [6, 7],
  );
});

test('accepted: the same arithmetic with nothing odd about it', () => {
  assert.equal(verifySignature(plain.signature, plain.message, plain.publicKey), true);
});

test('refused: R of small order under a sound key, which gives the secret away', () => {
  const forgery = forge({ secret, blind: 0n }, message);
  assert.ok(holds(forgery) && isSoundPublicKey(forgery.publicKey));
  assert.equal(isAcceptedNaively(forgery), true);
  assert.equal(verifySignature(forgery.signature, message, forgery.publicKey), false);
});

test('refused: R with a small part under a sound key, which only verifiers with cofactor take', () => {
  for (let blindTorsion = 1; blindTorsion < 8; blindTorsion += 1) {
    const { signature, publicKey } = forge({ secret, blind, blindTorsion }, message);
    assert.equal(verifyByNoble(signature, message, publicKey, { zip215: false }), true);
    assert.equal(verifySignature(signature, message, publicKey), false);
  }
});
