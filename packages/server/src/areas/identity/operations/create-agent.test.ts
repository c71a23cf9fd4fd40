// POST /v1/agents over HTTP: who may, the agent's record, and look-alike names.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { createAgent } from '#test/agents';
import { agentScopes, setPrincipalStatus, setTrustLevel, storeToken } from '#test/accounts';
import { bucketOf } from '#lib/id';
import { assertProblem, freshKey, freshName } from '#test/harness';
import type { Asked, Human } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { scarce, startScarceServer } from '#test/limits-file';
import { assertFault, assertMissingScope, assertQuotaExceeded } from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

const create = (owner: Human, body: Readonly<Record<string, unknown>>, asked: Asked = {}) =>
  server.ask('POST', '/v1/agents', { token: owner.token, body, ...asked });
const read = async (id: string) => (await server.ask('GET', `/v1/principals/${id}`)).body;

test('201 with an agent that its owner answers for', async () => {
  const owner = await server.register();
  const username = freshName();
  const members = { display_name: 'Scribe', model: 'large-1', provider: 'A firm' };
  const { status, body, headers } = await create(owner, { username, ...members });
  assert.equal(status, 201);
  assert.equal(body.username, username);
  assert.equal(body.owner_principal_id, owner.id);
  assert.equal(bucketOf(body.principal_id), bucketOf(owner.id), 'lives where its owner lives');
  assert.equal(
    headers.get('location'),
    `${server.baseUrl}/v1/principals/${body.principal_id as string}`,
  );
  const { kind, display_name, model, provider, owner_principal_id } = await read(body.principal_id);
  assert.deepEqual({ display_name, model, provider }, members);
  assert.equal(kind, 'agent');
  assert.equal(owner_principal_id, owner.id);
});

test('201 without the optional members, and with nulls for them', async () => {
  const owner = await server.register();
  for (const rest of [{}, { display_name: null, model: null, provider: null }]) {
    const made = await create(owner, { username: freshName(), ...rest });
    const { display_name, model, provider } = await read(made.body.principal_id);
    assert.deepEqual([display_name, model, provider], [null, null, null]);
  }
});

test('201 folds the name like a person’s', async () => {
  const made = await create(await server.register(), { username: 'ＳcribeＢOT' });
  assert.equal(made.body.username, 'scribebot');
});

test('201 with a name whose year of reservation is over', async () => {
  const owner = await server.register();
  const { username } = await server.register();
  const reserve = (until: string) =>
    server.db.transaction((tx) =>
      tx.run(sql`update usernames set reserved_until = ${until} where username = ${username}`),
    );
  await reserve(new Date(Date.now() + 60_000).toISOString());
  assertFault(await create(owner, { username }), '/username', 'taken');
  await reserve(new Date(Date.now() - 1000).toISOString());
  const made = await create(owner, { username });
  assert.equal(made.status, 201);
  const found = await server.ask('GET', `/v1/usernames/${username}`);
  assert.equal(found.body.id, made.body.principal_id);
});

test('201 again for the same Idempotency-Key, and one agent', async () => {
  const owner = await server.register();
  const key = freshKey();
  const body = { username: freshName() };
  const first = await create(owner, body, { key });
  const again = await create(owner, body, { key });
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('location'), first.headers.get('location'));
  assertProblem(await create(owner, { username: freshName() }, { key }), 'idempotency-key-reuse');
  const list = await server.ask('GET', '/v1/agents', { token: owner.token });
  assert.equal(list.body.items.length, 1);
});

test('201 once for 50 look-alike names at the same time, of people and of agents', async () => {
  const owners = await Promise.all([server.register(), server.register()]);
  const letters = ['o0', 'lI1i', 'm'].map((set) => [...set]);
  const spelled = (n: number): string => {
    const [o, l] = [letters[0]?.[n % 2], letters[1]?.[(n >> 1) % 4]];
    return (
      ['modern', 'modem'][(n >> 3) % 2]?.replace('o', o ?? '').concat('-wi', l ?? '', 'ow') ?? ''
    );
  };
  const names = Array.from({ length: 50 }, (_, n) => spelled(n));
  assert.ok(new Set(names).size >= 16);
  const answers = await Promise.all(
    names.map((username, n) =>
      n % 2 === 0
        ? server.ask('POST', '/v1/humans', { body: { username } })
        : create(owners[(n >> 1) % 2] as Human, { username }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const [n, answer] of answers.entries()) {
    if (answer.status === 201) continue;
    if (n % 2 === 0) assertProblem(answer, 'conflict');
    else assertFault(answer, '/username', 'taken');
  }
  const held = await server.db.rows(
    sql`select id from principals where username ~ '^m[o0]de(rn|m)-wi'`,
  );
  assert.equal(held.length, 1, 'a refused name leaves no account behind');
});

test('401 unauthenticated: without a token', async () => {
  const body = { username: freshName() };
  assertProblem(await server.ask('POST', '/v1/agents', { body }), 'unauthenticated');
});

test('403 insufficient-scope: a person’s token without agents:manage', async () => {
  const owner = await server.register();
  const token = await server.tokenWith(owner, ['agents:read', 'profile:write']);
  assertMissingScope(await create({ ...owner, token }, { username: freshName() }), 'agents:manage');
});

test('403 insufficient-scope: an agent cannot create an agent, whatever its token says', async () => {
  const agent = await createAgent(server, await server.register());
  const bold = await storeToken(server, agent.id, [...agentScopes, 'agents:manage']);
  for (const token of [agent.token, bold]) {
    const refused = await create({ ...agent, token }, { username: freshName() });
    assertProblem(refused, 'insufficient-scope');
    assert.match(refused.body.detail, /human/);
  }
});

test('403 forbidden: a suspended person', async () => {
  const owner = await server.register();
  await setPrincipalStatus(server, owner.id, 'suspended');
  assertProblem(await create(owner, { username: freshName() }), 'forbidden');
});

for (const status of ['suspended', 'closed'] as const) {
  const refusal = status === 'closed' ? 'unauthenticated' : 'forbidden';
  test(`${refusal}: a person who is ${status} while the agent is made, and no agent`, async () => {
    const owner = await server.register();
    const username = freshName();
    const change = sql`
      update principals set status = ${status}
      where bucket = ${bucketOf(owner.id)} and id = ${owner.id}`;
    const [refused] = await blockedByLock(server, change, [() => create(owner, { username })]);
    assert.ok(refused);
    assertProblem(refused, refusal);
    assertProblem(await server.ask('GET', `/v1/usernames/${username}`), 'not-found');
    const { body } = await server.ask('GET', '/v1/agents', { token: owner.token });
    if (status === 'suspended') assert.deepEqual(body.items, []);
  });
}

test('422 validation-failed: taken, reserved and look-alike names say the same, and not whose', async () => {
  const owner = await server.register();
  const person = await server.register(`quill${freshName()}`);
  const agent = await createAgent(server, owner, { username: `rn${freshName()}` });
  const names = [
    person.username,
    person.username.replace('i', '1').toUpperCase(),
    agent.username,
    agent.username.replace('rn', 'm'),
    'admin',
    'adm1n',
    'closed-abcdefgh',
  ];
  const details = new Set<string>();
  for (const username of names) {
    const refused = await create(owner, { username });
    details.add(assertFault(refused, '/username', 'taken').detail);
    assert.ok(!JSON.stringify(refused.body).includes(person.username));
  }
  assert.equal(details.size, 1);
});

test('409 conflict: a person cannot take an agent’s name, or one that looks like it', async () => {
  const agent = await createAgent(server, await server.register(), {
    username: `w0${freshName()}`,
  });
  for (const username of [agent.username, agent.username.replace('w0', 'vvo')]) {
    assertProblem(await server.ask('POST', '/v1/humans', { body: { username } }), 'conflict');
  }
});

test('422 validation-failed: says which character of the name is wrong', async () => {
  const refused = await create(await server.register(), { username: 'scrіbe' });
  assert.match(
    assertFault(refused, '/username', 'username').detail,
    /character 4 is і \(U\+0456\)/,
  );
});

test('422 validation-failed: what does not show in display_name, model and provider, all at once', async () => {
  const refused = await create(await server.register(), {
    username: 'admin',
    display_name: 'evil\u202etxt',
    model: 'a\nb',
    provider: 'a\u200bb',
  });
  assert.match(assertFault(refused, '/display_name', 'hidden-character').detail, /5 .*U\+202E/);
  assert.match(assertFault(refused, '/model', 'hidden-character').detail, /2 .*U\+000A/);
  assert.match(assertFault(refused, '/provider', 'hidden-character').detail, /2 .*U\+200B/);
  assertFault(refused, '/username', 'taken');
});

test('422 validation-failed: no one makes an agent of somebody else', async () => {
  const [owner, other] = [await server.register(), await server.register()];
  const refused = await create(owner, { username: freshName(), owner_principal_id: other.id });
  assertFault(refused, '/owner_principal_id', 'unknown');
});

test('429 quota-exceeded: the allowance of agents.create, and a refused name costs nothing', async () => {
  const owner = await server.register();
  await setTrustLevel(server, owner.id, 1);
  assertFault(await create(owner, { username: 'admin' }), '/username', 'taken');
  assertFault(await create(owner, { username: owner.username }), '/username', 'taken');
  const names = Array.from({ length: scarce + 3 }, freshName);
  const answers = await Promise.all(names.map((username) => create(owner, { username })));
  assert.equal(answers.filter(({ status }) => status === 201).length, scarce);
  for (const answer of answers) {
    if (answer.status !== 201) assertQuotaExceeded(answer, 'agents.create', scarce);
  }
});
