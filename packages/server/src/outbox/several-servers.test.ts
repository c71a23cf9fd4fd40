// The relay where messages are on several servers: its lease, and a server that cannot delete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#database';
import { addsTrigger } from '#test/citus/one-server';
import { countWaiting, jobs, say, subscriber } from '#test/pipeline';
import { migratedClone } from '#test/migrated-clone';
import { quiet, until } from '#test/throw-away-database';
import { openDedicatedConnection } from './dedicated-connection.ts';
import type { Ask } from './dedicated-connection.ts';
import { returnLease, takeLease } from './relay-lease.ts';
import { moveBatch, routesOf } from './relay.ts';

test('the lease ends with a session that stands still, and leaves the connection as it was', async () => {
  await using clone = await migratedClone();
  await using link = openDedicatedConnection({ connection: clone.connection, log: quiet });
  await until('the link is open', () => link.alone(async () => true).catch(() => false));
  const limit = (ask: Ask) =>
    ask(sql<{ idle_session_timeout: string }>`show idle_session_timeout`).then(
      ([row]) => row?.idle_session_timeout,
    );
  await link.alone(async (ask) => {
    assert.equal(await limit(ask), '0');
    assert.equal(await takeLease(ask), true);
    assert.equal(await limit(ask), '10s');
    await using other = openDedicatedConnection({ connection: clone.connection, log: quiet });
    await until('the other is open', () => other.alone(async () => true).catch(() => false));
    assert.equal(await other.alone(takeLease), false);
    assert.equal(await other.alone(limit), '0');
    await returnLease(ask);
    assert.equal(await limit(ask), '0');
    assert.equal(await other.alone(takeLease), true);
  });
});

test(
  'messages that cannot be deleted are handed on once, and deleted later',
  addsTrigger,
  async () => {
    await using clone = await migratedClone();
    await clone.ask(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'the disk is full'; end $$;
    create trigger refuse before delete on outbox for each row execute function refuse()`);
    await using link = openDedicatedConnection({ connection: clone.connection, log: quiet });
    await until('the link is open', () => link.alone(async () => true).catch(() => false));
    const undeleted = { messages: [] };
    const routes = routesOf([subscriber('see', () => undefined)]);
    const move = () => link.alone((ask) => moveBatch(ask, routes, { sharded: true, undeleted }));
    await say(clone);
    await assert.rejects(move, /the disk is full/);
    await clone.ask('update graphile_worker._private_jobs set attempts = 3');
    await assert.rejects(move, /the disk is full/);
    assert.deepEqual(await clone.ask('select attempts from graphile_worker._private_jobs'), [
      { attempts: 3 },
    ]);
    assert.equal(await countWaiting(clone), 1);
    await clone.ask('drop trigger refuse on outbox');
    assert.equal(await move(), 0);
    assert.equal(await countWaiting(clone), 0);
    assert.equal(await jobs(clone), 1);
  },
);

test('a turn without messages asks three times, one with messages five times', async () => {
  await using clone = await migratedClone();
  await using link = openDedicatedConnection({ connection: clone.connection, log: quiet });
  await until('the link is open', () => link.alone(async () => true).catch(() => false));
  const routes = routesOf([subscriber('see', () => undefined)]);
  const statementsOf = (moved: number) =>
    link.alone(async (ask) => {
      let asked = 0;
      const counted: Ask = (statement) => {
        asked += 1;
        return ask(statement);
      };
      assert.equal(await moveBatch(counted, routes, { sharded: true }), moved);
      return asked;
    });
  assert.equal(await statementsOf(0), 3);
  await say(clone);
  assert.equal(await statementsOf(1), 5);
  assert.equal(await statementsOf(0), 3);
});
