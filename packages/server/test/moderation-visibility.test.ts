// Who may do and see what in moderation: every operation of it, everybody who may come, every way something is told.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operationList } from '@colophon/contract';
import type { OperationName } from '@colophon/contract';
import { problemName, startServer } from './harness.ts';
import type { Response } from './harness.ts';
import {
  actors,
  expectedAnswer,
  otherReads,
  createScenario,
  notified,
  ways,
} from './moderation-visibility.ts';
import type { Actor, Scenario } from './moderation-visibility.ts';
import { review } from './reports.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const operations = operationList.filter(({ tag }) => tag === 'moderation');
const scenario = await createScenario(server);

function tokenOf({ cast }: Scenario, actor: Actor): { readonly token?: string } {
  return actor === 'anonymous' ? {} : { token: cast[actor].token };
}

async function askAs(operation: (typeof operations)[number], on: Scenario, actor: Actor) {
  const way = ways[operation.name as OperationName] ?? assert.fail(`${operation.name} has no way`);
  const [path, rest] = way(on);
  return server.ask(operation.method, path, { ...rest, ...tokenOf(on, actor) });
}

test('every operation of moderation has a way, and no other', () => {
  assert.deepEqual(Object.keys(ways).toSorted(), operations.map(({ name }) => name).toSorted());
});

for (const operation of operations) {
  for (const actor of actors) {
    test(`${operation.name}, by ${actor}: ${expectedAnswer(operation, actor)}`, async () => {
      // What changes something has a scenario of its own.
      const on = operation.method === 'GET' ? scenario : await createScenario(server);
      const answer = await askAs(operation, on, actor);
      const outcome = answer.status < 300 ? 'ok' : problemName(answer);
      assert.equal(outcome, expectedAnswer(operation, actor), JSON.stringify(answer.body));
    });
  }
}

/** Everything that somebody can read, as one text. */
async function allRead(on: Scenario, actor: Actor): Promise<string> {
  const reads = operations.filter(({ method }) => method === 'GET');
  const answers: Response[] = [];
  for (const operation of reads) answers.push(await askAs(operation, on, actor));
  for (const path of otherReads)
    answers.push(await server.ask('GET', path(on), tokenOf(on, actor)));
  // What somebody names in a path is said back to them.
  const bodies = answers.map(({ body, status }) =>
    status < 300 ? body : { ...body, instance: '' },
  );
  return bodies.map((body) => JSON.stringify(body)).join('\n');
}

for (const actor of actors) {
  test(`${actor} is told what is theirs to know, and nothing else`, async () => {
    const on = await createScenario(server);
    const decided = await review(server, on.cast.moderator, on.reportId, { status: 'rejected' });
    assert.equal(decided.status, 200);
    const path = `/v1/moderation/appeals/${on.appealId}/review`;
    const { token } = on.cast.moderator;
    const body = { status: 'rejected', resolution: 'It stands.' };
    assert.equal((await server.ask('POST', path, { token, body })).status, 200);
    const text = await allRead(on, actor);
    for (const [what, [mark, who]] of Object.entries(notified))
      assert.equal(text.includes(mark(on)), who.includes(actor), `${what}, by ${actor}`);
  });
}

test('a moderator whom a report is about does not see who filed it, in the queue either', async () => {
  const { party, moderator, reporter } = scenario.cast;
  for (const [who, contact, filer] of [
    [party, null, null],
    [moderator, scenario.words.contact, reporter.id],
  ] as const) {
    const one = await server.ask('GET', `/v1/moderation/reports/${scenario.reportId}`, {
      token: who.token,
    });
    const list = await server.ask('GET', '/v1/moderation/reports?limit=100', { token: who.token });
    const listed = list.body.items.find((item: { id: string }) => item.id === scenario.reportId);
    for (const seen of [one.body, listed])
      assert.deepEqual([seen.reporter_contact, seen.reporter_principal_id], [contact, filer]);
  }
});
