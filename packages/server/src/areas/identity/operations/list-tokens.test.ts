// GET /v1/tokens over HTTP: metadata only, in pages, for the caller and owned agents.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const list = (token: string, query = '') => server.ask('GET', `/v1/tokens${query}`, { token });
const idsOf = (body: { items: readonly { id: string }[] }) => body.items.map(({ id }) => id);

test('200 with every token’s metadata, newest first, and no secret', async () => {
  const human = await server.register();
  const narrow = await server.tokenWith(human, ['articles:read'], { name: 'reader' });
  const { status, body, headers } = await list(human.token);
  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map(({ name }: { name: string }) => name),
    ['reader', 'first token'],
  );
  assert.equal(body.next_cursor, null);
  assert.equal(headers.get('link'), null);
  assert.equal(headers.get('cache-control'), 'private, no-store');
  const [reader] = body.items;
  assert.deepEqual(reader.scopes, ['articles:read']);
  assert.equal(reader.prefix, narrow.slice(0, 12));
  assert.equal(reader.revoked_at, null);
  assert.equal(reader.trust, 'untrusted', 'an agent names tokens too');
  const me = await server.ask('GET', '/v1/me', { token: narrow });
  assert.equal(me.body.token.trust, 'untrusted');
  const text = JSON.stringify(body);
  for (const secret of [human.token, narrow]) assert.ok(!text.includes(secret.slice(0, 16)));
});

test('200 with a token that has no scope at all', async () => {
  const human = await server.register();
  const bare = await server.tokenWith(human, []);
  assert.equal((await list(bare)).body.items.length, 2);
});

test('200 shows when a token was revoked', async () => {
  const human = await server.register();
  const {
    items: [first],
  } = (await list(human.token)).body;
  const spare = await server.tokenWith(human, []);
  await server.ask('DELETE', `/v1/tokens/${first.id}`, { token: human.token });
  const { body } = await list(spare);
  assert.match(body.items[1].revoked_at, /Z$/);
});

test('200 in pages that do not repeat while new tokens are issued', async () => {
  const human = await server.register();
  for (let n = 0; n < 6; n += 1) await server.tokenWith(human, [], { name: `token ${n}` });
  const expected = idsOf((await list(human.token)).body);
  const seen: string[] = [];
  let query = '?limit=3';
  for (let page = 0; page < 3; page += 1) {
    const { body, headers } = await list(human.token, query);
    seen.push(...idsOf(body));
    const next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    assert.equal(next === undefined, body.next_cursor === null);
    if (page === 2) assert.equal(body.next_cursor, null);
    else assert.equal(body.next_cursor, seen.at(-1));
    query = next === undefined ? '' : new URL(next).search;
    await server.tokenWith(human, [], { name: 'came meanwhile' });
  }
  assert.deepEqual(seen, expected);
});

test('200 of an owned agent, with agents:read', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { body } = await list(human.token, `?principal_id=${agent.id}`);
  assert.equal(body.items.length, 1);
  assert.equal(body.items[0].principal_id, agent.id);
  assert.deepEqual(idsOf((await list(agent.token)).body), idsOf(body));
});

test('200 for a suspended account, which can still read', async () => {
  const human = await server.register();
  await setPrincipalStatus(server, human.id, 'suspended');
  assert.equal((await list(human.token)).status, 200);
});

for (const query of [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  'limit=ten',
  'limit=',
  'limit=5&limit=5',
  'cursor=abc',
  'principal_id=me',
  'page=2',
]) {
  test(`400 invalid-request: ?${query}`, async () => {
    const refused = await list((await server.register()).token, `?${query}`);
    assertProblem(refused, 'invalid-request');
    assert.equal(refused.body.errors[0].pointer, `/${query.split('=')[0]}`);
  });
}

test('200 at both bounds of limit', async () => {
  const human = await server.register();
  await server.tokenWith(human, []);
  assert.equal((await list(human.token, '?limit=1')).body.items.length, 1);
  assert.equal((await list(human.token, '?limit=100')).body.items.length, 2);
});

test('200 with a hundred tokens by one statement, beside the one that finds the caller', async () => {
  const human = await server.register();
  await Promise.all(Array.from({ length: 100 }, () => storeToken(server, human.id, [])));
  const { rows, first, find } = server.db;
  const sent: string[] = [];
  const recorded = <S extends { readonly text: string }, A>(send: (statement: S) => A) => {
    return (statement: S) => {
      sent.push(statement.text);
      return send(statement);
    };
  };
  const recordedFind: typeof find = (read, key) => {
    sent.push(read.one(key).text);
    return find(read, key);
  };
  Object.assign(server.db, {
    rows: recorded(rows),
    first: recorded(first),
    find: recordedFind,
  });
  const { body } = await list(human.token, '?limit=100');
  Object.assign(server.db, { rows, first, find });
  assert.equal(body.items.length, 100);
  assert.notEqual(body.next_cursor, null);
  const ofTokens = sent.filter((text) => /\btokens\b/.test(text));
  assert.equal(ofTokens.length, 2, sent.join('\n'));
});

test('401 unauthenticated: without a token, and with one that is revoked, expired or of a closed account', async () => {
  assertProblem(await server.ask('GET', '/v1/tokens'), 'unauthenticated');
  const human = await server.register();
  assertProblem(
    await list(await storeToken(server, human.id, [], new Date(Date.now() - 1))),
    'unauthenticated',
  );
  await setPrincipalStatus(server, human.id, 'closed');
  assertProblem(await list(human.token), 'unauthenticated');
});

test('403 insufficient-scope: an agent’s tokens need agents:read', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const narrow = await server.tokenWith(human, ['agents:manage']);
  assertMissingScope(await list(narrow, `?principal_id=${agent.id}`), 'agents:read');
});

test('403 forbidden: of another person, another’s agent, and the caller’s owner', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, other);
  assertProblem(await list(human.token, `?principal_id=${other.id}`), 'forbidden');
  assertProblem(await list(human.token, `?principal_id=${agent.id}`), 'forbidden');
  assertProblem(await list(agent.token, `?principal_id=${other.id}`), 'forbidden');
});

test('404 not-found: no account has this id', async () => {
  const { token } = await server.register();
  assertProblem(await list(token, `?principal_id=${newId(3)}`), 'not-found');
});
