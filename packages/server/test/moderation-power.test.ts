// A caller who loses the power in the middle of a request: every write of moderators and administrators, generated.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isAdminScope, operationList, scopes } from '@colophon/contract';
import type { AnyOperation, OperationName, Scope } from '@colophon/contract';
import { sql } from '#database';
import type { Statement } from '#database';
import { bucketOf } from '#lib/id';
import { storeToken } from './accounts.ts';
import { problemName, startServer } from './harness.ts';
import type { Response } from './harness.ts';
import { blockedByLock } from './blocked-by-lock.ts';
import { openWorld, samples } from './samples.ts';
import type { Sample } from './samples.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const world = await openWorld(server);

const writes = operationList.filter(
  ({ access, method }) => isAdminScope(access as Scope) && method !== 'GET',
);

async function aPower(): Promise<{ readonly token: string; readonly id: string }> {
  const token = await storeToken(server, world.human.id, scopes);
  const me = await server.ask('GET', '/v1/me', { token });
  return { token, id: me.body.token.id };
}

function send(operation: AnyOperation, sample: Sample, token: string): Promise<Response> {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => sample.params[name] ?? '',
  );
  return server.ask(operation.method, path, {
    token,
    ...(operation.idempotency === 'required' ? { key: true as const } : {}),
    ...(sample.body === undefined ? {} : { body: sample.body }),
  });
}

/** What would show an effect: every act is in the log, every change of a report and notice in its table. */
async function traces(): Promise<unknown> {
  return server.db.first(sql`
    select
      (select count(*) from audit_log where bucket = 0) as acts,
      -- every bucket: all that is there
      (select count(*) from report_changes where to_status <> 'open') as changes,
      (select count(*) from moderation_actions) as actions,
      (select count(*) from events where type <> 'comment.created') as events`);
}

type Taking = (token: { readonly id: string }, scope: string) => Statement;

const ways: Readonly<Record<'insufficient-scope' | 'unauthenticated', Taking>> = {
  'insufficient-scope': ({ id }, scope) => sql`
    update tokens
    set scopes = array_remove(scopes, ${scope})
    where bucket = ${bucketOf(id)} and id = ${id}`,
  unauthenticated: ({ id }) => sql`
    update tokens
    set revoked_at = now()
    where bucket = ${bucketOf(id)} and id = ${id}`,
};

test('every write that takes an admin scope is among them', () => {
  assert.ok(writes.length >= 6, writes.map(({ name }) => name).join(', '));
});

for (const operation of writes) {
  for (const [name, taking] of Object.entries(ways)) {
    test(`${operation.name}: ${name} where the power goes while the request is under way, and nothing happens`, async () => {
      const sample = await samples[operation.name as OperationName](world);
      const power = await aPower();
      const before = await traces();
      const [answer] = await blockedByLock(server, taking(power, String(operation.access)), [
        () => send(operation, sample, power.token),
      ]);
      assert.equal(problemName(answer as Response), name);
      assert.deepEqual(await traces(), before);
      // The same request is valid: it was the power that was missing.
      const { status, body } = await send(operation, sample, world.human.token);
      assert.ok(status < 300, JSON.stringify(body));
    });
  }
}
