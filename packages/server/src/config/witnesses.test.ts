// The settings of witnesses: what is taken, and the sentence for everything else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifierKeyOf, writeVerifierKey } from '@colophon/tlog';
import { sha256 } from '#lib/sha256';
import { witnessedLogsOf, witnessesOf } from './witnesses.ts';

const bytes = new Uint8Array(32).fill(7);
const witness = writeVerifierKey(verifierKeyOf(sha256, 'witness.example/w1', 4, bytes));
const log = writeVerifierKey(verifierKeyOf(sha256, 'log.example/log', 1, bytes));

test('none by default', () => {
  assert.deepEqual([witnessesOf({}), witnessedLogsOf({})], [[], []]);
});

test('witnesses with their addresses, and logs with their keys', () => {
  const other = writeVerifierKey(verifierKeyOf(sha256, 'other.example/w', 4, bytes));
  const text = ` ${witness} https://witness.example/ , ${other}  http://10.0.0.7:8080/log/witness,`;
  const found = witnessesOf({ LOG_WITNESSES: text });
  assert.deepEqual(
    found.map(({ key, url }) => [key.name, url]),
    [
      ['witness.example/w1', 'https://witness.example'],
      ['other.example/w', 'http://10.0.0.7:8080/log/witness'],
    ],
  );
  const [named] = witnessedLogsOf({ LOG_WITNESS_FOR: log });
  assert.equal(named?.key.name, 'log.example/log');
});

test('a sentence for what is malformed', () => {
  for (const text of [
    witness,
    `${witness} witness.example`,
    `${witness} ftp://witness.example`,
    `${witness} https://user:password@witness.example`,
    `${witness} https://witness.example?key=1`,
    `${witness} https://witness.example more`,
    `${log} https://witness.example`,
    `${witness.replace('BAcH', 'BAcI')} https://witness.example`,
    'https://witness.example',
  ])
    assert.throws(
      () => witnessesOf({ LOG_WITNESSES: text }),
      /^Error: LOG_WITNESSES is malformed: set it to the key of a witness/s,
    );
  const twice = `${witness} https://a.example, ${witness} https://b.example`;
  assert.throws(() => witnessesOf({ LOG_WITNESSES: twice }), /set it to each witness once/);
  for (const text of ['log.example/log', witness, `${log} https://log.example`])
    assert.throws(
      () => witnessedLogsOf({ LOG_WITNESS_FOR: text }),
      /LOG_WITNESS_FOR is malformed: set it to the verifier keys/,
    );
});
