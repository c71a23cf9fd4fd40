// Tests of the databases that are refused, by version and encoding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unfitness } from './requirements.ts';

test('PostgreSQL 15 or later in UTF-8 is fit, anything else is named in one sentence', () => {
  for (const version of [150_000, 150_018, 160_004, 180_001, 190_000])
    assert.equal(unfitness({ version, encoding: 'UTF8' }), undefined);
  for (const [version, major] of [
    [140_023, '14'],
    [130_000, '13'],
    [90_624, '9'],
  ] as const)
    assert.match(
      unfitness({ version, encoding: 'UTF8' }) ?? '',
      new RegExp(`^DATABASE_URL names a PostgreSQL ${major} server: [^.]*15 or later\\.$`),
    );
  for (const encoding of ['SQL_ASCII', 'LATIN1', 'EUC_JP', 'WIN1252'])
    assert.match(
      unfitness({ version: 180_000, encoding }) ?? '',
      new RegExp(`^DATABASE_URL names a database whose encoding is ${encoding}: .*UTF8`),
    );
});
