// POST /v1/moderation/actions: responses, records and events.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bucketOf } from '#lib/id';
import { createAgent } from '#test/agents';
import { sendAppeal } from '#test/appeals';
import { comment, eventsOf } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import { assertFault } from '#test/problem-checks';
import { pngOf, upload } from '#test/media-files';
import { act, actsOn, anArticle, askAct, aModerator } from '#test/moderators';
import type { Input } from '#test/moderators';
import { report } from '#test/reports';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

test('201 with the whole action, which the audit log names too', async () => {
  const { input } = await anArticle(server);
  const { status, body } = await askAct(server, moderator, { ...input, reason_text: 'It sells.' });
  assert.equal(status, 201);
  const { id, created_at, ...rest } = body;
  assert.equal(bucketOf(id), bucketOf(input.target_id));
  assert.match(created_at, /Z$/);
  assert.deepEqual(rest, {
    ...input,
    reason_code: 'spam',
    reason_text: 'It sells.',
    source: 'proactive',
    report_id: null,
    moderator_id: moderator.id,
    lifted_at: null,
    lifted_by_id: null,
    appeal_status: null,
  });
  assert.deepEqual(await actsOn(server, input.target_id), [
    {
      actor: moderator.id,
      action: 'hide',
      target_type: 'article',
      details: { action_id: id, reason_code: 'spam', source: 'proactive' },
    },
  ]);
});

test('201 and the author is told why, the owner of an agent too, and never by whom', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const host = await server.published(await server.register());
  const works: readonly Input[] = [
    { target_type: 'article', target_id: (await server.published(agent)).id, action: 'remove' },
    {
      target_type: 'comment',
      target_id: (await comment(server, agent, host.id)).id,
      action: 'hide',
    },
    {
      target_type: 'media',
      target_id: (await upload(server, agent, 'image', pngOf(1, 1))).body.id,
      action: 'warn',
    },
    { target_type: 'principal', target_id: agent.id, action: 'suspend' },
  ];
  for (const input of works) {
    const done = await act(server, moderator, { ...input, reason_text: 'Read the rules.' });
    for (const id of [agent.id, owner.id]) {
      const told = (await eventsOf(server, id)).at(-1);
      assert.deepEqual(told, {
        type: 'moderation.action',
        actor_principal_id: null,
        subject_type: input.target_type,
        subject_id: input.target_id,
        payload: {
          action_id: done.id,
          action: input.action,
          reason_code: 'spam',
          reason_text: 'Read the rules.',
          source: 'proactive',
        },
      });
    }
  }
});

test('201 and the article names the action to its author, owner and moderators, and to no one else', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const stranger = await server.register();
  const { id } = await server.published(agent);
  const read = async (token: string) =>
    (await server.ask('GET', `/v1/articles/${id}`, { token })).body;
  const target = { target_type: 'article' as const, target_id: id };
  const listed = await act(server, moderator, { ...target, action: 'de-index' });
  assert.ok(!('moderation' in (await read(stranger.token))));
  await act(server, moderator, { ...target, action: 'warn' });
  const label = {
    action_id: listed.id,
    action: 'de-index',
    reason_code: 'spam',
    source: 'proactive',
    created_at: listed.created_at,
  };
  for (const { token } of [agent, owner, moderator])
    assert.deepEqual((await read(token)).moderation, label);
  const hidden = await act(server, moderator, { ...target, action: 'hide', reason_code: 'fraud' });
  assert.equal((await read(agent.token)).moderation.action_id, hidden.id);
  const own = await server.ask('GET', '/v1/articles?status=hidden', { token: agent.token });
  assert.equal(own.body.items[0].moderation.reason_code, 'fraud');
  await act(server, moderator, { ...target, action: 'restore' });
  for (const { token } of [agent, owner, moderator])
    assert.equal((await read(token)).moderation, null);
});

test('201 and a comment names the action in the same way', async () => {
  const [author, stranger] = [await server.register(), await server.register()];
  const host = await server.published(stranger);
  const { id } = await comment(server, author, host.id);
  const done = await act(server, moderator, {
    target_type: 'comment',
    target_id: id,
    action: 'hide',
  });
  for (const { token } of [author, moderator]) {
    const one = await server.ask('GET', `/v1/comments/${id}`, { token });
    const list = await server.ask('GET', `/v1/articles/${host.id}/comments`, { token });
    assert.equal(one.body.moderation.action_id, done.id);
    assert.equal(list.body.items[0].moderation.action_id, done.id);
  }
  const list = await server.ask('GET', `/v1/articles/${host.id}/comments`, {
    token: stranger.token,
  });
  assert.deepEqual(
    [list.body.items[0].status, 'moderation' in list.body.items[0]],
    ['hidden', false],
  );
});

test('201 with the report closed, and the reporter told', async () => {
  const { input } = await anArticle(server);
  const reporter = await server.register();
  const report_id = await report(server, { target_id: input.target_id }, { token: reporter.token });
  const done = await act(server, moderator, { ...input, source: 'report', report_id });
  assert.equal(done.report_id, report_id);
  const path = `/v1/moderation/reports/${report_id}`;
  const closed = await server.ask('GET', path, { token: moderator.token });
  assert.deepEqual([closed.body.status, closed.body.action_id], ['actioned', done.id]);
  const told = await eventsOf(server, reporter.id);
  assert.deepEqual(
    told.map(({ type, subject_id }) => [type, subject_id]),
    [['report.resolved', input.target_id]],
  );
});

test('201 on an author for a report on a work of theirs of each kind, 422 on another for the same report', async () => {
  const host = await server.published(await server.register());
  for (const type of ['article', 'comment', 'media'] as const) {
    const author = await server.register();
    const other = await server.register();
    const works = {
      article: async () => (await server.published(author)).id,
      comment: async () => (await comment(server, author, host.id)).id,
      media: async () => (await upload(server, author, 'image', pngOf(1, 1))).body.id as string,
    };
    const report_id = await report(server, { target_type: type, target_id: await works[type]() });
    const input = { target_type: 'principal', action: 'suspend', report_id } as const;
    const onOther = await askAct(server, moderator, { ...input, target_id: other.id });
    assertFault(onOther, '/report_id', 'unknown');
    const done = await act(server, moderator, { ...input, target_id: author.id });
    assert.equal(done.report_id, report_id, type);
  }
});

test('201 for a restoration that upholds an appeal, by another moderator', async () => {
  const author = await server.register();
  const { id } = await server.published(author);
  const target = { target_type: 'article' as const, target_id: id };
  const restore = {
    ...target,
    action: 'restore',
    source: 'appeal',
    reason_code: 'appeal_upheld',
  } as const;
  const done = await act(server, moderator, { ...target, action: 'remove' });
  const other = await aModerator(server);
  assertProblem(await askAct(server, other, restore), 'conflict');
  await sendAppeal(server, author, done.id);
  assertProblem(await askAct(server, moderator, restore), 'forbidden');
  await act(server, other, restore);
  assert.equal((await server.ask('GET', `/v1/articles/${id}`)).status, 200);
  const types = (await eventsOf(server, author.id)).map(({ type }) => type);
  assert.deepEqual(types.toSorted(), ['appeal.resolved', 'moderation.action', 'moderation.action']);
});

test('201 again for the same key, and one action', async () => {
  const { input } = await anArticle(server);
  const key = crypto.randomUUID();
  const [first, second] = [
    await askAct(server, moderator, input, { key }),
    await askAct(server, moderator, input, { key }),
  ];
  assert.deepEqual([second.status, second.body], [201, first.body]);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal((await actsOn(server, input.target_id)).length, 1);
  assertProblem(
    await askAct(server, moderator, { ...input, action: 'warn' }, { key }),
    'idempotency-key-reuse',
  );
});
