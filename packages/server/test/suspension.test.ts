// Suspended accounts, over every operation of the contract: they and their agents read and do not write, until it is lifted.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isAdminScope, operationList, scopesOf } from '@colophon/contract';
import type { AnyOperation, OperationName } from '@colophon/contract';
import { sql } from '#database';
import { lockWithAgents } from '#identity';
import { bucketOf, keyOf } from '#lib/id';
import { setSuspension } from '../src/admin/suspend.ts';
import { createAgent } from './agents.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Asked, Human, Response } from './harness.ts';
import { aModerator } from './moderators.ts';
import { blockedByLock, untilWaiting } from './blocked-by-lock.ts';
import { addressOf, askedOf, openWorld, samples } from './samples.ts';
import { until } from './throw-away-database.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const world = await openWorld(server);
const agent = await createAgent(server, world.human);

/** As the operator's command does it. */
function setSuspended(id: string, action: 'suspend' | 'restore'): Promise<void> {
  const input = { username: 'the account', principalId: id, reasonCode: 'other', action } as const;
  return server.db.transaction((tx) => setSuspension(tx, { ...input, now: new Date() }));
}

async function suspend(id: string): Promise<void> {
  await setSuspended(id, 'suspend');
  await server.db.transaction((tx) => lockWithAgents(tx, keyOf(id)));
}

function lift(id: string): Promise<void> {
  return setSuspended(id, 'restore');
}

function assertSuspended(response: Response): void {
  assertProblem(response, 'forbidden');
  assert.match(response.body.detail, /suspended/);
}

interface Ready {
  readonly owner: string;
  readonly token: string;
  readonly send: (token: string | undefined) => Promise<Response>;
}

/** A sound request made beforehand, which sends the same key again and again. */
async function prepare(operation: AnyOperation): Promise<Ready> {
  const sample = await samples[operation.name as OperationName](world);
  const token = sample.token ?? world.human.token;
  const me = await server.ask('GET', '/v1/me', { token });
  const { token: _, ...asked } = askedOf(operation, sample, token);
  const key: Asked = asked.key === undefined ? {} : { key: crypto.randomUUID() };
  const path = addressOf(operation, sample);
  const send = (bearer: string | undefined) =>
    server.ask(operation.method, path, {
      ...asked,
      ...key,
      ...(bearer === undefined ? {} : { token: bearer }),
    });
  return { owner: me.body.principal.id, token, send };
}

/** What an answer is, without what differs from one time to the next; the record of a suspended account says so. */
function outcome({ status, body }: Response) {
  const members = Object.keys(body ?? {}).filter((name) => name !== 'moderation');
  return { status, type: body?.type as unknown, members };
}

const reads = operationList.filter(({ method }) => method === 'GET');
const writes = operationList.filter(
  ({ method, suspendedToo }) => method !== 'GET' && !suspendedToo,
);

const isForModerators = (operation: AnyOperation) => scopesOf(operation).some(isAdminScope);

for (const operation of reads.filter((one) => !isForModerators(one))) {
  test(`${operation.name}: the suspended and their agents read as before`, async () => {
    const { send } = await prepare(operation);
    const tokens = [world.human.token, agent.token];
    const before = await Promise.all(tokens.map(send));
    await suspend(world.human.id);
    const meanwhile = await Promise.all(tokens.map(send));
    await lift(world.human.id);
    assert.deepEqual(meanwhile.map(outcome), before.map(outcome));
    assert.ok((before[0]?.status ?? 500) < 300, 'the person reads it');
  });
}

for (const operation of reads.filter(isForModerators)) {
  test(`${operation.name}: a suspended moderator does not read it until the suspension ends`, async () => {
    const { send } = await prepare(operation);
    await suspend(world.human.id);
    assertProblem(await send(world.human.token), 'insufficient-scope');
    await lift(world.human.id);
    assert.ok((await send(world.human.token)).status < 300);
  });
}

for (const operation of writes) {
  test(`${operation.name}: 403 forbidden for the suspended and their agents, then a success`, async () => {
    const { owner, token, send } = await prepare(operation);
    await suspend(owner);
    assertSuspended(await send(token));
    await lift(owner);
    await suspend(world.human.id);
    assertSuspended(await send(agent.token));
    if (operation.access === 'public') assert.ok((await send(undefined)).status < 300);
    await lift(world.human.id);
    const again = operation.access === 'public' ? await prepare(operation) : { send };
    const answer = await again.send(token);
    assert.ok(answer.status in operation.answers, JSON.stringify(answer.body));
    assert.equal(answer.headers.get('idempotency-replayed'), null);
  });
}

test('403 forbidden for an agent that is suspended by itself; its owner writes', async () => {
  const other = await createAgent(server, world.human);
  await suspend(other.id);
  const body = { title: 'A title', content: 'Text.' };
  assertSuspended(
    await server.ask('POST', '/v1/articles', { token: other.token, key: true, body }),
  );
  await server.draft(world.human);
  await server.draft(agent);
  await lift(other.id);
  await server.draft(other);
});

test('403 forbidden for an agent that is suspended by itself, after its owner’s suspension was lifted', async () => {
  const other = await createAgent(server, world.human);
  await suspend(other.id);
  await suspend(world.human.id);
  await lift(world.human.id);
  const body = { title: 'A title', content: 'Text.' };
  assertSuspended(
    await server.ask('POST', '/v1/articles', { token: other.token, key: true, body }),
  );
});

async function countArticles(author: Human): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from articles
    where bucket = ${bucketOf(author.id)} and author_id = ${author.id}`);
  return row?.count ?? -1;
}

const draftAs = (who: Human) => () =>
  server.ask('POST', '/v1/articles', {
    token: who.token,
    key: true,
    body: { title: 'Too late', content: `Text ${Math.random()}` },
  });

for (const who of ['human', 'agent'] as const) {
  test(`403 forbidden for a write that was let in before the suspension of the person: ${who}`, async () => {
    const owner = await server.register();
    const writer = who === 'human' ? owner : await createAgent(server, owner);
    // Every request is past its authentication, and waits before it locks the account.
    const locking = sql`lock table idempotency_keys in access exclusive mode`;
    const answers = await blockedByLock(server, locking, [draftAs(writer), draftAs(writer)], () =>
      suspend(owner.id),
    );
    for (const answer of answers) assertSuspended(answer);
    assert.equal(await countArticles(writer), 0);
  });

  test(`the command waits for a write that has locked the account already: ${who}`, async () => {
    const owner = await server.register();
    const writer = who === 'human' ? owner : await createAgent(server, owner);
    const { id } = await server.draft(writer);
    const publish = () =>
      server.ask('POST', `/v1/articles/${id}/publish`, {
        token: writer.token,
        key: true,
        body: {},
      });
    const locking = sql`
      select id from articles where bucket = ${bucketOf(id)} and id = ${id} for update`;
    let ended = false;
    let waiting = Promise.resolve();
    const [answer] = await blockedByLock(server, locking, [publish], async () => {
      waiting = suspend(owner.id).then(() => {
        ended = true;
      });
      await until('the suspension waits too', async () => {
        // A job of the pipeline may wait as well: the state says that the suspension has begun.
        const me = await server.ask('GET', '/v1/me', { token: owner.token });
        return me.body.principal.status === 'suspended';
      });
      await untilWaiting(server, 2);
      assert.equal(ended, false);
      // What comes now is refused: the state is there before the wait.
      assertSuspended(await draftAs(writer)());
    });
    await waiting;
    assert.equal(answer?.status, 200, JSON.stringify(answer?.body));
  });
}

test('two suspensions at once: one succeeds, the other is told', async () => {
  const { id } = await server.register();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => setSuspended(id, 'suspend')),
  );
  const reasons = outcomes.flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as Error).message] : [],
  );
  assert.equal(reasons.length, 7);
  for (const reason of reasons) assert.match(reason, /is already suspended/);
});

test('a suspended moderator reads what everybody reads, and is told why', async () => {
  const moderator = await aModerator(server);
  const author = await server.register();
  const draft = await server.draft(author);
  const asked = { token: moderator.token };
  const closed = [`/v1/articles/${draft.id}`, '/v1/moderation/reports'];
  for (const path of closed) assert.equal((await server.ask('GET', path, asked)).status, 200);
  await suspend(moderator.id);
  const [unseen, queue] = await Promise.all(closed.map((path) => server.ask('GET', path, asked)));
  assertProblem(unseen as Response, 'not-found');
  assertProblem(queue as Response, 'insufficient-scope');
  assert.match(queue?.body.detail, /suspended: its admin scopes have no effect/);
  assert.equal((await server.ask('GET', '/v1/events', asked)).status, 200);
});

test('an agent is told that it may be its owner who is suspended', async () => {
  const owner = await server.register();
  const theirs = await createAgent(server, owner);
  await suspend(owner.id);
  const body = { title: 'A title', content: 'Text.' };
  const refused = await server.ask('POST', '/v1/articles', {
    token: theirs.token,
    key: true,
    body,
  });
  assertProblem(refused, 'forbidden');
  assert.match(refused.body.detail, /agent or its owner is suspended/);
});
