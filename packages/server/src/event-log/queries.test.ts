// The notifications of some types, on a real PostgreSQL.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keyOf } from '#lib/id';
import { eventTo } from '#test/event-rows';
import { startServer } from '#test/harness';
import type { EventType, NewEvent } from './append-event.ts';
import { appendEvent, listNotifications } from './index.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

test('events of some types are those among all, newest first, also before a given one', async () => {
  const human = await server.register();
  const written: readonly EventType[] = [
    'comment.created',
    'follow.created',
    'reply.created',
    'comment.created',
    'follow.created',
    'reply.created',
  ];
  for (const type of written)
    await server.db.transaction(async (tx) =>
      appendEvent(tx, [{ ...eventTo(human.id), type } as unknown as NewEvent], new Date()),
    );
  const list = (types: readonly EventType[] | undefined, before?: string) =>
    listNotifications(server.db, keyOf(human.id), { before, types, limit: 20 });
  const all = await list(undefined);
  assert.deepEqual(
    all.map(({ type }) => type),
    written.toReversed(),
  );
  const types: readonly EventType[] = ['reply.created', 'comment.created'];
  const matching = all.filter(({ type }) => types.includes(type as EventType));
  assert.deepEqual(await list(types), matching);
  assert.deepEqual(await list(types, matching[1]?.id), matching.slice(2));
  assert.deepEqual(await list(['appeal.resolved']), []);
});
