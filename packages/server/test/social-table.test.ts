// The errors of the interface's table of social operations and events that the kernel answers for all of them.
// The others are refused in the tests beside the operations.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operationList } from '@colophon/contract';
import type { AnyOperation, OperationName, ProblemName } from '@colophon/contract';
import { sql } from '#database';
import { newId } from '#lib/id';
import { assertProblem, freshKey, startServer } from './harness.ts';
import type { Asked } from './harness.ts';
import { blockedByLock } from './blocked-by-lock.ts';
import { startLimitedServer } from './limits-file.ts';
import { askedOf, openWorld, pathOf, samples } from './samples.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const few = 1;
const narrow = await startLimitedServer({
  rates: { reads_per_minute: few, writes_per_minute: few },
});
after(() => narrow[Symbol.asyncDispose]());

const written = ['unauthenticated', 'forbidden', 'not-found', 'rate-limited'] as const;
const commented = [...written, 'idempotency-in-progress', 'gone', 'validation-failed'] as const;

/** The rows of the interface. */
const table: Readonly<Partial<Record<OperationName, readonly ProblemName[]>>> = {
  createComment: commented,
  createReply: commented,
  deleteComment: written,
  createEdge: [...written, 'idempotency-in-progress', 'validation-failed'],
  deleteEdge: written,
  follow: [...written, 'validation-failed'],
  unfollow: written,
  listEvents: ['unauthenticated', 'forbidden', 'rate-limited'],
};

const rows = operationList.flatMap((operation: AnyOperation) => {
  const names = table[operation.name as OperationName];
  return names === undefined ? [] : [{ operation, names }];
});

test('every row is there, and declares its errors', () => {
  assert.equal(rows.length, Object.keys(table).length);
  for (const { operation, names } of rows)
    for (const name of names)
      assert.ok(operation.allProblems.includes(name), `${operation.name}: ${name}`);
});

test('429 rate-limited from every row, once the minute’s requests are used up', async () => {
  const { token } = await narrow.register();
  const drain = async (method: string, path: string) => {
    for (let n = 0; n <= few; n += 1) await narrow.ask(method, path, { token });
  };
  await drain('GET', '/v1/me');
  await drain('DELETE', `/v1/follows/${newId(1)}`);
  for (const { operation } of rows) {
    const path = pathOf(operation, { id: newId(1), followeeId: newId(2) });
    const refused = await narrow.ask(operation.method, path, { token, key: true });
    assertProblem(refused, 'rate-limited');
    assert.ok(refused.body.retry_after_seconds > 0, operation.name);
  }
});

for (const { operation, names } of rows) {
  if (!names.includes('idempotency-in-progress')) continue;
  test(`409 idempotency-in-progress: ${operation.name} while the first with the key runs`, async () => {
    const world = await openWorld(server);
    const sample = await samples[operation.name as OperationName](world);
    const asked: Asked = { ...askedOf(operation, sample, world.human.token), key: freshKey() };
    const send = () => server.ask(operation.method, pathOf(operation, sample.params), asked);
    const locking = sql`lock table comments, edges in exclusive mode`;
    const [first] = await blockedByLock(server, locking, [send], async () => {
      const refused = await send();
      assertProblem(refused, 'idempotency-in-progress');
      assert.ok(refused.body.retry_after_seconds > 0);
    });
    assert.equal(first?.status, 201, JSON.stringify(first?.body));
    assert.equal((await send()).headers.get('idempotency-replayed'), 'true');
  });
}
