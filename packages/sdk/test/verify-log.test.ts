// verifyProof with a trusted log: what it confirms, and every way in which the log's part of a proof is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyProof } from '@colophon/sdk';
import type { Proof, ProofVerdict, Trusted, TrustedLog } from '@colophon/sdk';
import fc from 'fast-check';
import { makeNoteKey, noteOf } from '../../tlog/test/log-folder.ts';
import { append, emptyLog } from '../../tlog/test/tiled-log.ts';
import { leafOf, putInLog, logKey, witness } from './logged-proofs.ts';
import type { LoggedProof, LogMember } from './logged-proofs.ts';
import { history, proofWith, text, withKey } from './proofs.ts';

const log: TrustedLog = { verifierKey: logKey.text };
const witnessed: TrustedLog = { ...log, witnesses: [witness.text] };
const trustIn = (one: TrustedLog = log, key = history()): Trusted => ({
  baseUrl: 'https://example.org',
  keys: [key],
  log: one,
});
const proof = putInLog(proofWith());

const verify = (given: unknown, trusted = trustIn()) => verifyProof(given, { text, trusted });
const summary = (verdict: ProofVerdict) => [
  verdict.result,
  'reason' in verdict ? verdict.reason : null,
  verdict.log,
];

const withLog = (changes: Partial<LogMember>): LoggedProof => ({
  ...proof,
  log: { ...proof.log, ...changes },
});

test('included: the verdict says where, since when, and who saw it', async () => {
  const verdict = await verify(proof, trustIn(witnessed));
  assert.ok(verdict.valid, JSON.stringify(verdict));
  assert.equal(verdict.log, 'included');
  assert.deepEqual(verdict.logged, {
    origin: 'example.org/log',
    index: 270,
    size: 300,
    at: '2026-05-03T10:00:01.000Z',
    witnesses: [{ name: 'witness.example/w1', at: new Date(1_780_000_000_000).toISOString() }],
  });
  assert.ok(!verdict.not_checked.includes('log'));
});

test('not checked without a trusted log, absent without a member, and neither is a refusal', async () => {
  const unasked = await verify(proof, { baseUrl: 'https://example.org', keys: [history()] });
  assert.deepEqual(summary(unasked), ['valid', null, 'not-checked']);
  for (const absent of [proofWith(), { ...proof, log: null }]) {
    const verdict = await verify(absent);
    assert.deepEqual(summary(verdict), ['valid', null, 'absent']);
    assert.ok(verdict.consistent && verdict.not_checked.includes('log'));
  }
});

test('an unsigned publication is refused as unsigned, and says whether it is in the log', async () => {
  const unsigned = { ...proofWith(), signature: null } as Proof;
  assert.deepEqual(summary(await verify(putInLog(unsigned))), ['refused', 'unsigned', 'included']);
  assert.deepEqual(summary(await verify(unsigned)), ['refused', 'unsigned', 'absent']);
  const forged = putInLog(unsigned, { leaf: leafOf(proofWith()) });
  assert.deepEqual(summary(await verify(forged)), ['refused', 'log-entry', 'not-checked']);
});

const members: readonly (readonly [string, unknown])[] = [
  ['kind', 'article.removed'],
  ['v', 2],
  ['article', '01J8ZQ4Y7D3M5N6P8R9S0T1V9Z'],
  ['revision', '01J8ZQ4Y7D3M5N6P8R9S0T1V9Z'],
  ['author', '01J8ZQ4Y7D3M5N6P8R9S0T1V9Z'],
  ['published_at', '2025-05-02T10:00:00.000Z'],
  ['signed', false],
  ['key', null],
  ['commitment', '0'.repeat(64)],
];

for (const [name, value] of members)
  test(`log-entry: a leaf with another ${name}`, async () => {
    const verdict = await verify(
      putInLog(proofWith(), { leaf: leafOf(proofWith(), { [name]: value }) }),
    );
    assert.deepEqual(summary(verdict), ['refused', 'log-entry', 'not-checked']);
    assert.ok(!verdict.valid && verdict.detail.includes(name), JSON.stringify(verdict));
  });

const refusals: readonly (readonly [string, () => unknown, string])[] = [
  [
    'log-entry: another salt',
    () => withLog({ salt: Buffer.alloc(32, 8).toString('base64') }),
    'log-entry',
  ],
  [
    'log-entry: JSON that is not canonical',
    () => putInLog(proofWith(), { leaf: Buffer.from(` ${leafOf(proofWith()).toString()}`) }),
    'log-entry',
  ],
  ['log-entry: no JSON', () => putInLog(proofWith(), { leaf: Buffer.from([0xff]) }), 'log-entry'],
  ['log-inclusion: another place', () => withLog({ index: 271 }), 'log-inclusion'],
  ['log-inclusion: beyond the tree', () => withLog({ index: 300 }), 'log-inclusion'],
  [
    'log-inclusion: a hash less',
    () => withLog({ inclusion: proof.log.inclusion.slice(1) }),
    'log-inclusion',
  ],
  [
    'log-inclusion: hashes in another order',
    () => withLog({ inclusion: proof.log.inclusion.toReversed() }),
    'log-inclusion',
  ],
  [
    'log-checkpoint: a root that nobody signed',
    () => withLog({ checkpoint: proof.log.checkpoint.replace('\n300\n', '\n301\n') }),
    'log-checkpoint',
  ],
  ['log-checkpoint: no note', () => withLog({ checkpoint: 'x' }), 'log-checkpoint'],
  ['log: a negative index', () => withLog({ index: -1 }), 'log'],
  ['log: a salt of another length', () => withLog({ salt: 'AAAA' }), 'log'],
  ['log: a leaf that is too long', () => withLog({ entry: 'A'.repeat(8_196) }), 'log'],
  [
    'log: too many hashes',
    () => withLog({ inclusion: Array(65).fill(proof.log.salt) as string[] }),
    'log',
  ],
  ['log: a member less', () => ({ ...proof, log: { ...proof.log, salt: undefined } }), 'log'],
  ['log: a text', () => ({ ...proof, log: 'x' }), 'log'],
];

for (const [title, given, reason] of refusals)
  test(title, async () => {
    assert.deepEqual(summary(await verify(given())), ['refused', reason, 'not-checked']);
  });

test('other-log: another log, or another key, is not the one that was asked for', async () => {
  const others = [makeNoteKey('other.example/log', 1).text, makeNoteKey('example.org/log', 1).text];
  for (const verifierKey of others) {
    const verdict = await verify(proof, trustIn({ verifierKey }));
    assert.deepEqual(summary(verdict), ['consistent', 'other-log', 'not-checked']);
  }
});

test('too-few-witnesses: a checkpoint that only the log signed is not enough for a quorum', async () => {
  const alone = putInLog(proofWith(), { keys: [logKey] });
  const verdict = await verify(alone, trustIn(witnessed));
  assert.deepEqual(summary(verdict), ['consistent', 'too-few-witnesses', 'not-checked']);
  assert.deepEqual(summary(await verify(alone)), ['valid', null, 'included']);
});

test('bad-trust: a log that cannot be read is not ignored', async () => {
  for (const one of [
    { verifierKey: 'x' },
    { ...log, quorum: 1 },
    { ...log, witness: [] },
    5,
    null,
  ]) {
    const verdict = await verify(proof, trustIn(one as TrustedLog));
    assert.deepEqual(summary(verdict), ['consistent', 'bad-trust', 'not-checked']);
  }
});

test('a compromised key: witnesses that saw the signature before show that it is the author’s', async () => {
  const compromised_at = '2026-06-01T00:00:00.000Z';
  const story = {
    status: 'revoked' as const,
    revoked_at: '2026-07-01T00:00:00.000Z',
    compromised_at,
  };
  const before = Date.parse('2026-05-31T23:59:59Z') / 1000;
  const seen = (second: number) => withKeyOf(putInLog(proofWith(), { second }), story);
  const early = await verify(seen(before), trustIn(witnessed, history(story)));
  assert.deepEqual(summary(early), ['valid', null, 'included']);
  const late = await verify(seen(before + 1), trustIn(witnessed, history(story)));
  assert.deepEqual(summary(late), ['consistent', 'compromised-key', 'included']);
  // Without witnesses, the log could have been written later.
  const alone = await verify(seen(before), trustIn(log, history(story)));
  assert.deepEqual(summary(alone), ['consistent', 'compromised-key', 'included']);
});

function withKeyOf(one: LoggedProof, story: Parameters<typeof withKey>[1]): LoggedProof {
  return { ...withKey(proofWith(), story), log: one.log };
}

test('the log of somebody else, who signs with a key of their own and the same name', async () => {
  const forger = makeNoteKey('example.org/log', 1);
  const forged = emptyLog();
  append(forged, [leafOf(proofWith())]);
  const verdict = await verify(
    withLog({ index: 0, inclusion: [], checkpoint: noteOf(forged, [forger]) }),
  );
  assert.deepEqual(summary(verdict), ['consistent', 'other-log', 'not-checked']);
});

test('no change of any character of the log’s part is ever included', async () => {
  const texts = ['origin', 'entry', 'salt', 'checkpoint'] as const;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...texts), fc.nat(), fc.nat(93), async (name, at, code) => {
      const whole = proof.log[name];
      // Lines of witnesses are ignored without trusted ones.
      const length = name === 'checkpoint' ? whole.indexOf('— witness') : whole.length;
      const place = at % length;
      const changed =
        whole.slice(0, place) + String.fromCharCode(33 + code) + whole.slice(place + 1);
      fc.pre(changed !== whole);
      const verdict = await verify(withLog({ [name]: changed }));
      assert.notEqual(verdict.log, 'included', changed);
      assert.equal(verdict.valid, false);
    }),
    { numRuns: 60 },
  );
});
