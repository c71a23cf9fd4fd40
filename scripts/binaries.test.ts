// Tests that the bundled Node.js and PostgreSQL programs have the hashes recorded in binaries.json.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  binaryDifferences,
  installedBinaries,
  lockedBinaries,
  recordedBinaries,
} from './binaries.ts';

test('the installed programs have the recorded hashes', () => {
  assert.deepEqual(binaryDifferences(), [], '`node scripts/binaries.ts --record` records others');
  if (process.platform !== 'linux') return;
  const files = Object.values(installedBinaries()).flatMap((found) => Object.keys(found));
  for (const name of ['bin/node', 'native/bin/postgres', 'native/bin/initdb', 'native/bin/pg_ctl'])
    assert.ok(files.includes(name), `${name} is compared`);
});

test('every platform’s package is recorded at its locked version, with its origin', () => {
  const recorded = recordedBinaries();
  const locked = lockedBinaries();
  assert.ok(Object.keys(locked).length >= 9, 'five platforms of Node.js, four of PostgreSQL');
  assert.deepEqual(
    Object.fromEntries(Object.entries(recorded).map(([name, { version }]) => [name, version])),
    locked,
  );
  for (const [name, { origin, files }] of Object.entries(recorded)) {
    assert.match(origin, /https:\/\//, name);
    assert.ok(Object.keys(files).length > 0, `${name} has programs`);
  }
});
