// GET /v1/events?wait= over HTTP: which polls a new event wakes, and when a poll ends without one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createAgent } from '#test/agents';
import { effort } from '#test/effort';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response, TestServer } from '#test/harness';
import { appendEvents } from '#test/event-rows';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

/** Many times the number of database connections. */
const waitingPolls = effort(150, 1_000);

const poll = (human: Human, query: string, place: TestServer = server) =>
  place.ask('GET', `/v1/events?${query}`, { token: human.token });

interface Timed {
  readonly response: Response;
  readonly ms: number;
}

async function timeAnswer(asked: Promise<Response>): Promise<Timed> {
  const begun = performance.now();
  return { response: await asked, ms: performance.now() - begun };
}

/** Waits until this many polls wait in the server. */
const untilWaiting = (count: number, place: TestServer = server) =>
  until(`${count} polls wait`, () => place.app.waiting() === count);

/** Waits until no statement runs: each poll has looked for events, and waits for new ones. */
const untilIdle = () =>
  until('no connection is busy', () => {
    const { writersBusy, reads } = server.db.counts();
    return writersBusy + reads === 0;
  });

const lastOf = ({ response }: Timed) => response.body.items.at(-1);

test('200 at once where there is an event already', async () => {
  const human = await server.register();
  await appendEvents(server.db, [human.id]);
  const { response, ms } = await timeAnswer(poll(human, 'wait=25'));
  assert.equal(response.body.items.length, 1);
  assert.ok(ms < 20_000, `${ms} ms`);
});

test('200 with nothing once the time is over, not before', async () => {
  const human = await server.register();
  const { response, ms } = await timeAnswer(poll(human, 'wait=1'));
  assert.deepEqual(response.body, { items: [], next_cursor: null });
  assert.ok(ms >= 990 && ms < 20_000, `${ms} ms`);
});

test('200 as soon as an operation of this process tells something', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const asked = timeAnswer(poll(human, 'wait=25'));
  await untilWaiting(1);
  const followed = performance.now();
  await server.ask('POST', '/v1/follows', { token: other.token, body: { principal_id: human.id } });
  const { response } = await asked;
  assert.equal(response.body.items[0].type, 'follow.created');
  assert.ok(performance.now() - followed < 20_000);
});

test('200 within about a second without a notification, as from a process that was killed', async () => {
  const human = await server.register();
  const asked = timeAnswer(poll(human, 'wait=25'));
  await untilWaiting(1);
  await appendEvents(server.db, [human.id], 'without a hint');
  const answered = await asked;
  assert.equal(lastOf(answered).payload.mark, 'without a hint');
  assert.ok(answered.ms < 20_000, `${answered.ms} ms`);
});

test('200 although an event came before that is of no interest', async () => {
  const human = await server.register();
  const asked = timeAnswer(poll(human, 'wait=25&type=token.issued'));
  await untilWaiting(1);
  const other = await server.register();
  await server.ask('POST', '/v1/follows', { token: other.token, body: { principal_id: human.id } });
  const agent = await createAgent(server, human);
  await server.ask('POST', '/v1/tokens', {
    token: agent.token,
    key: true,
    body: { principal_id: agent.id, name: 'one more' },
  });
  assert.equal(lastOf(await asked).type, 'token.issued');
});

test('200 for the owner who waits for an agent’s', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const { body } = await poll(agent, 'wait=0');
  const query = `principal_id=${agent.id}&wait=25&since=${body.items.at(-1).id as string}`;
  const asked = timeAnswer(poll(owner, query));
  await untilWaiting(1);
  await appendEvents(server.db, [agent.id], 'for the agent');
  assert.equal(lastOf(await asked).payload.mark, 'for the agent');
});

test('401 unauthenticated: the token was revoked while the request waited', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['events:read']);
  const me = await server.ask('GET', '/v1/me', { token });
  const asked = server.ask('GET', '/v1/events?wait=25', { token });
  await untilWaiting(1);
  // A poll that has not finished its first look would find the event of the revocation itself.
  await untilIdle();
  await server.ask('DELETE', `/v1/tokens/${me.body.token.id as string}`, { token: human.token });
  await appendEvents(server.db, [human.id], 'too late');
  assertProblem(await asked, 'unauthenticated');
});

test('401 unauthenticated at once: the token was revoked, and nothing else happens', async () => {
  const human = await server.register();
  const agent = await createAgent(server, human);
  const token = await server.tokenWith(human, ['events:read', 'agents:read']);
  const me = await server.ask('GET', '/v1/me', { token });
  const since = '7'.repeat(26);
  const others = poll(human, `wait=25&since=${since}`);
  const own = server.ask('GET', `/v1/events?wait=25&since=${since}`, { token });
  const ofAgent = `/v1/events?wait=25&since=${since}&principal_id=${agent.id}`;
  const agents = timeAnswer(server.ask('GET', ofAgent, { token }));
  await untilWaiting(3);
  await untilIdle();
  await server.ask('DELETE', `/v1/tokens/${me.body.token.id as string}`, { token: human.token });
  assertProblem(await own, 'unauthenticated');
  const { response, ms } = await agents;
  assertProblem(response, 'unauthenticated');
  assert.ok(ms < 20_000, `${ms} ms`);
  assert.equal(server.app.waiting(), 1, 'the token that is valid still waits');
  const { body } = await server.ask('GET', '/v1/me', { token: human.token });
  await server.ask('DELETE', `/v1/tokens/${body.token.id as string}`, { token: human.token });
  assertProblem(await others, 'unauthenticated');
});

test('401 unauthenticated at the moment when the token expires', async () => {
  const human = await server.register();
  const expires_at = new Date(Date.now() + 3_000).toISOString();
  const issued = await server.ask('POST', '/v1/tokens', {
    token: human.token,
    key: true,
    body: { principal_id: human.id, name: 'short', expires_at },
  });
  const asked = server.ask('GET', '/v1/events?wait=25', { token: issued.body.token });
  const { response, ms } = await timeAnswer(asked);
  assertProblem(response, 'unauthenticated');
  assert.ok(Date.now() >= Date.parse(expires_at) && ms < 20_000, `${ms} ms`);
});

test('a client that leaves frees its place', async () => {
  const human = await server.register();
  const leaving = new AbortController();
  const asked = fetch(`${server.baseUrl}/v1/events?wait=25`, {
    headers: { authorization: `Bearer ${human.token}` },
    signal: leaving.signal,
  });
  await untilWaiting(1);
  leaving.abort();
  await assert.rejects(asked);
  await untilWaiting(0);
});

test('200 with nothing for the one that waits longest of too many at one account', async () => {
  const human = await server.register();
  const first = timeAnswer(poll(human, 'wait=25'));
  await untilWaiting(1);
  const others = Array.from({ length: 32 }, () => poll(human, 'wait=25'));
  assert.deepEqual((await first).response.body.items, []);
  assert.equal(server.app.waiting(), 32);
  await appendEvents(server.db, [human.id]);
  for (const one of await Promise.all(others)) assert.equal(one.body.items.length, 1);
});

test('200 with nothing at once when the server stops', async () => {
  const place = await startServer();
  const human = await place.register();
  const asked = timeAnswer(poll(human, 'wait=25', place));
  await untilWaiting(1, place);
  const begun = performance.now();
  await place[Symbol.asyncDispose]();
  assert.deepEqual((await asked).response.body.items, []);
  assert.ok(performance.now() - begun < 20_000, 'the stop does not wait for polls');
});

test(
  '200 while the listening connection is cut again and again',
  { timeout: 900_000 },
  async () => {
    const human = await server.register();
    const admin = new pg.Client(server.services.connection);
    await admin.connect();
    let since = '0'.repeat(26);
    for (let turn = 0; turn < effort(3, 10); turn += 1) {
      const asked = timeAnswer(poll(human, `wait=25&since=${since}`));
      await untilWaiting(1);
      await admin.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'colophon-events'`);
      await appendEvents(server.db, [human.id], turn);
      const answered = await asked;
      assert.deepEqual(
        answered.response.body.items.map(
          (item: { payload: { mark: number } }) => item.payload.mark,
        ),
        [turn],
      );
      since = lastOf(answered).id;
    }
    await admin.end();
  },
);

test(
  `200 with its own event for each of ${waitingPolls} that wait at once, and no connection is held`,
  { timeout: 900_000 },
  async (t) => {
    const people: Human[] = [];
    for (let turn = 0; turn < waitingPolls / 20; turn += 1)
      people.push(...(await Promise.all(Array.from({ length: 20 }, () => server.register()))));
    const before = process.memoryUsage().rss;
    let telling = false;
    // On a busy machine the first polls may have ended before the last ones begin: they are sent again.
    const pollOn = async (human: Human): Promise<Response> => {
      const answered = await poll(human, 'wait=25');
      return telling || answered.body.items.length > 0 ? answered : pollOn(human);
    };
    const asked = people.map((human) => timeAnswer(pollOn(human)));
    await untilWaiting(people.length);
    const grown = process.memoryUsage().rss - before;
    await untilIdle();
    telling = true;
    const begun = performance.now();
    const latencies: number[] = [];
    const followed = asked.map(async (one) => {
      const answered = await one;
      latencies.push(performance.now() - begun);
      return answered;
    });
    for (let from = 0; from < people.length; from += 100)
      await appendEvents(
        server.db,
        people.slice(from, from + 100).map(({ id }) => id),
      );
    const told = performance.now() - begun;
    const answers = await Promise.all(followed);
    for (const [index, { response }] of answers.entries()) {
      assert.equal(response.body.items.length, 1);
      assert.equal(response.body.items[0].subject_id, people[index]?.id);
    }
    assert.equal(server.app.waiting(), 0);
    const sorted = latencies.toSorted((a, b) => a - b);
    t.diagnostic(
      `memory of both ends grew by ${Math.round(grown / 1024 / people.length)} KiB a poll`,
    );
    t.diagnostic(
      `told after ${Math.round(told)} ms, without hints; answered after ${Math.round(sorted[waitingPolls / 2 - 1] ?? 0)} ms (median), ${Math.round(sorted.at(-1) ?? 0)} ms (last)`,
    );
  },
);
