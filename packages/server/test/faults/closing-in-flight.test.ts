// An account is closed while it and its agents write with all their might: nothing of theirs is written after the answer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent } from '../agents.ts';
import { closeAccount, untilTreated } from '../closing.ts';
import { problemName, startServer } from '../harness.ts';
import type { Human } from '../harness.ts';
import { effort } from '../effort.ts';

const rounds = effort(6, 120);
const clientsEach = 4;

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

interface Sent {
  readonly status: number;
  readonly problem: string;
  /** The account was closed, and its owner told so, before this was sent. */
  readonly late: boolean;
}

/** How many rows there are of everything that the writers write. */
async function rows(bucket: number): Promise<Readonly<Record<string, number>>> {
  const row = await server.db.first(sql<Record<string, number>>`
    select
      (select count(*)::integer from articles where bucket = ${bucket}) as articles,
      (select count(*)::integer from revisions where bucket = ${bucket}) as revisions,
      (select count(*)::integer from tokens where bucket = ${bucket}) as tokens,
      (select count(*)::integer from contents where bucket = ${bucket}) as contents,
      (select count(*)::integer from principals where bucket = ${bucket}) as principals,
      (select count(*)::integer from key_nonces where bucket = ${bucket}) as key_nonces`);
  return row ?? {};
}

const writes: readonly ((who: Human) => readonly [string, object])[] = [
  () => ['/v1/articles', { title: 'In flight', content: `Text ${Math.random()}` }],
  (who) => ['/v1/tokens', { principal_id: who.id, name: 'in flight' }],
];

function startWriters(people: readonly Human[], state: { closed: boolean; stop: boolean }) {
  const sent: Sent[] = [];
  const write = async (who: Human, turn: number): Promise<void> => {
    const late = state.closed;
    const [path, body] = writes[turn % writes.length]?.(who) ?? assert.fail();
    const response = await server.ask('POST', path, { token: who.token, key: true, body });
    sent.push({ status: response.status, problem: problemName(response), late });
  };
  const client = async (who: Human): Promise<void> => {
    for (let turn = 0; !state.stop; turn += 1) await write(who, turn);
  };
  const clients = people.flatMap((who) => Array.from({ length: clientsEach }, () => client(who)));
  return { sent, ended: Promise.all(clients) };
}

test('nothing is written after the answer, by a person or by an agent', async (t) => {
  let accepted = 0;
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const human = await server.register();
    const agents = [await createAgent(server, human), await createAgent(server, human)];
    const bucket = bucketOf(human.id);
    const state = { closed: false, stop: false };
    const writers = startWriters([human, ...agents], state);
    while (writers.sent.length < 12 + round * 4) await new Promise(setImmediate);
    const closed = await closeAccount(server, human, 'pseudonymise');
    state.closed = true;
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    const atTheAnswer = await rows(bucket);
    const told = writers.sent.length;
    while (writers.sent.length < told + 60) await new Promise(setImmediate);
    state.stop = true;
    await writers.ended;
    const { contents: _, ...left } = await rows(bucket);
    const { contents: __, ...before } = atTheAnswer;
    assert.deepEqual(left, before);
    for (const { status, problem, late } of writers.sent) {
      if (status < 300) {
        accepted += 1;
        assert.equal(late, false, 'a write was accepted that was sent after the closing');
      } else {
        refused += 1;
        assert.ok(['unauthenticated', 'forbidden'].includes(problem), problem);
      }
    }
    await untilTreated(server, human.id);
  }
  t.diagnostic(`${accepted} writes accepted, ${refused} refused, over ${rounds} closings`);
  assert.ok(accepted > rounds * 5 && refused > rounds * 20);
});
