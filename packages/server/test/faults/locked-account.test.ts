// A row of one account that is locked for long: the writes of that account wait, those of others do not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { startServer } from '../harness.ts';
import { until } from '../throw-away-database.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

test('thirty writes that wait for the row of their account leave connections to everybody else', async () => {
  const [locked, other] = [await server.register(), await server.register()];
  const holder = new pg.Client(server.services.connection);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from principals where id = $1 for update', [locked.id]);
  const countWaiting = async () => {
    const { rows } = await holder.query<{ count: number }>(`
      select count(*)::integer as count
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return rows[0]?.count ?? 0;
  };
  const write = (token: string, title: string) =>
    server.ask('POST', '/v1/articles', { token, key: true, body: { title, content: 'A text.' } });
  const waiting = Array.from({ length: 30 }, () => write(locked.token, 'It waits'));
  await until('some wait for the row', async () => (await countWaiting()) > 0);
  for (let count = 0; count < 20; count += 1)
    assert.equal((await write(other.token, 'It goes on')).status, 201);
  assert.ok((await countWaiting()) > 0, 'the row was locked all the time');
  await holder.query('rollback');
  await holder.end();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([201]));
});
