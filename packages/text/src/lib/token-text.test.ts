// Tests of token texts: format, unique spelling, typos, and finding them in other text.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import fc from 'fast-check';

import { findTokens, maskTokens, mintToken, readToken } from './token-text.ts';
import type { Deployment } from './token-text.ts';

const FORM = /^clps?_[0-9A-HJKMNP-TV-Z]{62}$/;
const anyBucket = fc.nat({ max: 4095 });
const anyDeployment = fc.constantFrom<Deployment>('production', 'staging');

test('property: what is minted is read, by its own deployment only', () => {
  fc.assert(
    fc.property(anyBucket, anyDeployment, (bucket, deployment) => {
      const minted = mintToken({ bucket, deployment });
      assert.match(minted.token, FORM);
      assert.deepEqual(minted.hash, createHash('sha256').update(minted.token).digest());
      assert.equal(minted.prefix, minted.token.slice(0, 12));
      assert.deepEqual(readToken(minted.token, deployment), { bucket, hash: minted.hash });
      assert.equal(
        readToken(minted.token, deployment === 'staging' ? 'production' : 'staging'),
        undefined,
      );
    }),
  );
});

test('tokens and the prefixes that lists show differ', () => {
  const minted = Array.from({ length: 2000 }, () =>
    mintToken({ bucket: 7, deployment: 'production' }),
  );
  assert.equal(new Set(minted.map(({ token }) => token)).size, 2000);
  assert.equal(new Set(minted.map(({ prefix }) => prefix)).size, 2000);
});

test('every random digit takes every value', () => {
  const minted = Array.from(
    { length: 1000 },
    () => mintToken({ bucket: 0, deployment: 'production' }).token,
  );
  for (let digit = 4; digit < 56; digit += 1) {
    assert.equal(new Set(minted.map((token) => token[digit])).size, 32, `digit ${digit}`);
  }
});

test('property: one changed, lost, added or swapped character is refused', () => {
  fc.assert(
    fc.property(
      anyDeployment,
      fc.nat(),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
      (deployment, at, put) => {
        const { token } = mintToken({ bucket: 1, deployment });
        const place = at % token.length;
        const changes = [
          token.slice(0, place) + put + token.slice(place + 1),
          token.slice(0, place) + token.slice(place + 1),
          token.slice(0, place) + put + token.slice(place),
          token.slice(0, place) +
            token.charAt(place + 1) +
            token.charAt(place) +
            token.slice(place + 2),
          token.slice(0, place) + token.charAt(place).toLowerCase() + token.slice(place + 1),
        ];
        for (const changed of changes) {
          if (changed !== token) assert.equal(readToken(changed, deployment), undefined, changed);
        }
      },
    ),
  );
});

test('other texts are not tokens', () => {
  const { token } = mintToken({ bucket: 1, deployment: 'production' });
  for (const text of [
    '',
    'clp_',
    ` ${token}`,
    `${token}\n`,
    token.toLowerCase(),
    token.replace('clp_', 'clps_'),
    '😀'.repeat(33),
  ]) {
    assert.equal(readToken(text, 'production'), undefined, text);
  }
  assert.throws(() => mintToken({ bucket: 4096, deployment: 'production' }), RangeError);
});

test('property: finds tokens inside any text, each once and in order', () => {
  const anyToken = fc
    .tuple(anyBucket, anyDeployment)
    .map(([bucket, deployment]) => mintToken({ bucket, deployment }).token);
  const between = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', 'clp_', 'clps_0', 'clpclp_', 'A', '"', '\n', 'clp_'.repeat(30)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(between, anyToken)), between, (pieces, end) => {
      const text = pieces.map(([before, token]) => before + token).join('') + end;
      assert.deepEqual(
        findTokens(text + text),
        pieces.map(([, token]) => token),
      );
    }),
  );
});

test('does not report what only looks like a token', () => {
  const { token } = mintToken({ bucket: 1, deployment: 'production' });
  const lastDigit = token.endsWith('0') ? '1' : '0';
  assert.deepEqual(
    findTokens(`${token.slice(0, -1)}${lastDigit} ${token.slice(0, -1)} ${token.toLowerCase()}`),
    [],
  );
});

test('property: a text is masked around its tokens and nowhere else', () => {
  const token = fc
    .tuple(anyBucket, anyDeployment)
    .map(([bucket, deployment]) => mintToken({ bucket, deployment }).token);
  const between = fc.string().filter((text) => !text.includes('clp'));
  fc.assert(
    fc.property(fc.array(fc.tuple(between, token)), between, (pieces, end) => {
      const text = pieces.map(([before, one]) => `${before} ${one} `).join('') + end;
      const masked = pieces.map(([before, one]) => `${before} ${one.slice(0, 12)}... `).join('');
      assert.equal(maskTokens(text), masked + end);
    }),
  );
});

test('masks a token that was mistyped or cut off, and leaves a prefix of 12 characters', () => {
  const { token, prefix } = mintToken({ bucket: 1, deployment: 'production' });
  const wrong = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  for (const text of [wrong, token.slice(0, 40), `${token}${token}`])
    assert.ok(!maskTokens(text).includes(token.slice(12, 24)), text);
  for (const text of [prefix, 'clp', 'an eclpse', 'clp_short'])
    assert.equal(maskTokens(text), text);
});

test('a megabyte of near misses takes time in proportion to its length', () => {
  const { token } = mintToken({ bucket: 1, deployment: 'production' });
  const wrong = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  for (const unit of ['clp', 'clp_', 'clps_', token.slice(0, -1), wrong, 'c', 'A', 'é']) {
    const text = unit.repeat(2 ** 20 / unit.length);
    const start = performance.now();
    assert.deepEqual(findTokens(text), []);
    // Each takes some 10 ms; with a quadratic step it would be minutes.
    assert.ok(performance.now() - start < 20_000, unit);
  }
});
