// Appeals: who may appeal, until when, and only once.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { newId } from '#lib/id';
import { setPrincipalStatus } from '#test/accounts';
import { createAgent } from '#test/agents';
import { sendAppeal, storeAction } from '#test/appeals';
import type { ActionInput } from '#test/appeals';
import { assertProblem, freshKey, startServer } from '#test/harness';
import type { Asked, Human } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const dayMs = 86_400_000;

function appeal(who: Human, actionId: string, asked: Asked = {}) {
  const path = `/v1/moderation/actions/${actionId}/appeal`;
  return server.ask('POST', path, { token: who.token, body: { text: 'Wrong.' }, ...asked });
}

/** An action on a nonexistent article of the author: only the action’s row matters. */
function act(author: Human, input: Partial<ActionInput> = {}) {
  return storeAction(server, { targetId: newId(7), authorId: author.id, ...input });
}

test('201 for the author: open, with the id of the action', async () => {
  const author = await server.register();
  const action = await act(author);
  const made = await appeal(author, action.id);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal(made.body.action_id, action.id);
  assert.equal(made.body.status, 'open');
  assert.equal(made.headers.get('location'), null);
});

test('201 for the owner of the agent, and for the agent', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  for (const who of [owner, agent]) {
    const action = await act(agent, { ownerId: owner.id });
    assert.equal((await appeal(who, action.id)).status, 201);
  }
});

test('201 for the suspended, against the suspension and against anything else', async () => {
  const author = await server.register();
  await setPrincipalStatus(server, author.id, 'suspended');
  const input = { targetType: 'principal', targetId: author.id, action: 'suspend' } as const;
  for (const action of [await act(author, input), await act(author)])
    assert.equal((await appeal(author, action.id)).status, 201);
  const body = { title: 'A title', content: 'Text.' };
  const written = await server.ask('POST', '/v1/articles', {
    token: author.token,
    key: true,
    body,
  });
  assertProblem(written, 'forbidden');
});

test('201 for an agent whose owner is suspended', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  await setPrincipalStatus(server, owner.id, 'suspended');
  const action = await act(agent, { ownerId: owner.id });
  assert.equal((await appeal(agent, action.id)).status, 201);
});

test('201 again for the same key, with the same appeal', async () => {
  const author = await server.register();
  const action = await act(author);
  const key = freshKey();
  const [first, second] = [
    await appeal(author, action.id, { key }),
    await appeal(author, action.id, { key }),
  ];
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
});

test('404 not-found for everybody else, as for an action that does not exist', async () => {
  const [author, stranger] = [await server.register(), await server.register()];
  const foreign = await act(author);
  const answers = [await appeal(stranger, foreign.id), await appeal(stranger, newId(7))];
  for (const answer of answers) assertProblem(answer, 'not-found');
  assert.equal(answers[0]?.body.detail, answers[1]?.body.detail);
});

test('404 not-found for the moderator who acted', async () => {
  const [author, moderator] = [await server.register(), await server.register()];
  const action = await act(author, { moderatorId: moderator.id });
  assertProblem(await appeal(moderator, action.id), 'not-found');
});

test('409 conflict for the second appeal, whichever of them sends it', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const action = await act(agent, { ownerId: owner.id });
  await sendAppeal(server, agent, action.id);
  for (const who of [agent, owner]) {
    const refused = await appeal(who, action.id);
    assertProblem(refused, 'conflict');
    assert.match(refused.body.detail, /already appealed.*open/);
  }
});

test('409 conflict for all but one of twenty at once', async () => {
  const author = await server.register();
  const action = await act(author);
  const answers = await Promise.all(Array.from({ length: 20 }, () => appeal(author, action.id)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 201))
    assertProblem(answer, 'conflict');
});

test('409 conflict when the time to appeal is over, and not a moment before', async () => {
  const author = await server.register();
  const ago = (ms: number) => ({ at: new Date(Date.now() - limits.appeal_days * dayMs + ms) });
  const [late, early] = [await act(author, ago(-1)), await act(author, ago(60_000))];
  const refused = await appeal(author, late.id);
  assertProblem(refused, 'conflict');
  assert.match(refused.body.detail, /30 days/);
  assert.equal((await appeal(author, early.id)).status, 201);
});

test('409 conflict where nothing is to be appealed against', async () => {
  const author = await server.register();
  const cases = [
    [{ action: 'restore' }, /cannot be appealed/],
    [{ lifted: true }, /was reversed/],
  ] as const;
  for (const [input, sentence] of cases) {
    const refused = await appeal(author, (await act(author, input)).id);
    assertProblem(refused, 'conflict');
    assert.match(refused.body.detail, sentence);
  }
});

test('422 validation-failed for no text, and for one that is too long', async () => {
  const author = await server.register();
  const action = await act(author);
  for (const text of ['', 'x'.repeat(limits.appeal_max + 1), null, undefined])
    assertProblem(await appeal(author, action.id, { body: { text } }), 'validation-failed');
  const longest = await appeal(author, action.id, {
    body: { text: '𝒳'.repeat(limits.appeal_max) },
  });
  assert.equal(longest.status, 201);
});
