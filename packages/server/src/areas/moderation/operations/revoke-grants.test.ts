// Revocation of admin scopes: from every token, including tokens issued at the same moment.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { storeToken } from '#test/accounts';
import { administrator } from '#test/administrators';
import { assertProblem, startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const admin = await administrator(server);
const take = (id: string, query = '') =>
  server.ask('DELETE', `/v1/admin/principals/${id}/grants${query}`, { token: admin.token });

async function scopesOf(id: string): Promise<readonly string[]> {
  const rows = await server.db.rows(sql<{ scopes: string[] }>`
    select scopes
    from tokens
    where bucket = ${bucketOf(id)} and principal_id = ${id}
    order by id`);
  return rows.flatMap(({ scopes }) => scopes).filter((scope) => scope.startsWith('admin:'));
}

test('204: no token of the person carries an admin scope, the rest stays, and the audit log keeps it', async () => {
  const human = await administrator(server, ['admin:moderate', 'articles:read']);
  await storeToken(server, human.id, ['admin:manage', 'admin:moderate']);
  assert.equal((await take(human.id)).status, 204);
  assert.deepEqual(await scopesOf(human.id), []);
  const me = await server.ask('GET', '/v1/me', { token: human.token });
  assert.deepEqual(me.body.scopes, ['articles:read']);
  const row = await server.db.first(sql<{ actor: string; details: object }>`
    select actor, details
    from audit_log
    where bucket = 0 and target_id = ${human.id}`);
  const details = { scopes: ['admin:moderate', 'admin:manage'], tokens: 2 };
  assert.deepEqual(row, { actor: admin.id, details });
});

test('204 for one scope: the other stays', async () => {
  const human = await administrator(server, ['admin:moderate', 'admin:manage']);
  assert.equal((await take(human.id, '?scope=admin:moderate')).status, 204);
  assert.deepEqual(await scopesOf(human.id), ['admin:manage']);
});

test('204 where there is nothing to take: the audit log keeps nothing', async () => {
  const human = await server.register();
  assert.equal((await take(human.id)).status, 204);
  const rows = await server.db.rows(sql`
    select number from audit_log where bucket = 0 and target_id = ${human.id} order by number`);
  assert.deepEqual(rows, []);
});

test('404 not-found for an unknown id', async () => {
  assertProblem(await take(newId(7)), 'not-found');
});

test('no token that is issued meanwhile keeps a scope that is taken away', async () => {
  for (let round = 0; round < 5; round += 1) {
    const human = await administrator(server, ['admin:moderate']);
    const body = { principal_id: human.id, name: 'another', scopes: ['admin:moderate'] };
    const issue = (token: string) => server.ask('POST', '/v1/tokens', { token, key: true, body });
    // Each new token issues the next one.
    const chain = async () => {
      let { token } = human;
      for (let count = 0; count < 10; count += 1) {
        const issued = await issue(token);
        if (issued.status !== 201) return;
        token = issued.body.token as string;
      }
    };
    const chains = Array.from({ length: 4 }, chain);
    const taken = await take(human.id);
    assert.equal(taken.status, 204, JSON.stringify(taken.body));
    await Promise.all(chains);
    assert.deepEqual(await scopesOf(human.id), []);
  }
});
