// Signed notes and keys against the published examples of C2SP and the tests of Go's package note.
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256 } from '../test/sha256.ts';
import {
  checkNote,
  cosignatureMessage,
  noteKeyId,
  parseCheckpoint,
  parseNote,
  parseSignatureLines,
  parseVerifierKey,
  toBase64,
  verifierKeyOf,
  writeCheckpoint,
  writeCosignature,
  writeNote,
  writeSignatureLine,
  writeVerifierKey,
} from './index.ts';
import type { Note, VerifierKey } from './index.ts';

/** An Ed25519 key of 32 bytes as Node.js reads it. */
const spki = (key: Uint8Array) => Buffer.from(`302a300506032b6570032100${hex(key)}`, 'hex');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) =>
  verify(
    null,
    message,
    createPublicKey({ key: spki(publicKey), format: 'der', type: 'spki' }),
    signature,
  );

function keyOf(text: string): VerifierKey {
  const key = parseVerifierKey(sha256, text);
  assert.ok(key, text);
  return key;
}

function noteOf(text: string): Note {
  const note = parseNote(text);
  assert.ok(note, text);
  return note;
}

/** Returns the names of the keys that verify; a forged note has none. */
async function signersOf(text: string, keys: readonly VerifierKey[]) {
  const { verified, forged } = await checkNote(noteOf(text), keys, verifyEd25519);
  return forged === null ? verified.map(({ key }) => key.name) : `forged: ${forged.name}`;
}

// c2sp.org/signed-note
const example = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
const exampleKey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';

// golang.org/x/mod/sumdb/note, note_test.go
const peterKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const peterSeed = 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const enochKey = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const text = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`;
const peterLine =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const enochLine =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';

test('the example of the specification verifies, and a changed letter is forged', async () => {
  assert.deepEqual(await signersOf(example, [keyOf(exampleKey)]), ['example.com/foo']);
  const changed = example.replace('example message', 'example Message');
  assert.equal(await signersOf(changed, [keyOf(exampleKey)]), 'forged: example.com/foo');
});

test('a note of Go: known keys verify, unknown ones are ignored, each counts once', async () => {
  const [peter, enoch] = [keyOf(peterKey), keyOf(enochKey)];
  const both = `${text}\n${peterLine}${enochLine}`;
  assert.deepEqual(await signersOf(both, [peter]), ['PeterNeumann']);
  assert.deepEqual(await signersOf(both, [peter, enoch]), ['PeterNeumann', 'EnochRoot']);
  assert.deepEqual(await signersOf(both, []), []);
  const twice = `${text}\n${peterLine}${peterLine}`;
  assert.deepEqual(await signersOf(twice, [peter]), ['PeterNeumann']);
  const wrong = `${text}\n${enochLine}${peterLine.replace('x08go/Z', 'x08go/z')}`;
  assert.equal(await signersOf(wrong, [enoch, peter]), 'forged: PeterNeumann');
});

test('signing with the key of Go makes the signature of Go', () => {
  const seed = Buffer.from(peterSeed, 'base64').subarray(1);
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const { name, keyId } = keyOf(peterKey);
  const signature = sign(null, Buffer.from(text), key);
  assert.equal(writeNote(text, [{ name, keyId, signature }]), `${text}\n${peterLine}`);
});

test('keys of Go: every part and every changed letter of one is refused', () => {
  assert.equal(writeVerifierKey(keyOf(peterKey)), peterKey);
  for (let start = 0; start < peterKey.length; start += 1)
    for (let end = start + 1; end <= peterKey.length; end += 1)
      if (end - start < peterKey.length)
        assert.equal(parseVerifierKey(sha256, peterKey.slice(start, end)), undefined);
  for (let at = 0; at < peterKey.length; at += 1) {
    const next = String.fromCharCode(peterKey.charCodeAt(at) + 1);
    const changed = peterKey.slice(0, at) + next + peterKey.slice(at + 1);
    assert.equal(parseVerifierKey(sha256, changed), undefined, changed);
  }
  for (const bad of [
    'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
    'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  ])
    assert.equal(parseVerifierKey(sha256, bad), undefined);
});

const malformed: readonly (readonly [string, string])[] = [
  ['no signature', text],
  ['no signature after the blank line', `${text}\n`],
  ['no blank line', text + peterLine],
  ['no text', `\n${peterLine}`],
  ['a carriage return', `${text.replaceAll('\n', '\r\n')}\n${peterLine}`],
  ['a control character', `${text}\u0001\n\n${peterLine}`],
  ['a lone surrogate', `\ud800\n\n${peterLine}`],
  ['no line feed at the end', `${text}\n${peterLine.trimEnd()}`],
  ['a hyphen for the dash', `${text}\n${peterLine.replace('—', '-')}`],
  ['a second space', `${text}\n${peterLine.replace('— ', '—  ')}`],
  ['a plus in the name', `${text}\n${peterLine.replace('Peter', 'Peter+')}`],
  ['a no-break space in the name', `${text}\n${peterLine.replace('Peter', 'Peter\u00a0')}`],
  ['no base64', `${text}\n— PeterNeumann !!!!\n`],
  ['a second spelling of base64', `${text}\n${peterLine.replace('nAM=', 'nAN=')}`],
  ['a key id without a signature', `${text}\n— PeterNeumann x08gow==\n`],
  ['101 signatures', `${text}\n${peterLine.repeat(101)}`],
  ['more than a million characters', `${'a'.repeat(1_000_000)}\n\n${peterLine}`],
];

for (const [title, note] of malformed)
  test(`a note with ${title} is malformed`, () => {
    assert.equal(parseNote(note), undefined);
  });

test('a text with blank lines ends at the last one', () => {
  const { text: read, signatures } = noteOf(`${text}\nmore\n\n${peterLine}`);
  assert.deepEqual([read, signatures.length], [`${text}\nmore\n`, 1]);
});

test('any lines that are written as a note are read again', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => {
    try {
      return writeSignatureLine({ name: one, keyId: 0, signature: Uint8Array.of(1) }) !== '';
    } catch {
      return false;
    }
  });
  const signature = fc.record({
    name,
    keyId: fc.nat(2 ** 32 - 1),
    signature: fc.uint8Array({ minLength: 1, maxLength: 80 }),
  });
  const line = fc.string({ unit: 'grapheme' }).filter((one) => !/[\0-\x1f]/.test(one));
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1 }),
      fc.array(signature, { minLength: 1, maxLength: 4 }),
      (lines, signatures) => {
        const written = `${lines.join('\n')}\n`;
        fc.pre(written !== '\n' && !written.startsWith('\n\n'));
        const read = noteOf(writeNote(written, signatures));
        assert.equal(read.text, written);
        assert.deepEqual(
          read.signatures.map((one) => ({ ...one, signature: hex(one.signature) })),
          signatures.map((one) => ({ ...one, signature: hex(one.signature) })),
        );
      },
    ),
  );
});

test('no text makes a reader of notes, keys or checkpoints throw', () => {
  const texts = [example, `${text}\n${peterLine}${enochLine}`, peterKey, 'a\n1\n'];
  const mutated = fc
    .tuple(fc.constantFrom(...texts), fc.nat(200), fc.nat(20), fc.string({ unit: 'binary-ascii' }))
    .map(([whole, at, cut, more]) => whole.slice(0, at) + more + whole.slice(at + cut));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary-ascii' }), mutated), (input) => {
      parseNote(input);
      parseSignatureLines(input);
      parseVerifierKey(sha256, input);
      parseCheckpoint(input);
    }),
    { numRuns: 500 },
  );
});

// c2sp.org/tlog-checkpoint and c2sp.org/tlog-cosignature
const behindTheSofa = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`;

test('the checkpoint of the specification is read and written', () => {
  const checkpoint = parseCheckpoint(behindTheSofa);
  assert.ok(checkpoint);
  assert.deepEqual(
    [checkpoint.origin, checkpoint.size, toBase64(checkpoint.root)],
    ['example.com/behind-the-sofa', 20852163, 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='],
  );
  assert.equal(writeCheckpoint(checkpoint), behindTheSofa);
  const extended = `${behindTheSofa}more\n`;
  assert.deepEqual(parseCheckpoint(extended)?.extensions, ['more']);
});

for (const [title, changed] of [
  ['a leading zero', behindTheSofa.replace('2085', '02085')],
  ['a sign', behindTheSofa.replace('2085', '+2085')],
  ['hexadecimal digits', behindTheSofa.replace('20852163', '0x10')],
  ['a size that no number holds', behindTheSofa.replace('20852163', '9007199254740993')],
  ['a root of 33 bytes', behindTheSofa.replace('q2I=', 'q2Jh')],
  ['no origin', behindTheSofa.replace('example.com/behind-the-sofa', '')],
  ['an empty extension line', `${behindTheSofa}\n`],
  ['two lines', behindTheSofa.split('\n').slice(0, 2).join('\n') + '\n'],
] as const)
  test(`a text with ${title} is not a checkpoint`, () => {
    assert.equal(parseCheckpoint(changed), undefined);
  });

test('a cosignature covers the time and the text; another time is forged', async () => {
  assert.equal(
    Buffer.from(cosignatureMessage(1679315147, behindTheSofa)).toString(),
    `cosignature/v1\ntime 1679315147\n${behindTheSofa}`,
  );
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const witness = verifierKeyOf(sha256, 'witness.example/w1', 4, raw);
  assert.deepEqual(keyOf(writeVerifierKey(witness)).keyId, witness.keyId);
  assert.notEqual(witness.keyId, noteKeyId(sha256, witness.name, 1, raw));
  const signature = sign(null, cosignatureMessage(1679315147, behindTheSofa), privateKey);
  const cosigned = (timestamp: number) =>
    noteOf(
      writeNote(behindTheSofa, [{ ...witness, signature: writeCosignature(timestamp, signature) }]),
    );
  const { verified } = await checkNote(cosigned(1679315147), [witness], verifyEd25519);
  assert.deepEqual(verified, [{ key: witness, timestamp: 1679315147 }]);
  const late = await checkNote(cosigned(1679315148), [witness], verifyEd25519);
  assert.deepEqual([late.verified, late.forged], [[], witness]);
});

test('a signature of the wrong length is forged', async () => {
  for (const [key, length] of [
    [keyOf(exampleKey), 63],
    [{ ...keyOf(exampleKey), algorithm: 4 as const }, 64],
  ] as const) {
    const note = { text, signatures: [{ ...key, signature: new Uint8Array(length) }] };
    assert.equal((await checkNote(note, [key], verifyEd25519)).forged, key);
  }
});
