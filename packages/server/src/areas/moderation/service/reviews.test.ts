// Reports closed by an action: which statuses lead to `actioned`, stored fields, events, and the race.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import type { NewEvent } from '#event-log';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { age, changesOf, moderator, read, report, review } from '#test/reports';
import { closeReport } from './reviews.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [mod, colleague] = [await moderator(server), await moderator(server)];

async function act(id: string, by: Human = mod) {
  const actionId = newId(1);
  const events: NewEvent[] = [];
  const outcome = await server.db.transaction((tx) =>
    closeReport(tx, {
      reportId: id,
      moderatorId: by.id,
      actionId,
      now: new Date(),
      notify: (event) => void events.push(event),
    }),
  );
  return { outcome, actionId, events };
}

test('done: an open report names the action, has one more row of history, and its reporter is told', async () => {
  const human = await server.register();
  const target_id = newId(5);
  const id = await report(server, { target_id }, { token: human.token });
  const { outcome, actionId, events } = await act(id);
  assert.equal(outcome, 'done');
  const seen = (await read(server, mod, id)).body;
  assert.deepEqual([seen.status, seen.action_id, seen.claimed_by], ['actioned', actionId, null]);
  assert.match(seen.closed_at, /Z$/);
  assert.deepEqual((await changesOf(server, id)).slice(1), [
    {
      from_status: 'open',
      to_status: 'actioned',
      moderator_id: mod.id,
      resolution: null,
      action_id: actionId,
    },
  ]);
  assert.deepEqual(events, [
    {
      recipientId: human.id,
      type: 'report.resolved',
      actorId: null,
      subjectType: 'article',
      subjectId: target_id,
      payload: { report_id: id, status: 'actioned' },
    },
  ]);
});

test('done or closed: by the claimant, by another, after the claim lapsed, and once only', async () => {
  const id = await report(server);
  await review(server, colleague, id, { status: 'reviewing' });
  assert.equal((await act(id)).outcome, 'closed');
  assert.equal((await act(id, colleague)).outcome, 'done');
  assert.equal((await act(id, colleague)).outcome, 'closed');

  const lapsed = await report(server);
  await review(server, colleague, lapsed, { status: 'reviewing' });
  await age(server, lapsed, 24);
  assert.equal((await act(lapsed)).outcome, 'done');

  const rejected = await report(server);
  await review(server, mod, rejected, { status: 'rejected' });
  const { outcome, events } = await act(rejected);
  assert.deepEqual([outcome, events], ['closed', []]);
  assert.equal((await changesOf(server, rejected)).length, 2);
});

test('missing: no such report, and no id at all', async () => {
  assert.equal((await act(newId(2))).outcome, 'missing');
  assert.equal((await act('nothing')).outcome, 'missing');
});

test('one done and the others closed: actions and reviews at once', async () => {
  const id = await report(server);
  const [acts, reviews] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => act(id))),
    Promise.all(Array.from({ length: 5 }, () => review(server, mod, id, { status: 'rejected' }))),
  ]);
  const done = acts.filter(({ outcome }) => outcome === 'done').length;
  const rejected = reviews.filter(({ status }) => status === 200).length;
  assert.equal(done + rejected, 1);
  assert.equal(acts.filter(({ outcome }) => outcome === 'closed').length, acts.length - done);
  assert.equal((await changesOf(server, id)).length, 2);
});
