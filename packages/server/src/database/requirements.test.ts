// Tests of the databases that are refused, by version and encoding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openClone } from '#test/throw-away-database';
import { migratedClone } from '#test/migrated-clone';
import { knowsCapitals, unfitness } from './requirements.ts';

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

test('the locale of the embedded database knows capitals beyond ASCII, and the locale C of a library does not', async () => {
  await using clone = await migratedClone();
  assert.deepEqual(await clone.db.first(knowsCapitals), { known: true });
  const database = `${clone.connection.database}_c`;
  await clone.ask(
    `create database ${database} template template0 encoding 'UTF8' locale_provider libc locale 'C'`,
  );
  try {
    await using other = openClone({ ...clone.connection, database });
    assert.deepEqual(await other.db.first(knowsCapitals), { known: false });
  } finally {
    await clone.ask(`drop database ${database} with (force)`);
  }
});
