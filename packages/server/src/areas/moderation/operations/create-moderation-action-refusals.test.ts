// POST /v1/moderation/actions: rejected requests.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { moderationTargets, targetTypes } from '@colophon/contract';
import { bucketOf, newId } from '#lib/id';
import { storeToken } from '#test/accounts';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import { pngOf, upload } from '#test/media-files';
import { act, actsOn, anArticle, askAct, aModerator } from '#test/moderators';
import type { Input } from '#test/moderators';
import { assertFault } from '#test/problem-checks';
import { report } from '#test/reports';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

test('422 validation-failed for a report on something else, and for none', async () => {
  const { input } = await anArticle(server);
  const { input: other } = await anArticle(server);
  for (const report_id of [
    await report(server, { target_id: other.target_id }),
    newId(bucketOf(input.target_id)),
  ])
    assertFault(await askAct(server, moderator, { ...input, report_id }), '/report_id', 'unknown');
  assert.deepEqual(await actsOn(server, input.target_id), []);
});

test('409 conflict for a report that was closed before, and nothing happens', async () => {
  const { input } = await anArticle(server);
  const report_id = await report(server, { target_id: input.target_id });
  await act(server, moderator, { ...input, action: 'warn', report_id });
  assertProblem(await askAct(server, moderator, { ...input, report_id }), 'conflict');
  assert.equal((await server.ask('GET', `/v1/articles/${input.target_id}`)).status, 200);
});

test('422 validation-failed for an action that does not fit, with those that do', async () => {
  for (const type of targetTypes) {
    for (const [action, types] of Object.entries(moderationTargets)) {
      if ((types as readonly string[]).includes(type)) continue;
      const input = { target_type: type, target_id: newId(3), action } as Input;
      const fault = assertFault(
        await askAct(server, moderator, input),
        '/action',
        'not-for-target',
      );
      assert.ok(!fault.allowed_values?.includes(action) && fault.allowed_values?.includes('warn'));
    }
  }
  const input = { ...(await anArticle(server)).input, source: 'appeal' as const };
  assertFault(await askAct(server, moderator, input), '/source', 'not-for-action');
});

test('404 not-found for what is not there', async () => {
  for (const type of targetTypes) {
    const input = { target_type: type, target_id: newId(3), action: 'warn' } as const;
    assertProblem(await askAct(server, moderator, input), 'not-found');
  }
  const { id } = await server.published(await server.register());
  const input = { target_type: 'comment', target_id: id, action: 'hide' } as const;
  assertProblem(await askAct(server, moderator, input), 'not-found');
});

test('403 forbidden on the caller, the caller’s agents, and the works of both', async () => {
  const agent = await createAgent(server, moderator);
  const host = await server.published(await server.register());
  const own: readonly (readonly [Input['target_type'], string])[] = [
    ['principal', moderator.id],
    ['principal', agent.id],
    ['article', (await server.draft(moderator)).id],
    ['article', (await server.published(agent)).id],
    ['comment', (await comment(server, agent, host.id)).id],
    ['media', (await upload(server, moderator, 'image', pngOf(1, 1))).body.id],
  ];
  for (const [target_type, target_id] of own) {
    for (const action of ['warn', 'restore'] as const) {
      const refused = await askAct(server, moderator, { target_type, target_id, action });
      assertProblem(refused, 'forbidden');
    }
  }
});

test('403 forbidden on an administrator, as long as a token with an admin scope works', async () => {
  for (const scope of ['admin:moderate', 'admin:manage'] as const) {
    const admin = await server.register();
    const target = { target_type: 'principal', target_id: admin.id } as const;
    await storeToken(server, admin.id, [scope], new Date(Date.now() - 1_000));
    await act(server, moderator, { ...target, action: 'warn' });
    const token = await storeToken(server, admin.id, [scope]);
    for (const action of ['suspend', 'de-index', 'restore', 'warn'] as const)
      assertProblem(await askAct(server, moderator, { ...target, action }), 'forbidden');
    const { id } = await server.published(admin);
    await act(server, moderator, { target_type: 'article', target_id: id, action: 'hide' });
    const agent = await createAgent(server, admin);
    await act(server, moderator, { ...target, target_id: agent.id, action: 'suspend' });
    const me = await server.ask('GET', '/v1/me', { token });
    await server.ask('DELETE', `/v1/tokens/${me.body.token.id}`, { token });
    await act(server, moderator, { ...target, action: 'suspend' });
  }
});

test('409 conflict for what changes nothing says what the target is', async () => {
  const { input } = await anArticle(server);
  await act(server, moderator, input);
  const again = await askAct(server, moderator, input);
  assertProblem(again, 'conflict');
  assert.match(again.body.detail, /is hidden: hide changes nothing/);
  await act(server, moderator, { ...input, action: 'remove', source: 'legal' });
  const restored = await askAct(server, moderator, { ...input, action: 'restore' });
  assertProblem(restored, 'conflict');
  assert.match(restored.body.detail, /with the source `legal`/);
});

test('409 conflict for an appeal that a restoration cannot uphold says what upholds it', async () => {
  const { author, input } = await anArticle(server);
  const colleague = await aModerator(server);
  const warning = await act(server, moderator, { ...input, action: 'warn' });
  const appeal = await server.ask('POST', `/v1/moderation/actions/${warning.id as string}/appeal`, {
    token: author.token,
    body: { text: 'It was a quotation.' },
  });
  const restoration = { ...input, action: 'restore', source: 'appeal' } as const;
  const refused = await askAct(server, colleague, restoration);
  assertProblem(refused, 'conflict');
  assert.match(refused.body.detail as string, /appeals\/\{id\}\/review with the status `upheld`/);
  const path = `/v1/moderation/appeals/${appeal.body.id as string}/review`;
  const upheld = await server.ask('POST', path, {
    token: colleague.token,
    body: { status: 'upheld' },
  });
  assert.equal(upheld.status, 200);
});
