// legal-removal: 451 whatever comes, and back to what the article was.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { assertProblem, startServer } from './harness.ts';
import type { Human } from './harness.ts';
import { sendAppeal } from './appeals.ts';
import { act, aModerator } from './moderators.ts';
import { operate } from './operator.ts';
import { assertGone } from './problem-checks.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const legal = (...args: string[]) => operate(server, 'legal-removal', ...args);

const read = (id: string, human?: Human) =>
  server.ask('GET', `/v1/articles/${id}`, human && { token: human.token });

test('a published article answers 451 with the reason, is listed nowhere, and comes back', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const removed = await legal(id, 'court_order');
  assert.equal(removed.code, 0, removed.complaint);
  assert.equal(removed.out, `${id}: was published, now returns 451 (court_order).\n`);
  for (const reader of [undefined, human]) {
    const answer = await read(id, reader);
    assertProblem(answer, 'unavailable-for-legal-reasons');
    assert.equal(answer.body.reason_code, 'court_order');
    assert.match(answer.body.removed_at, /Z$/);
  }
  const listed = async () =>
    (await server.ask('GET', `/v1/articles?author=${human.id}`)).body.items.length as number;
  assert.equal(await listed(), 0);
  const restored = await legal(id, '--restore');
  assert.equal(restored.out, `${id}: no longer removed for legal reasons, now published.\n`);
  assert.equal((await read(id)).status, 200);
  assert.equal(await listed(), 1);
  const rows = await server.db.rows(sql<{ action: string; actor: string; details: object }>`
    select action, actor, details
    from audit_log
    where bucket = 0 and target_id = ${id} and target_type = 'article'
    order by number`);
  assert.deepEqual(rows, [
    {
      action: 'legal-removal',
      actor: 'operator',
      details: {
        reason_code: 'court_order',
        before: { status: 'published', removed_at: null, reason_code: null, deindexed: false },
      },
    },
    {
      action: 'legal-restore',
      actor: 'operator',
      details: { status: 'published', deindexed: false },
    },
  ]);
});

test('a draft and a removed article come back as they were', async () => {
  const human = await server.register();
  const [draft, gone] = [await server.draft(human), await server.published(human)];
  await server.ask('DELETE', `/v1/articles/${gone.id}`, { token: human.token });
  const before = await read(gone.id);
  for (const { id } of [draft, gone]) {
    assert.equal((await legal(id, 'illegal')).code, 0);
    assertProblem(await read(id, human), 'unavailable-for-legal-reasons');
    assert.equal((await legal(id, '--restore')).code, 0);
  }
  assert.equal((await read(draft.id, human)).body.status, 'draft');
  const back = await read(gone.id);
  assertGone(back);
  assert.equal(back.body.removed_at, before.body.removed_at);
  assert.equal(back.body.reason_code, undefined);
});

/** What a moderator had done before the legal removal, and what readers see again afterwards. */
const earlier = [
  { action: 'hide', reason_code: 'child_safety', status: 404, told: 'hidden' },
  { action: 'remove', reason_code: 'hate', status: 410, told: 'removed' },
  { action: 'de-index', reason_code: 'spam', status: 200, told: 'published, de-indexed' },
] as const;

for (const { action, reason_code, status, told } of earlier) {
  test(`what a moderator had done before it applies again: ${action}`, async () => {
    const human = await server.register();
    const moderator = await aModerator(server);
    const { id } = await server.published(human);
    const done = await act(server, moderator, {
      action,
      reason_code,
      target_type: 'article',
      target_id: id,
    });
    const before = await read(id);
    await legal(id, 'court_order');
    assertProblem(await read(id), 'unavailable-for-legal-reasons');
    const lifted = await legal(id, '--restore');
    assert.equal(lifted.out, `${id}: no longer removed for legal reasons, now ${told}.\n`);
    const after = await read(id);
    assert.equal(after.status, status);
    assert.equal(after.body.removed_at, before.body.removed_at);
    assert.equal(after.body.reason_code, before.body.reason_code);
    const listed = await server.ask('GET', `/v1/articles?author=${human.id}`);
    assert.deepEqual(listed.body.items, []);
    const inForce = await server.db.rows(sql<{ id: string }>`
      select id
      from moderation_actions
      where bucket = ${bucketOf(id)} and target_id = ${id} and action <> 'restore' and lifted_at is null`);
    assert.deepEqual(inForce, [{ id: done.id }]);
    const [named] = await server.db.rows(sql<{ moderation_action_id: string }>`
      select moderation_action_id
      from articles
      where bucket = ${bucketOf(id)} and id = ${id}`);
    assert.equal(named?.moderation_action_id, done.id, 'it names what is in force again');
    await act(server, moderator, {
      action: 'restore',
      reason_code: 'mistake',
      target_type: 'article',
      target_id: id,
    });
    assert.equal((await read(id)).status, 200);
  });
}

test('an action whose appeal was upheld meanwhile does not apply again', async () => {
  const [one, other, third] = await Promise.all([1, 2, 3].map(() => aModerator(server)));
  const human = await server.register();
  const { id } = await server.published(human);
  const target = { target_type: 'article', target_id: id } as const;
  await act(server, one as Human, { ...target, action: 'de-index' });
  const hidden = await act(server, other as Human, { ...target, action: 'hide' });
  const appeal = await sendAppeal(server, human, hidden.id);
  await legal(id, 'court_order');
  const upheld = await server.ask('POST', `/v1/moderation/appeals/${appeal}/review`, {
    token: third?.token ?? '',
    body: { status: 'upheld' },
  });
  assert.equal(upheld.status, 200, JSON.stringify(upheld.body));
  const lifted = await legal(id, '--restore');
  assert.match(lifted.out, /now published, de-indexed\.$/m);
  assert.equal((await read(id)).status, 200);
});

test('what is erased meanwhile stays 451, and erased after it', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await legal(id, 'privacy');
  const asked = { token: human.token, body: { confirm: 'erase' } };
  assert.equal((await server.ask('POST', `/v1/articles/${id}/erase`, asked)).status, 200);
  assertProblem(await read(id), 'unavailable-for-legal-reasons');
  assert.equal(
    (await legal(id, '--restore')).out,
    `${id}: no longer removed for legal reasons, now erased.\n`,
  );
  assertGone(await read(id));
});

test('it refuses what it cannot do, in one sentence', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const cases = [
    [[], /Name the article and the reason/],
    [[id], /Name the article and the reason/],
    [['x', 'illegal'], /Name the article and the reason/],
    [[id, 'because'], /is not a reason code: use one of spam/],
    [[newId(5), 'illegal'], /No article has the id/],
    [[id, '--restore'], /not removed for legal reasons/],
  ] as const;
  for (const [args, sentence] of cases) {
    const { code, complaint, out } = await legal(...args);
    assert.equal(code, 1);
    assert.match(complaint, sentence);
    assert.equal(out, '');
  }
  await legal(id, 'illegal');
  assert.match((await legal(id, 'illegal')).complaint, /already/);
});

test('two at once: one removes, the other is told', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const both = await Promise.all([legal(id, 'illegal'), legal(id, 'privacy')]);
  assert.deepEqual(new Set(both.map(({ code }) => code)), new Set([0, 1]));
});
