// Arguments of the operator's commands that are wrong: nothing is opened or created before they are refused.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { operateWith } from './backups.ts';
import { freshName } from './harness.ts';

const id = '01M7Z3KJBG7YHCVKQDVW6J2007';

const wrong: readonly (readonly [readonly string[], RegExp])[] = [
  [['grant'], /Name the account: grant USERNAME/],
  [['grant', 'ada'], /Name the scopes to grant: grant USERNAME/],
  [['grant', 'ada', 'articles:read'], /articles:read is not an admin scope/],
  [['grant', '--verbose', 'admin:manage'], /Name the account: grant USERNAME/],
  [['trust'], /Name the account: trust USERNAME LEVEL/],
  [['trust', 'ada', '9'], /Name a level from 0 to 3/],
  [['trust', 'ada', '2', 'x'], /x is one argument too many/],
  [['trust', '--verbose', '2'], /Name the account: trust USERNAME LEVEL/],
  [['suspend'], /Name one account: suspend/],
  [['suspend', 'ada', 'nothing'], /nothing is not a reason code/],
  [['legal-removal', 'x', 'other'], /Name the article and the reason/],
  [['legal-removal', id, '--verbose'], /--verbose is not a reason code/],
  [['verify-audit', '--verbose'], /Send the number and the hash/],
  [['verify-audit', `1:${'0'.repeat(64)}`, 'x'], /x is one argument too many/],
  [['reindex', '--verbose'], /reindex has no kind --verbose.*og-images/],
  [['log', 'nothing'], /Say what to do: log status/],
  [['log', 'status', 'x'], /x is one argument too many/],
  [['log', 'rotate-key', '--verbose'], /log rotate-key has no option --verbose/],
  [['log', 'rotate-key', 'constructor'], /log rotate-key has no option constructor/],
  [['backup', '--verbose'], /Unknown option '--verbose': backup/],
  [['backup', 'one.tar', 'two.tar'], /two\.tar is one argument too many/],
  [['backup', 'one.tar', '--recipient', 'x'], /A recipient is malformed/],
  [['backup'], /Name a file, such as backup colophon\.tar/],
  [['backup', tmpdir()], /is not a file: name a file that does not exist yet/],
  [['doctor', '--verbose'], /doctor has no option --verbose/],
  [['doctor', '--release', 'x'], /x is one argument too many/],
  [['verify'], /Name the backup/],
  [['verify', '--verbose'], /Unknown option '--verbose': verify/],
  [['restore'], /Name the backup/],
  [['restore', '--verbose'], /Unknown option '--verbose': restore/],
  [['restore', join(tmpdir(), freshName())], /There is no file/],
  [['distribute', '--verbose'], /Unknown option '--verbose': distribute/],
  [['distribute', '--shards', '0'], /Name a number of shards/],
];

test('an argument that is wrong is refused before anything is opened or created', async () => {
  const dataDir = join(tmpdir(), freshName());
  for (const [args, sentence] of wrong) {
    const { code, out, complaint } = await operateWith({ DATA_DIR: dataDir }, ...args);
    assert.deepEqual([code, out], [1, ''], args.join(' '));
    assert.match(complaint, sentence);
    assert.equal(existsSync(dataDir), false, args.join(' '));
  }
});

test('without a database, a command that works on one says so and creates none', async () => {
  const dataDir = join(tmpdir(), freshName());
  for (const args of [
    ['grant', 'ada', 'admin:manage'],
    ['trust', 'ada', '2'],
    ['suspend', 'ada'],
    ['legal-removal', id, '--restore'],
    ['verify-audit'],
    ['reindex'],
    ['log', 'status'],
    ['backup', join(tmpdir(), freshName())],
  ]) {
    const { code, complaint } = await operateWith({ DATA_DIR: dataDir }, ...args);
    assert.equal(code, 1);
    assert.match(complaint, /^There is no database in /, args.join(' '));
    assert.equal(existsSync(dataDir), false, args.join(' '));
  }
});
