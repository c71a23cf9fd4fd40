// A commit that a server of a distributed database has not carried out is not an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migratedClone } from '#test/migrated-clone';
import { isConnectionLost } from './pg-errors.ts';
import { openDatabase } from './pool.ts';
import { sql } from './sql.ts';

/** Says at the commit what a coordinator says. */
const warnAtCommit = `
  create table warned (id integer);
  create function warn() returns trigger language plpgsql as $$
  begin raise warning 'failed to commit transaction on 10.0.0.2:5432'; return null; end $$;
  create constraint trigger warn after insert on warned deferrable initially deferred
  for each row execute function warn()`;

test('a commit with the warning that a server has not committed is a lost connection, and is not run again', async () => {
  await using clone = await migratedClone();
  await clone.ask(warnAtCommit);
  await using db = openDatabase({
    connection: { ...clone.connection, sharded: true },
    readers: 1,
    writers: 1,
    onError: () => undefined,
  });
  let runs = 0;
  const written = db.transaction(async (tx) => {
    runs += 1;
    await tx.run(sql`
      -- every bucket: a table of this test
      insert into warned values (1)`);
  });
  await assert.rejects(written, isConnectionLost);
  assert.equal(runs, 1);
  assert.deepEqual(await clone.ask('select id from warned'), [{ id: 1 }]);
});
