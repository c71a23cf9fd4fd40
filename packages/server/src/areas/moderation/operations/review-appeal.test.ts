// Decisions on appeals: by another moderator, only once, with events for the parties.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ModerationSource } from '@colophon/contract';
import { sql } from '#database';
import { upholdOpenAppeals } from '../service/reviews.ts';
import { newId } from '#lib/id';
import type { NewEvent } from '#event-log';
import { storeToken } from '#test/accounts';
import { createAgent } from '#test/agents';
import { sendAppeal, storeAction } from '#test/appeals';
import type { ActionInput } from '#test/appeals';
import { assertProblem, startServer } from '#test/harness';
import { act, askAct } from '#test/moderators';
import { assertGone } from '#test/problem-checks';
import type { Human } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

async function aModerator(): Promise<Human> {
  const human = await server.register();
  return { ...human, token: await storeToken(server, human.id, ['admin:moderate']) };
}

const [first, second] = [await aModerator(), await aModerator()];

async function anAppeal(input: Partial<ActionInput> = {}, author?: Human) {
  const who = author ?? (await server.register());
  const target = { targetId: newId(7), authorId: who.id, moderatorId: first.id, ...input };
  const action = await storeAction(server, target);
  return { author: who, action, target, id: await sendAppeal(server, who, action.id) };
}

function review(who: Human, id: string, body: object = { status: 'rejected' }) {
  return server.ask('POST', `/v1/moderation/appeals/${id}/review`, { token: who.token, body });
}

async function eventsFor(who: Human) {
  const { body } = await server.ask('GET', '/v1/events?type=appeal.resolved', { token: who.token });
  return body.items as { subject_id: string; actor_principal_id: null; payload: object }[];
}

test('200 for another moderator: author and owner are told why, and not by whom', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const { id, action, target } = await anAppeal({ ownerId: owner.id }, agent);
  const answer = await review(second, id, { status: 'rejected', resolution: 'It was spam.' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.status, 'rejected');
  assert.equal(answer.body.resolution, 'It was spam.');
  for (const who of [agent, owner]) {
    const [event, ...more] = await eventsFor(who);
    assert.deepEqual(more, []);
    assert.equal(event?.subject_id, target.targetId);
    assert.equal(event.actor_principal_id, null);
    assert.deepEqual(event.payload, {
      action_id: action.id,
      appeal_id: id,
      status: 'rejected',
      resolution: 'It was spam.',
    });
  }
  const row = await server.db.first(sql<{ actor: string; action: string; details: object }>`
    select actor, action, details
    from audit_log
    where bucket = 0 and target_id = ${target.targetId}`);
  assert.deepEqual(row, {
    actor: second.id,
    action: 'appeal-rejected',
    details: { appeal_id: id, action_id: action.id },
  });
});

test('200 upheld where nothing is left to restore: after a warning, and of what was taken back', async () => {
  const warned = await anAppeal({ action: 'warn' });
  assert.equal((await review(second, warned.id, { status: 'upheld' })).body.status, 'upheld');
  const restored = await anAppeal();
  await server.db.transaction((tx) =>
    tx.run(sql`
      update moderation_actions
      set lifted_at = now(), lifted_by_id = ${newId(7)}
      where bucket = 7 and id = ${restored.action.id}`),
  );
  assert.equal((await review(second, restored.id, { status: 'upheld' })).status, 200);
});

test('403 forbidden for the moderator who acted', async () => {
  const { id } = await anAppeal();
  assertProblem(await review(first, id), 'forbidden');
  assert.equal((await review(second, id)).status, 200);
});

test('403 forbidden for a party', async () => {
  const author = await aModerator();
  const human = await server.register();
  const { id } = await anAppeal({}, { ...author, token: author.token });
  assertProblem(await review(author, id), 'forbidden');
  const agent = await createAgent(server, human);
  const token = await storeToken(server, human.id, ['admin:moderate']);
  const ofAgent = await anAppeal({ ownerId: human.id }, agent);
  assertProblem(await review({ ...human, token }, ofAgent.id), 'forbidden');
});

test('404 not-found for an appeal that does not exist', async () => {
  assertProblem(await review(second, newId(7)), 'not-found');
});

test('409 conflict for upheld while the action is in force', async () => {
  const { id } = await anAppeal();
  const refused = await review(second, id, { status: 'upheld' });
  assertProblem(refused, 'conflict');
  assert.match(refused.body.detail, /restore/);
});

test('409 conflict for all but one of twenty at once; the parties are told once', async () => {
  const { id, author } = await anAppeal();
  const answers = await Promise.all(Array.from({ length: 20 }, () => review(second, id)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    assertProblem(answer, 'conflict');
  assert.equal((await eventsFor(author)).length, 1);
});

test('422 validation-failed for another status', async () => {
  const { id } = await anAppeal();
  assertProblem(await review(second, id, { status: 'open' }), 'validation-failed');
});

function uphold(targetId: string, moderatorId: string, events: NewEvent[] = []) {
  const restoration = { actionId: newId(7), reasonText: null };
  const input = {
    targetType: 'article' as const,
    appealId: null,
    targetId,
    moderatorId,
    ...restoration,
  };
  const notify = (event: NewEvent) => void events.push(event);
  return server.db.transaction((tx) =>
    upholdOpenAppeals(tx, { ...input, now: new Date(), notify }),
  );
}

test('a restoration upholds every open appeal against actions on its target, and notifies', async () => {
  const targetId = newId(7);
  const one = await anAppeal({ targetId });
  const other = await anAppeal({ targetId, action: 'de-index' }, one.author);
  const elsewhere = await anAppeal();
  const events: NewEvent[] = [];
  assert.equal(await uphold(targetId, second.id, events), 'done');
  assert.deepEqual(
    events.map(({ recipientId, type, payload }) =>
      type === 'appeal.resolved' ? [recipientId, payload.appeal_id, payload.status] : type,
    ),
    [one, other].map(({ id, author }) => [author.id, id, 'upheld']),
  );
  for (const { id } of [one, other]) assertProblem(await review(second, id), 'conflict');
  assert.equal((await review(second, elsewhere.id)).status, 200);
  const rows = await server.db.rows(sql<{ appeal_status: string }>`
    select appeal_status
    from moderation_actions
    where bucket = 7 and target_id = ${targetId}
    order by id`);
  assert.deepEqual(
    rows.map((row) => row.appeal_status),
    ['upheld', 'upheld'],
  );
});

test('a restoration upholds nothing without an appeal, or by the moderator who acted', async () => {
  const { target, id } = await anAppeal();
  assert.equal(await uphold(newId(7), second.id), 'missing');
  assert.equal(await uphold(target.targetId, first.id), 'own');
  assert.equal((await review(second, id)).status, 200);
});

/** An appeal against what a moderator did to a published article. */
async function appealAgainst(action: 'hide' | 'remove') {
  const author = await server.register();
  const { id: article } = await server.published(author);
  const target = { target_type: 'article', target_id: article } as const;
  const done = await act(server, first, { ...target, action });
  return { author, target, actionId: done.id, id: await sendAppeal(server, author, done.id) };
}

const restoreFor = (
  target: { target_type: 'article'; target_id: string },
  source: ModerationSource,
) => askAct(server, second, { ...target, action: 'restore', source, reason_code: 'appeal_upheld' });

test('200 where the law removed it meanwhile: only the action of the appeal is lifted', async () => {
  const { target, id, actionId } = await appealAgainst('hide');
  await act(server, first, { ...target, action: 'remove', source: 'legal' });
  assertProblem(await restoreFor(target, 'appeal'), 'conflict');
  assert.equal((await review(second, id, { status: 'upheld' })).status, 200);
  assertProblem(
    await server.ask('GET', `/v1/articles/${target.target_id}`),
    'unavailable-for-legal-reasons',
  );
  const appeal = await server.ask('GET', `/v1/moderation/appeals/${id}`, { token: second.token });
  const lifted = appeal.body.actions.filter((one: { lifted_at: string | null }) => one.lifted_at);
  assert.deepEqual(
    lifted.map((one: Record<string, unknown>) => [one['id'], one['lifted_by_id']]),
    [[actionId, id]],
  );
  await act(server, second, { ...target, action: 'restore', source: 'legal' });
  assert.equal((await server.ask('GET', `/v1/articles/${target.target_id}`)).status, 200);
});

test('409 while a restoration can uphold it, which says how', async () => {
  const { target, id } = await appealAgainst('remove');
  const refused = await review(second, id, { status: 'upheld' });
  assertProblem(refused, 'conflict');
  assert.match(refused.body.detail, /action restore and the source appeal/);
  assert.equal((await restoreFor(target, 'appeal')).status, 201);
});

test('an appeal over what its author erased is upheld by a restoration, and it stays erased', async () => {
  const { author, target, id } = await appealAgainst('remove');
  const asked = { token: author.token, body: { confirm: 'erase' } };
  const path = `/v1/articles/${target.target_id}`;
  assert.equal((await server.ask('POST', `${path}/erase`, asked)).status, 200);
  assert.equal((await server.ask('GET', path)).body.reason_code, 'spam');
  assert.equal((await restoreFor(target, 'appeal')).status, 201);
  const gone = await server.ask('GET', path);
  assertGone(gone);
  assert.equal(gone.body.reason_code, undefined);
  const appeal = await server.ask('GET', `/v1/moderation/appeals/${id}`, { token: second.token });
  assert.equal(appeal.body.status, 'upheld');
});

test('two at once, a review and a restoration: one upholds it, and none waits for ever', async () => {
  const { target, id } = await appealAgainst('hide');
  const answers = await Promise.all([
    restoreFor(target, 'appeal'),
    review(second, id, { status: 'upheld' }),
    review(second, id, { status: 'rejected' }),
  ]);
  assert.equal(answers.filter(({ status }) => status < 300).length, 1);
  for (const { status } of answers) assert.ok([200, 201, 409].includes(status), String(status));
});
