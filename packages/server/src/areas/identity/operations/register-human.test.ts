// POST /v1/humans over HTTP: names, look-alikes, first tokens.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import { sql } from '#database';
import { assertProblem, freshName, startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const register = (body: unknown) => server.ask('POST', '/v1/humans', { body });

test('201 with a token that carries the thirteen ordinary scopes', async () => {
  const username = freshName();
  const { status, body, headers } = await register({
    username,
    display_name: 'Jane',
    email: 'jane@example.org',
  });
  assert.equal(status, 201);
  assert.equal(body.username, username);
  assert.deepEqual(body.scopes, ordinaryScopes);
  assert.equal(body.scopes.length, 13);
  assert.match(body.token, /^clp_[0-9A-Z]{40,}$/);
  assert.equal(headers.get('cache-control'), 'private, no-store');
  const me = await server.ask('GET', '/v1/me', { token: body.token });
  assert.equal(me.body.principal.id, body.id);
  assert.equal(me.body.principal.display_name, 'Jane');
  assert.equal(me.body.principal.trust_level, 0);
});

test('201 without the optional members, and with nulls for them', async () => {
  for (const rest of [{}, { display_name: null, email: null }]) {
    const made = await register({ username: freshName(), ...rest });
    assert.equal(made.status, 201);
    const me = await server.ask('GET', '/v1/me', { token: made.body.token });
    assert.equal(me.body.principal.display_name, null);
  }
});

test('201 keeps no token: only its SHA-256 is stored', async () => {
  const { token } = await server.register();
  const rows = await server.db.rows(
    sql<{ text: string }>`select row_to_json(t)::text as text from tokens t`,
  );
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ text }) => !text.includes(token)));
});

test('201 folds upper case and full-width letters', async () => {
  const made = await register({ username: 'ＪaneＤOE7' });
  assert.equal(made.status, 201);
  assert.equal(made.body.username, 'janedoe7');
});

test('201 for names of 3 and 32 characters', async () => {
  assert.equal((await register({ username: 'qxz' })).status, 201);
  assert.equal((await register({ username: `q${'x'.repeat(30)}z` })).status, 201);
});

const lookAlikes = [
  ['modern', 'modem'],
  ['a-b-c', 'a_b_c'],
  ['wizard9', 'vvizard9'],
  ['hello5', 'he1lo5'],
  ['pixel5', 'plxel5'],
  ['zoo77', 'z0o77'],
  ['casey', 'CASEY'],
] as const;
for (const [first, second] of lookAlikes) {
  test(`409 conflict: ${second} after ${first}`, async () => {
    assert.equal((await register({ username: first })).status, 201);
    const refused = await register({ username: second });
    assertProblem(refused, 'conflict');
    assert.ok(!refused.body.detail.includes(first), 'does not say which account has the name');
  });
}

for (const username of ['admin', 'Adm1n', 'api', 'www', 'support', 'root']) {
  test(`409 conflict: ${username} is reserved`, async () => {
    assertProblem(await register({ username }), 'conflict');
  });
}

test('409 conflict for the name of a closed account, 201 once its year of reservation is over', async () => {
  const { username } = await server.register();
  const reserve = (until: string) =>
    server.db.transaction((tx) =>
      tx.run(sql`update usernames set reserved_until = ${until} where username = ${username}`),
    );
  await reserve(new Date(Date.now() + 60_000).toISOString());
  assertProblem(await register({ username }), 'conflict');
  await reserve(new Date(Date.now() - 1000).toISOString());
  const answers = await Promise.all([1, 2, 3, 4].map(() => register({ username })));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 'conflict');
});

test('409 conflict is the same for taken and reserved names', async () => {
  const { username } = await server.register();
  const taken = await register({ username });
  const reserved = await register({ username: 'admin' });
  assert.equal(taken.body.detail, reserved.body.detail);
});

test('201 once for 20 look-alike names at the same time, 409 conflict for the rest', async () => {
  const names = Array.from({ length: 20 }, (_, n) =>
    'mirror-willow'
      .split('')
      .map((letter, place) =>
        letter === 'o' && (n >> (place % 5)) & 1 ? '0' : letter === 'i' && n & 1 ? '1' : letter,
      )
      .join(''),
  );
  const answers = await Promise.all(names.map((username) => register({ username })));
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 19);
  for (const answer of refused) assertProblem(answer, 'conflict');
  const held = await server.db.rows(sql`select id from principals where username like 'm_rr%'`);
  assert.equal(held.length, 1);
});

const refusedNames: readonly [string, RegExp][] = [
  ['ab', /3 characters/],
  ['abcdefghijklmnopqrstuvwxyz-1234567', /32 characters/],
  ['-abc', /begins/],
  ['abc_', /ends/],
  ['jane doe', /character 5 is a space/],
  ['jan.doe', /character 4 is \. \(U\+002E\)/],
  ['jаne', /U\+0430/],
  ['ja​ne', /U\+200B/],
  ['j🦉ne', /U\+1F989/],
];
for (const [username, says] of refusedNames) {
  test(`422 validation-failed: ${JSON.stringify(username)} says what is wrong`, async () => {
    const refused = await register({ username });
    assertProblem(refused, 'validation-failed');
    assert.equal(refused.body.errors[0].pointer, '/username');
    assert.match(refused.body.errors[0].detail, says);
  });
}

test('422 validation-failed names every fault at once', async () => {
  const refused = await register({ display_name: 'x'.repeat(121), email: 'nobody', role: 'admin' });
  assertProblem(refused, 'validation-failed');
  const pointers = refused.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
  assert.deepEqual(pointers, ['/display_name', '/email', '/role', '/username']);
});

test('422 validation-failed: no one registers with more rights', async () => {
  for (const member of ['id', 'kind', 'trust_level', 'status', 'scopes', 'owner_principal_id']) {
    const refused = await register({ username: freshName(), [member]: 1 });
    assertProblem(refused, 'validation-failed');
    assert.equal(refused.body.errors[0].pointer, `/${member}`);
  }
});

test('413 payload-too-large: over 64 KiB', async () => {
  assertProblem(await register({ username: 'x'.repeat(70_000) }), 'payload-too-large');
});

test('401 unauthenticated: a bad token is refused although none is needed', async () => {
  const refused = await server.ask('POST', '/v1/humans', {
    token: 'nonsense',
    body: { username: freshName() },
  });
  assertProblem(refused, 'unauthenticated');
});

test('403 forbidden: REGISTRATION=closed, for good names and taken ones alike', async () => {
  await using closed = await startServer({ REGISTRATION: 'closed' });
  for (const username of [freshName(), 'admin']) {
    assertProblem(await closed.ask('POST', '/v1/humans', { body: { username } }), 'forbidden');
  }
  const made = await closed.db.rows(sql`select id from principals`);
  assert.equal(made.length, 0);
});
