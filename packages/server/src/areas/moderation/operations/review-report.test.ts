// POST /v1/moderation/reports/{id}/review over HTTP: every change of status, permissions, and events.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { storeAgent, storeToken } from '#test/accounts';
import { comment, eventsOf } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { aRecord } from '#test/media-files';
import { assertFault } from '#test/problem-checks';
import { age, auditOf, changesOf, moderator, read, report, review } from '#test/reports';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [mod, colleague] = [await moderator(server), await moderator(server)];

test('200 reviewing: the report is the caller’s for 24 hours', async () => {
  const id = await report(server);
  const { status, body } = await review(server, mod, id, { status: 'reviewing' });
  assert.equal(status, 200);
  assert.deepEqual(body, { id, status: 'reviewing' });
  const seen = (await read(server, colleague, id)).body;
  assert.deepEqual([seen.status, seen.claimed_by, seen.closed_at], ['reviewing', mod.id, null]);
  const hours = (Date.parse(seen.claimed_until) - Date.now()) / 3_600_000;
  assert.ok(Math.abs(hours - limits.claim_hours) < 0.05, seen.claimed_until);
});

test('200 rejected: closed at once, or by the moderator who claimed it, with a resolution', async () => {
  for (const claims of [false, true]) {
    const id = await report(server);
    if (claims)
      await review(server, mod, id, { status: 'reviewing', resolution: 'Looks harmless.' });
    const asked = { status: 'rejected', ...(claims ? {} : { resolution: 'No harm.' }) };
    assert.deepEqual((await review(server, mod, id, asked)).body, { id, status: 'rejected' });
    const seen = (await read(server, mod, id)).body;
    assert.equal(seen.status, 'rejected');
    assert.equal(seen.resolution, claims ? 'Looks harmless.' : 'No harm.');
    assert.deepEqual([seen.claimed_by, seen.claimed_until, seen.action_id], [null, null, null]);
    assert.match(seen.closed_at, /Z$/);
  }
});

/** Creates a report and returns its id. */
type SetUp = () => Promise<string>;
const claimedBy =
  (who: Human, hours = 0): SetUp =>
  async () => {
    const id = await report(server);
    assert.equal((await review(server, who, id, { status: 'reviewing' })).status, 200);
    await age(server, id, hours);
    return id;
  };
const before: Readonly<Record<string, readonly [SetUp, reviewing: boolean, rejected: boolean]>> = {
  'is open': [() => report(server), true, true],
  'the caller claimed': [claimedBy(mod), false, true],
  'another claimed': [claimedBy(colleague), false, false],
  'the caller claimed, 23 hours ago': [claimedBy(mod, 23), false, true],
  'another claimed, 23 hours ago': [claimedBy(colleague, 23), false, false],
  'the caller claimed, 24 hours ago': [claimedBy(mod, 24), true, true],
  'another claimed, 24 hours ago': [claimedBy(colleague, 24), true, true],
  'was rejected': [
    async () => {
      const id = await report(server);
      await review(server, mod, id, { status: 'rejected' });
      return id;
    },
    false,
    false,
  ],
  'was acted on': [
    async () => {
      const id = await report(server);
      await server.db.transaction((tx) =>
        tx.run(sql`
          update reports
          set status = 'actioned', action_id = ${newId(bucketOf(id))}, closed_at = now()
          where bucket = ${bucketOf(id)} and id = ${id}`),
      );
      return id;
    },
    false,
    false,
  ],
};

for (const [what, [setUp, ...allowed]] of Object.entries(before)) {
  for (const [place, to] of (['reviewing', 'rejected'] as const).entries()) {
    const may = allowed[place] === true;
    test(`${may ? '200' : '409 conflict'}: ${to}, of a report that ${what}`, async () => {
      const id = await setUp();
      const changes = await changesOf(server, id);
      const audited = await auditOf(server, id);
      const answer = await review(server, mod, id, { status: to });
      if (may) {
        assert.deepEqual(answer.body, { id, status: to });
        const [change, ...more] = (await changesOf(server, id)).slice(changes.length);
        assert.deepEqual(more, []);
        assert.equal(
          change?.from_status,
          what === 'is open' || what.includes('24') ? 'open' : 'reviewing',
        );
        assert.deepEqual([change?.to_status, change?.moderator_id], [to, mod.id]);
        assert.equal((await auditOf(server, id)).length, audited.length + 1);
        return;
      }
      assertProblem(answer, 'conflict');
      assert.deepEqual(await changesOf(server, id), changes);
      assert.deepEqual(await auditOf(server, id), audited);
    });
  }
}

test('200 each change has one row of history and one of the audit log, which tells no details', async () => {
  const target_id = newId(11);
  const id = await report(server, {
    target_id,
    details: 'quombatrix',
    reporter_contact: 'quombatrix',
  });
  await review(server, mod, id, { status: 'reviewing' });
  await review(server, mod, id, { status: 'rejected', resolution: 'quombatrix' });
  assert.deepEqual(
    (await changesOf(server, id)).map(({ from_status: from, to_status: to }) => [from, to]),
    [
      [null, 'open'],
      ['open', 'reviewing'],
      ['reviewing', 'rejected'],
    ],
  );
  const of = { actor: mod.id, action: 'review-report', target_type: 'article', target_id };
  assert.deepEqual(await auditOf(server, id), [
    { ...of, details: { report_id: id, from: 'open', to: 'reviewing' } },
    { ...of, details: { report_id: id, from: 'reviewing', to: 'rejected' } },
  ]);
});

test('200 tells a reporter with an account of the rejection, and not by whom', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  for (const one of [human, agent]) {
    const target_id = newId(13);
    const id = await report(server, { target_type: 'media', target_id }, { token: one.token });
    await review(server, mod, id, { status: 'reviewing' });
    assert.deepEqual(await eventsOf(server, one.id), [], 'a claim notifies no one');
    await review(server, mod, id, { status: 'rejected', resolution: 'For moderators.' });
    assert.deepEqual(await eventsOf(server, one.id), [
      {
        type: 'report.resolved',
        actor_principal_id: null,
        subject_type: 'media',
        subject_id: target_id,
        payload: { report_id: id, status: 'rejected' },
      },
    ]);
    const feed = await server.ask('GET', '/v1/events?type=report.resolved', { token: one.token });
    assert.equal(feed.body.items.length, 1);
  }
  assert.deepEqual((await eventsOf(server, human.id)).length, 1, 'an owner did not report');
});

test('200 notifies no one of their own act, and no one of an anonymous report', async () => {
  const judge = await moderator(server);
  const own = await report(server, {}, { token: judge.token });
  await review(server, judge, own, { status: 'rejected' });
  await review(server, judge, await report(server), { status: 'rejected' });
  assert.deepEqual(await eventsOf(server, judge.id), []);
});

test('403 forbidden: on the caller, the caller’s works and those of the caller’s agents', async () => {
  const judge = await moderator(server);
  const agent = await storeAgent(server, judge);
  const other = await server.register();
  const [own, agents] = [await server.published(judge), await server.published(agent)];
  const targets = [
    ['principal', judge.id],
    ['principal', agent.id],
    ['article', own.id],
    ['article', agents.id],
    ['comment', (await comment(server, judge, agents.id)).id],
    ['comment', (await comment(server, agent, own.id)).id],
    ['media', (await aRecord(server, judge, 'image')).id],
    ['media', (await aRecord(server, agent, 'image')).id],
  ] as const;
  for (const [target_type, target_id] of targets) {
    const id = await report(server, { target_type, target_id });
    for (const status of ['reviewing', 'rejected'])
      assertProblem(await review(server, judge, id, { status }), 'forbidden');
    assert.equal((await review(server, mod, id, { status: 'rejected' })).status, 200);
  }
  const beside = (await comment(server, other, own.id)).id;
  const id = await report(server, { target_type: 'comment', target_id: beside });
  assert.equal((await review(server, judge, id, { status: 'reviewing' })).status, 200);
});

test('404 not-found: no report has this id', async () => {
  assertProblem(await review(server, mod, newId(7), { status: 'reviewing' }), 'not-found');
});

test('422 validation-failed: states that a review does not lead to, and a resolution too long', async () => {
  const id = await report(server);
  for (const status of ['open', 'actioned', 'closed', '', null])
    assertFault(await review(server, mod, id, { status }), '/status');
  assertFault(await review(server, mod, id, {}), '/status');
  const resolution = 'x'.repeat(limits.resolution_max);
  assertFault(
    await review(server, mod, id, { status: 'rejected', resolution: `${resolution}x` }),
    '/resolution',
  );
  assert.equal((await review(server, mod, id, { status: 'rejected', resolution })).status, 200);
});

test('a claim that is sent again after its answer was lost succeeds again', async () => {
  const id = await report(server);
  await review(server, mod, id, { status: 'reviewing' });
  const again = await review(server, mod, id, { status: 'reviewing' });
  assertProblem(again, 'conflict');
  assert.match(again.body.detail, /^You have already claimed the report/);
});

test('403 insufficient-scope and 401 unauthenticated: the scope goes, then the token', async () => {
  const id = await report(server);
  const bare = await storeToken(server, mod.id, ['articles:read']);
  assertProblem(
    await review(server, { token: bare }, id, { status: 'reviewing' }),
    'insufficient-scope',
  );
  const lost = await storeToken(server, mod.id, ['admin:moderate']);
  const me = await server.ask('GET', '/v1/me', { token: lost });
  await server.ask('DELETE', `/v1/tokens/${me.body.token.id as string}`, { token: lost });
  assertProblem(
    await review(server, { token: lost }, id, { status: 'reviewing' }),
    'unauthenticated',
  );
});
