// A request that is sent again while the first one commits: it answers what the first one answered, never a refusal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { replacesTable } from './citus/one-server.ts';
import { freshKey, startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

/** A request that looks up a key waits here: after its statement has its snapshot, and before it has the lock of the key. */
const gate = `
  alter table idempotency_keys rename to idempotency_keys_behind;
  create function passed() returns boolean language plpgsql stable as
  $$ begin
    perform pg_advisory_lock_shared(99, 1);
    perform pg_advisory_unlock_shared(99, 1);
    return true;
  end $$;
  create view idempotency_keys with (security_barrier) as select * from idempotency_keys_behind where passed()`;
async function connect({ services }: TestServer): Promise<pg.Client> {
  const client = new pg.Client(services.connection);
  await client.connect();
  return client;
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

test(
  '201 of the first request for the second, whose effect the first one has made impossible',
  replacesTable,
  async () => {
    await using server = await startServer({ ROLE: 'web' });
    const human = await server.register();
    const draft = await server.draft(human);
    const [holder, keeper, observer] = [
      await connect(server),
      await connect(server),
      await connect(server),
    ];
    const pids = new Map([
      [holder, await pidOf(holder)],
      [keeper, await pidOf(keeper)],
    ]);
    const blocksOne = async (client: pg.Client) => {
      // A transaction would see the same sessions again and again.
      const { rows } = await observer.query(
        'select from pg_stat_activity where datname = current_database() and $1 = any (pg_blocking_pids(pid))',
        [pids.get(client)],
      );
      return rows.length > 0;
    };
    try {
      await observer.query(gate);
      const key = freshKey();
      const body = { content: 'Other.', expected_revision_id: draft.revision_id };
      const path = `/v1/articles/${draft.id}/revisions`;
      const revise = () => server.ask('POST', path, { token: human.token, key, body });
      await holder.query('begin');
      await holder.query('select from articles where id = $1 for update', [draft.id]);
      const first = revise();
      await until('the first has the key, and waits for the article', () => blocksOne(holder));
      await keeper.query('select pg_advisory_lock(99, 1)');
      const second = revise();
      await until('the second looks for the key', () => blocksOne(keeper));
      await holder.query('commit');
      const made = await first;
      assert.equal(made.status, 201, JSON.stringify(made.body));
      await keeper.query('select pg_advisory_unlock(99, 1)');
      const again = await second;
      assert.equal(again.status, 201, JSON.stringify(again.body));
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(again.body, made.body);
    } finally {
      await holder.end();
      await keeper.end();
      await observer.end();
    }
  },
);

test('412 where the key was used more than a day ago: its answer is forgotten', async () => {
  await using server = await startServer({ ROLE: 'web' });
  const human = await server.register();
  const draft = await server.draft(human);
  const key = freshKey();
  const path = `/v1/articles/${draft.id}/revisions`;
  const body = { content: 'Other.', expected_revision_id: draft.revision_id };
  const revise = () => server.ask('POST', path, { token: human.token, key, body });
  assert.equal((await revise()).status, 201);
  const client = await connect(server);
  await client.query('update idempotency_keys set created_at = $1', [
    new Date(Date.now() - 2 * 86_400_000),
  ]);
  await client.end();
  assert.equal((await revise()).status, 412);
});
