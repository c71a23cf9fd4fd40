// PATCH /v1/principals/{id} over HTTP: merging, who may, and invisible characters in names.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { setPrincipalStatus } from '#test/accounts';
import { createAgent } from '#test/agents';
import { assertProblem, freshName, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertFault, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const patch = (who: Human, id: string, body: Readonly<Record<string, unknown>>) =>
  server.ask('PATCH', `/v1/principals/${id}`, { token: who.token, body });

test('200 with the record that everybody reads from then on', async () => {
  const human = await server.register();
  const { status, body } = await patch(human, human.id, {
    display_name: 'Ada',
    bio: 'Counts.\nSews.',
  });
  assert.equal(status, 200);
  assert.equal(body.display_name, 'Ada');
  assert.equal(body.bio, 'Counts.\nSews.');
  assert.equal(body.trust, 'untrusted');
  assert.deepEqual((await server.ask('GET', `/v1/principals/${human.id}`)).body, body);
});

test('200 merges: what is left out stays, null clears, nothing changes nothing', async () => {
  const human = await server.register();
  const shown = async (change: Readonly<Record<string, unknown>>) => {
    const { display_name, bio } = (await patch(human, human.id, change)).body;
    return [display_name, bio];
  };
  assert.deepEqual(await shown({ display_name: 'Ada' }), ['Ada', null]);
  assert.deepEqual(await shown({ bio: 'Counts.' }), ['Ada', 'Counts.']);
  assert.deepEqual(await shown({}), ['Ada', 'Counts.']);
  assert.deepEqual(await shown({ display_name: null }), [null, 'Counts.']);
  assert.deepEqual(await shown({ display_name: 'Bea', bio: null }), ['Bea', null]);
});

test('200 for both of two changes at once that touch different members', async () => {
  const human = await server.register();
  await Promise.all([
    patch(human, human.id, { display_name: 'Ada' }),
    patch(human, human.id, { bio: 'Counts.' }),
  ]);
  const { display_name, bio } = (await server.ask('GET', `/v1/principals/${human.id}`)).body;
  assert.deepEqual([display_name, bio], ['Ada', 'Counts.']);
});

test('200 for the owner of an agent; model and provider stay', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner, { model: 'large-1', provider: 'A firm' });
  const { status, body } = await patch(owner, agent.id, { display_name: 'Scribe' });
  assert.equal(status, 200);
  assert.deepEqual([body.display_name, body.model, body.provider], ['Scribe', 'large-1', 'A firm']);
  assert.equal((await patch(agent, agent.id, { bio: 'I write.' })).body.bio, 'I write.');
});

test('200 shows the name with the articles at once', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await patch(human, human.id, { display_name: 'Ada' });
  assert.equal((await server.ask('GET', `/v1/articles/${id}`)).body.author.display_name, 'Ada');
});

test('200 for 120 and 2,000 code points, 422 for one more', async () => {
  const human = await server.register();
  for (const [member, most] of [
    ['display_name', 120],
    ['bio', 2000],
  ] as const) {
    const fits = await patch(human, human.id, { [member]: '🦉'.repeat(most) });
    assert.equal([...(fits.body[member] as string)].length, most);
    const refused = await patch(human, human.id, { [member]: '🦉'.repeat(most + 1) });
    assertFault(refused, `/${member}`, 'too-long');
  }
});

test('200 for joiners where writing needs them', async () => {
  const human = await server.register();
  for (const display_name of ['👩‍💻 Ann', 'می\u200cخواهد', '❤️'])
    assert.equal((await patch(human, human.id, { display_name })).body.display_name, display_name);
});

test('403 insufficient-scope: without profile:write', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:write']);
  assertMissingScope(await patch({ ...human, token }, human.id, {}), 'profile:write');
});

test('403 forbidden: somebody else’s profile, another’s agent, the caller’s own owner, a sibling', async () => {
  const [owner, stranger] = [await server.register(), await server.register()];
  const agent = await createAgent(server, owner);
  const sibling = await createAgent(server, owner);
  for (const [who, whose] of [
    [stranger, owner],
    [stranger, agent],
    [agent, owner],
    [agent, sibling],
    [agent, stranger],
  ] as const) {
    assertProblem(await patch(who, whose.id, { display_name: 'Mine' }), 'forbidden');
    const read = await server.ask('GET', `/v1/principals/${whose.id}`);
    assert.equal(read.body.display_name, null);
  }
});

test('403 forbidden: the suspended, and the agents of the suspended', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  await setPrincipalStatus(server, owner.id, 'suspended');
  for (const who of [owner, agent])
    assertProblem(await patch(who, who.id, { bio: 'x' }), 'forbidden');
});

test('404 not-found: an unknown id, and a closed account', async () => {
  const [human, closed] = [await server.register(), await server.register()];
  await setPrincipalStatus(server, closed.id, 'closed');
  for (const id of [newId(7), closed.id])
    assertProblem(await patch(human, id, { bio: 'x' }), 'not-found');
});

test('422 validation-failed: a username cannot be changed here, nor anything else', async () => {
  const human = await server.register();
  for (const member of ['username', 'kind', 'trust_level', 'owner_principal_id', 'email', 'model'])
    assertFault(await patch(human, human.id, { [member]: 'x' }), `/${member}`, 'unknown');
});

const hidden: readonly (readonly [string, RegExp])[] = [
  ['Ada\u202eevil', /character 4 is a character that changes the direction of text \(U\+202E\)/],
  ['\u2066Ada', /character 1 is a character that changes the direction of text \(U\+2066\)/],
  ['A\u200bda', /character 2 is invisible \(U\+200B\)/],
  ['Ada\nadmin', /character 4 is a control character \(U\+000A\)/],
  ['🦉\u0007', /character 2 is a control character \(U\+0007\)/],
];
for (const [display_name, says] of hidden) {
  test(`422 validation-failed: ${JSON.stringify(display_name)} does not show`, async () => {
    const human = await server.register();
    const refused = await patch(human, human.id, { display_name });
    assert.match(assertFault(refused, '/display_name', 'hidden-character').detail, says);
    const registered = await server.ask('POST', '/v1/humans', {
      body: { username: freshName(), display_name },
    });
    assert.match(assertFault(registered, '/display_name', 'hidden-character').detail, says);
  });
}
