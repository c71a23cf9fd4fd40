// verifyProof against tampering: each member, a thousand bits, forged keys, and whatever else JSON can contain.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { verifyProof } from '@colophon/sdk';
import fc from 'fast-check';
import { previousProof, proofWith, text, withKey } from './proofs.ts';
import type { SignedProof } from './proofs.ts';

type Members = Record<string, unknown>;
type Path = readonly string[];

function leaves(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, [...path, name]));
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((member, name) => (member as Members)[name], value);
}

function change(proof: SignedProof, path: Path, value: unknown): unknown {
  const copy = structuredClone(proof) as unknown as Members;
  const last = path.at(-1) ?? '';
  const parent = at(copy, path.slice(0, -1)) as Members;
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}

/** The same form with another value, of every form that the members of a proof have. */
function sameForm(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return ['2026-06-01T00:00:00.000Z', `sha256:${'0'.repeat(64)}`];
  const first = value.startsWith('0') ? '1' : '0';
  return [first + value.slice(1), value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')];
}

/** Members that only the service vouches for: a change is seen where it makes a contradiction. */
const unsignedTimes = ['published_at', 'signature.signed_at', 'signature.key.created_at'];
const unsignedNames = ['signature.key.id'];

/** Of random changes. */
const rounds = process.env['LONG'] ? 1_000 : 200;

test('every change of a signed member, every member left out, and every other type is found', async () => {
  const proof = withKey(proofWith(), { status: 'revoked', revoked_at: '2026-06-01T00:00:00.000Z' });
  const paths = leaves(proof);
  assert.ok(paths.length > 15);
  for (const path of paths) {
    const name = path.join('.');
    const byService = [...unsignedTimes, ...unsignedNames, 'signature.key.revoked_at'];
    const others = byService.includes(name) ? [] : sameForm(at(proof, path));
    // Of a revoked key, a later compromise is not a contradiction either.
    const values = name === 'signature.key.compromised_at' ? [5, ''] : others;
    for (const value of [...values, undefined, 5, true, [], {}, '', 'x']) {
      const verdict = await verifyProof(change(proof, path, value), {
        text,
        previous: previousProof(),
      });
      assert.equal(verdict.consistent, false, `${name} = ${JSON.stringify(value)}`);
    }
  }
});

test('a change of the service’s own times is found where they leave what is possible', async () => {
  const proof = withKey(proofWith(), {
    status: 'revoked',
    revoked_at: '2026-06-01T00:00:00.000Z',
    compromised_at: '2026-05-20T00:00:00.000Z',
  });
  assert.ok((await verifyProof(proof)).consistent);
  for (const [path, value] of [
    ['published_at', '2026-05-03T10:00:00.001Z'],
    ['published_at', null],
    ['signature.signed_at', '2026-03-01T00:00:00.000Z'],
    ['signature.signed_at', '2026-05-20T00:00:00.000Z'],
    ['signature.signed_at', '2026-06-02T00:00:00.000Z'],
    ['signature.key.created_at', '2026-05-04T00:00:00.000Z'],
    ['signature.key.revoked_at', '2026-05-03T00:00:00.000Z'],
    ['signature.key.revoked_at', null],
    ['signature.key.compromised_at', '2026-05-03T00:00:00.000Z'],
    ['signature.key.status', 'active'],
  ] as const)
    assert.equal(
      (await verifyProof(change(proof, path.split('.'), value))).consistent,
      false,
      path,
    );
});

test('flipped bits of signature, key and signing input are found', async () => {
  const proof = proofWith();
  const { signature, key } = proof.signature;
  const flip = (bytes: Buffer) => {
    const bit = randomInt(bytes.length * 8);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return bytes;
  };
  for (let round = 0; round < rounds; round += 1) {
    const part = round % 3;
    let tampered: unknown;
    if (part === 0) {
      const bytes = flip(Buffer.from(signature, 'base64url'));
      tampered = change(proof, ['signature', 'signature'], bytes.toString('base64url'));
    } else if (part === 1) {
      const bytes = flip(Buffer.from(key.public_key, 'base64url'));
      tampered = withKey(proof, { public_key: bytes.toString('base64url') });
    } else {
      const input = flip(Buffer.from(proof.signing_input)).toString('latin1');
      const [, base_url, article_id, revision_id, author_id, created_at, content_hash] =
        input.split('\n');
      const parts = { base_url, article_id, revision_id, author_id, created_at, content_hash };
      // The parts go along, so that nothing but the signature can find it.
      tampered = { ...proof, ...parts, signing_input: input };
    }
    const verdict = await verifyProof(tampered);
    assert.equal(verdict.consistent, false, JSON.stringify(tampered));
  }
});

test('keys of small order verify nothing', async () => {
  const proof = proofWith();
  // The identity, its two other spellings, and a point of order 2: with R and S to match (RFC 8032, 5.1.7).
  const points = [
    `01${'00'.repeat(31)}`,
    `ee${'ff'.repeat(30)}7f`,
    `01${'00'.repeat(30)}80`,
    `ec${'ff'.repeat(30)}7f`,
  ].map((hex) => Buffer.from(hex, 'hex'));
  for (const point of points) {
    const bytes = Buffer.concat([points[0] ?? point, Buffer.alloc(32)]);
    const forged = withKey(proof, { public_key: point.toString('base64url') });
    const signature = { ...forged.signature, signature: bytes.toString('base64url') };
    const verdict = await verifyProof({ ...forged, signature });
    assert.ok(verdict.result === 'refused' && verdict.reason === 'signature');
  }
});

test('nothing throws: any JSON, any JSON in place of a member, getters and proxies that throw', async () => {
  const proof = proofWith();
  const paths = leaves(proof);
  const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true });
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom(...paths), async (value, path) => {
      const options = { text: value, previous: value, trusted: value } as never;
      const whole = await verifyProof(value, options);
      assert.equal(whole.consistent, false);
      const copy = { ...proof, [path[0] ?? '']: value };
      assert.equal((await verifyProof(copy, options)).valid, false);
      assert.equal((await verifyProof(proof, { trusted: value as never })).valid, false);
    }),
    { numRuns: rounds },
  );
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trapped');
      },
    },
  );
  assert.equal((await verifyProof(trap)).consistent, false);
  assert.equal((await verifyProof({ ...proof, signature: trap })).consistent, false);
  assert.equal((await verifyProof(proof, { text: trap as never })).consistent, false);
  assert.equal((await verifyProof(proof, { previous: trap })).consistent, false);
  assert.equal((await verifyProof(proof, { trusted: trap as never })).valid, false);
});
