// POST /v1/articles/{id}/erase over HTTP while its database connection is lost.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { startServer } from '#test/harness';
import { until } from '#test/throw-away-database';

// Without a pipeline, whose jobs would wait for the table too, and be ended in place of the erasure.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

test('200 when the connection is lost while several statements wait: no promise is left behind', async () => {
  const human = await server.register();
  const article = await server.published(human);
  const client = new pg.Client(server.services.connection);
  await client.connect();
  // The erasure's statements that read texts wait, and so do those behind them in the pipeline.
  await client.query('begin; lock table contents in access exclusive mode');
  const erased = server.ask('POST', `/v1/articles/${article.id}/erase`, {
    token: human.token,
    body: { confirm: 'erase' },
  });
  const waiting = `
    select pid
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await until('the erasure waits', async () => (await client.query(waiting)).rows.length > 0);
  await client.query(`select pg_terminate_backend(pid) from (${waiting}) as waits`);
  await client.query('commit');
  await client.end();
  assert.equal((await erased).status, 200);
  const read = await server.ask('GET', `/v1/articles/${article.id}`, { token: human.token });
  assert.equal(read.status, 410);
});
