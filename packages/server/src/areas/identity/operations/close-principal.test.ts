// POST /v1/principals/{id}/close: what ends at once, what is deleted later, and who may not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { createAgent } from '#test/agents';
import { closeAccount, rowsContaining, untilTreated } from '#test/closing';
import { setPrincipalStatus } from '#test/accounts';
import { assertProblem, freshKey, freshName, startServer } from '#test/harness';
import { assertFault } from '#test/problem-checks';
import { register as registerKey } from '#test/registered-keys';
import { freshKeyPair } from '#test/key-pairs';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('200 with what was revoked and suspended, and until when the name is reserved', async () => {
  const human = await server.register();
  await server.tokenWith(human, ['articles:read']);
  const soon = new Date(Date.now() + 60_000).toISOString();
  await server.tokenWith(human, ['articles:read'], { expires_at: soon });
  const [first, second] = [await createAgent(server, human), await createAgent(server, human)];
  await setPrincipalStatus(server, second.id, 'suspended');
  const before = Date.now();
  const { status, body } = await closeAccount(server, human, 'unpublish', { reason: 'Enough.' });
  assert.equal(status, 200);
  assert.deepEqual(
    { ...body, username_reserved_until: '' },
    {
      principal_id: human.id,
      tokens_revoked: 3,
      agents_suspended: 1,
      articles: 'unpublish',
      username_reserved_until: '',
    },
  );
  const year = new Date(before);
  year.setUTCFullYear(year.getUTCFullYear() + 1);
  const off = Date.parse(body.username_reserved_until) - year.getTime();
  assert.ok(off >= 0 && off < 60_000, `a year from now, not ${body.username_reserved_until}`);
  assertProblem(await server.ask('GET', '/v1/me', { token: human.token }), 'unauthenticated');
  const agent = await server.ask('GET', '/v1/me', { token: first.token });
  assert.deepEqual([agent.status, agent.body.principal.status], [200, 'suspended']);
  const body2 = { title: 'Too late', content: 'x' };
  const write = await server.ask('POST', '/v1/articles', {
    token: first.token,
    key: true,
    body: body2,
  });
  assertProblem(write, 'forbidden');
});

test('200, and the account answers 410 under its id and its name, unless its works stay', async () => {
  for (const treatment of ['unpublish', 'erase', 'pseudonymise'] as const) {
    const human = await server.register();
    await closeAccount(server, human, treatment);
    assertProblem(await server.ask('GET', `/v1/usernames/${human.username}`), 'gone');
    const record = await server.ask('GET', `/v1/principals/${human.id}`);
    if (treatment !== 'pseudonymise') {
      assertProblem(record, 'gone');
      assert.match(record.body.removed_at, /^\d{4}-/);
      continue;
    }
    assert.equal(record.status, 200);
    assert.match(record.body.username, /^closed-[a-z2-9]{8}$/);
    assert.equal(record.body.status, 'closed');
    const named = await server.ask('GET', `/v1/usernames/${record.body.username}`);
    assert.equal(named.body.id, human.id);
  }
});

test('200, and its name and those of its agents are taken for everybody', async () => {
  const human = await server.register(`bearer-${freshName().slice(-8)}`);
  const agent = await createAgent(server, human);
  await closeAccount(server, human, 'erase');
  for (const username of [human.username, human.username.replaceAll('-', '_'), agent.username]) {
    assertProblem(await server.ask('POST', '/v1/humans', { body: { username } }), 'conflict');
  }
});

test('200, and once the year is over the name is free again', async () => {
  const human = await server.register();
  await closeAccount(server, human, 'erase');
  await server.db.transaction((tx) =>
    tx.run(sql`
      update usernames
      set reserved_until = now() - interval '1 second'
      where principal_id = ${human.id}`),
  );
  const again = await server.register(human.username);
  assert.notEqual(again.id, human.id);
});

test('200, and nothing personal is left in any table but the reserved names', async () => {
  const mark = `q${freshName().replaceAll('-', '')}`;
  const registered = await server.ask('POST', '/v1/humans', {
    body: { username: freshName(), display_name: `${mark} name`, email: `${mark}@example.org` },
  });
  const human = registered.body;
  const { token } = human;
  await server.ask('PATCH', `/v1/principals/${human.id}`, { token, body: { bio: `${mark} bio` } });
  const agent = await createAgent(server, human, { display_name: `${mark} agent` });
  await server.ask('PATCH', `/v1/principals/${agent.id}`, { token, body: { bio: `${mark} too` } });
  const named = { principal_id: human.id, name: `${mark} token` };
  await server.ask('POST', '/v1/tokens', { token, key: true, body: named });
  const other = { principal_id: agent.id, name: `${mark} token` };
  await server.ask('POST', '/v1/tokens', { token, key: true, body: other });
  await server.draft(human, {
    title: `${mark} draft`,
    content: `${mark} text`,
    metadata: { topics: [mark] },
  });
  assert.notDeepEqual(await rowsContaining(server, mark), []);
  await closeAccount(server, human, 'erase');
  await untilTreated(server, human.id);
  assert.deepEqual(await rowsContaining(server, mark), []);
  const names = await rowsContaining(server, human.username);
  assert.deepEqual(names, ['usernames']);
});

test('200, and the keys of its agents are revoked, and may be registered by others', async () => {
  const human = await server.register();
  const agent = await createAgent(server, human);
  const pair = freshKeyPair();
  assert.equal((await registerKey(server, agent, pair)).status, 201);
  await closeAccount(server, human, 'pseudonymise');
  await untilTreated(server, human.id);
  const { body } = await server.ask('GET', `/v1/agents/${agent.id}/keys`);
  assert.equal(body.items[0].status, 'revoked');
  const next = await createAgent(server, await server.register());
  assert.equal((await registerKey(server, next, pair)).status, 201);
});

test('401 unauthenticated: the same request again, for the token went with the account', async () => {
  const human = await server.register();
  const key = freshKey();
  assert.equal((await closeAccount(server, human, 'erase', { key })).status, 200);
  assertProblem(await closeAccount(server, human, 'erase', { key }), 'unauthenticated');
});

test('403 forbidden: somebody else’s account, and that of the caller’s own agent', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, human);
  for (const id of [other.id, agent.id]) {
    assertProblem(await closeAccount(server, { id, token: human.token }, 'erase'), 'forbidden');
    assert.equal((await server.ask('GET', `/v1/principals/${id}`)).body.status, 'active');
  }
});

test('403 forbidden: an agent', async () => {
  const agent = await createAgent(server, await server.register());
  assertProblem(await closeAccount(server, agent, 'erase'), 'forbidden');
});

test('403 insufficient-scope: without profile:write', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:write', 'articles:delete']);
  assertProblem(await closeAccount(server, { id: human.id, token }, 'erase'), 'insufficient-scope');
});

test('404 not-found: the id is unknown, or its account is deleted', async () => {
  const [human, gone] = [await server.register(), await server.register()];
  await closeAccount(server, gone, 'erase');
  for (const id of [gone.id, '01HZZZZZZZZZZZZZZZZZZZZZZZ', 'no-id']) {
    assertProblem(await closeAccount(server, { id, token: human.token }, 'erase'), 'not-found');
  }
});

test('422 validation-failed: unless it is confirmed and the treatment named', async () => {
  const human = await server.register();
  const close = (body: object) =>
    server.ask('POST', `/v1/principals/${human.id}/close`, { token: human.token, key: true, body });
  assertFault(await close({ articles: 'erase' }), '/confirm', 'required');
  assertFault(await close({ confirm: 'Close', articles: 'erase' }), '/confirm', 'enum');
  assertFault(await close({ confirm: 'close' }), '/articles', 'required');
  const fault = assertFault(
    await close({ confirm: 'close', articles: 'keep' }),
    '/articles',
    'enum',
  );
  assert.deepEqual(fault.allowed_values, ['pseudonymise', 'unpublish', 'erase']);
  assert.equal((await server.ask('GET', '/v1/me', { token: human.token })).status, 200);
});

test('one of two at once closes; the other finds the account closed', async () => {
  for (let round = 0; round < 10; round += 1) {
    const human = await server.register();
    const answers = await Promise.all([
      closeAccount(server, human, 'unpublish'),
      closeAccount(server, human, 'pseudonymise'),
    ]);
    const statuses = answers.map(({ status }) => status);
    assert.ok(statuses.includes(200) && statuses.includes(401), String(statuses));
  }
});
