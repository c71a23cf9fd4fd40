// What a line of the log contains of an error of the database driver.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase, sql } from '#database';
import { cloneDatabase } from '#test/database';
import { openLog } from './log.ts';

test('the line of a lost connection does not contain the driver’s object with its statements', async () => {
  await using clone = await cloneDatabase();
  const { connection } = clone;
  const lost = Promise.withResolvers<Error>();
  const onError = lost.resolve;
  await using db = openDatabase({ connection, readers: 1, writers: 1, onError });
  await db.transaction((tx) => tx.rows(sql`select 'kept words' as kept`));
  await using other = openDatabase({ connection, readers: 1, writers: 1, onError: () => {} });
  await other.rows(sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const lines: string[] = [];
  openLog('warn', undefined, { write: (line) => lines.push(line) }).warn({
    err: await lost.promise,
  });
  const [line = ''] = lines;
  assert.match(line, /"code":"57P01"/);
  assert.ok(!line.includes('kept words'), line);
  assert.ok(line.length < 4_096, `${line.length} characters`);
});
