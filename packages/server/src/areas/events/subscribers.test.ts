// No events of a closed account remain, even if one is written concurrently.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { appendEvent } from '#event-log';
import { appendMessage } from '#outbox';
import type { Delivered, PrincipalClosed } from '#outbox';
import { setPrincipalStatus } from '#test/accounts';
import { startServer } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { eventTo, appendEvents } from '#test/event-rows';
import { quiet, until } from '#test/throw-away-database';
import { subscribers } from './subscribers.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const closingMessage = (id: string) => ({
  bucket: bucketOf(id),
  type: 'principal.closed' as const,
  payload: { principal_id: id, treatment: 'pseudonymise' as const },
});

async function forget(id: string): Promise<void> {
  const message: Delivered<PrincipalClosed> = {
    ...closingMessage(id),
    id: newId(bucketOf(id)),
    created_at: new Date().toISOString(),
  };
  for (const subscriber of subscribers)
    await subscriber.run(message, { db: server.db, log: quiet, now: () => new Date() });
}

async function countOf(id: string): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select count(*) as count from events where bucket = ${bucketOf(id)} and principal_id = ${id}`);
  return row?.count ?? -1;
}

test('its events go, more than a page of them, and those of others stay', async () => {
  const [human, other] = [await server.register(), await server.register()];
  await appendEvents(server.db, [other.id]);
  await server.db.transaction(async (tx) =>
    appendEvent(
      tx,
      Array.from({ length: 1_100 }, (_, mark) => eventTo(human.id, mark)),
      new Date(),
    ),
  );
  assert.equal(await countOf(human.id), 1_100);
  await setPrincipalStatus(server, human.id, 'closed');
  await server.db.transaction(async (tx) => void appendMessage(tx, closingMessage(human.id)));
  await until('the pipeline has forgotten them', async () => (await countOf(human.id)) === 0);
  assert.equal(await countOf(other.id), 1);
});

test('an event that is being written while the account closes is not left behind', async () => {
  const [human, follower] = [await server.register(), await server.register()];
  await appendEvents(server.db, [human.id]);
  const locking = sql`
    update event_counters set number = number
    where bucket = ${bucketOf(human.id)} and principal_id = ${human.id}`;
  const follow = () =>
    server.ask('POST', '/v1/follows', {
      token: follower.token,
      body: { principal_id: human.id },
    });
  let forgotten: Promise<void> | undefined;
  // The follow saw the account open; its event and the closure wait for the same counter.
  const [answer] = await blockedByLock(server, locking, [follow], async () => {
    await setPrincipalStatus(server, human.id, 'closed');
    forgotten = forget(human.id);
  });
  assert.equal(answer?.status, 201);
  await forgotten;
  assert.equal(await countOf(human.id), 0);
  await forget(human.id);
  await appendEvents(server.db, [human.id]);
  assert.equal(await countOf(human.id), 0, 'no one writes one any more');
});
