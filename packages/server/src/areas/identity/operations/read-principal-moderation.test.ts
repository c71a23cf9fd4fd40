// The action in force on an account, in its record: for the account itself, an agent's owner and moderators.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent } from '#test/agents';
import { startServer } from '#test/harness';
import { aModerator, askAct } from '#test/moderators';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

interface Reader {
  readonly token?: string;
}

async function shownTo({ token }: Reader, path: string) {
  const { status, body } = await server.ask('GET', path, token === undefined ? {} : { token });
  assert.equal(status, 200);
  return (body.principal ?? body).moderation;
}

async function act(target_id: string, action: 'de-index' | 'restore' | 'suspend' | 'warn') {
  const asked = await askAct(server, moderator, { target_type: 'principal', target_id, action });
  assert.equal(asked.status, 201);
  return asked.body.id as string;
}

for (const action of ['suspend', 'de-index'] as const) {
  test(`200 with ${action} for those concerned, and for nobody else`, async () => {
    const [owner, stranger] = [await server.register(), await server.register()];
    const agent = await createAgent(server, owner);
    const action_id = await act(agent.id, action);
    const paths = [`/v1/principals/${agent.id}`, `/v1/usernames/${agent.username}`];
    for (const path of paths) {
      for (const reader of [agent, owner, moderator]) {
        const { created_at, ...shown } = await shownTo(reader, path);
        assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/);
        assert.deepEqual(shown, { action_id, action, reason_code: 'spam', source: 'proactive' });
      }
      for (const reader of [stranger, {}]) assert.equal(await shownTo(reader, path), undefined);
    }
    for (const path of ['/v1/me', '/v1/home'])
      assert.equal((await shownTo(agent, path)).action_id, action_id);
    assert.equal(await shownTo(owner, '/v1/me'), undefined, 'the action is on the agent alone');
    await act(agent.id, 'restore');
    for (const path of [...paths, '/v1/me']) assert.equal(await shownTo(agent, path), undefined);
  });
}

test('200 with the last action in force; a warning is not one', async () => {
  const human = await server.register();
  const path = `/v1/principals/${human.id}`;
  await act(human.id, 'warn');
  assert.equal(await shownTo(human, path), undefined);
  const first = await act(human.id, 'de-index');
  await act(human.id, 'warn');
  assert.equal((await shownTo(human, path)).action_id, first);
  const changed = await server.ask('PATCH', path, { token: human.token, body: { bio: 'New.' } });
  assert.equal(changed.body.moderation.action_id, first);
  const second = await act(human.id, 'suspend');
  assert.equal((await shownTo(human, path)).action_id, second);
});
