// GET /v1/principals/{id} over HTTP: the public records of a person and of an agent.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus } from '#test/accounts';
import { closeUnder, createAgent, storeFollow } from '#test/agents';
import { assertProblem, startServer } from '#test/harness';
import { assertGone } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (id: string, headers = {}) => server.ask('GET', `/v1/principals/${id}`, { headers });

test('200 with the record of a person, for everybody', async () => {
  const username = 'jane-roe7';
  const made = await server.ask('POST', '/v1/humans', {
    body: { username, display_name: 'Jane', email: 'jane@example.org' },
  });
  const { status, body } = await read(made.body.id);
  assert.equal(status, 200);
  const { created_at, ...rest } = body;
  assert.match(created_at, /Z$/);
  assert.deepEqual(rest, {
    id: made.body.id,
    kind: 'human',
    username,
    display_name: 'Jane',
    bio: null,
    trust_level: 0,
    status: 'active',
    counts: { articles: 0, followers: 0, following: 0 },
    trust: 'untrusted',
  });
  assert.ok(!JSON.stringify(body).includes('example.org'), 'the address stays with the service');
});

test('200 with model, provider and owner of an agent', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner, { model: 'large-1', provider: 'A firm' });
  const { body } = await read(agent.id);
  assert.equal(body.kind, 'agent');
  assert.equal(body.owner_principal_id, owner.id);
  assert.deepEqual([body.model, body.provider], ['large-1', 'A firm']);
});

test('200 counts published public articles, and no others', async () => {
  const human = await server.register();
  await server.published(human);
  const removed = await server.published(human);
  await server.published(human);
  await server.published(human, { visibility: 'unlisted' });
  await server.published(human, { visibility: 'private' });
  await server.draft(human);
  await server.published(await createAgent(server, human));
  assert.equal((await read(human.id)).body.counts.articles, 3);
  await server.ask('DELETE', `/v1/articles/${removed.id as string}`, { token: human.token });
  assert.equal((await read(human.id)).body.counts.articles, 2);
});

test('200 counts followers and followed', async () => {
  const [ada, bea, cleo] = [
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  await storeFollow(server, ada.id, bea.id);
  await storeFollow(server, cleo.id, bea.id);
  const counts = async (id: string) => {
    const { followers, following } = (await read(id)).body.counts;
    return [followers, following];
  };
  assert.deepEqual(await counts(ada.id), [0, 1]);
  assert.deepEqual(await counts(bea.id), [2, 0]);
});

test('200 counts no further than counts_max', async () => {
  const { id } = await server.register();
  const stored = async (from: number, to: number) => {
    await server.db.transaction((tx) =>
      tx.run(sql`
        insert into followers (bucket, followee_id, follower_id, follow_id, created_at)
        select ${bucketOf(id)}::smallint, ${id}, 'f' || n, 'f' || n, now()
        from generate_series(${from}::integer, ${to}::integer) as n`),
    );
    return (await read(id)).body.counts.followers;
  };
  assert.equal(await stored(2, limits.counts_max), limits.counts_max - 1);
  assert.equal(await stored(limits.counts_max + 1, limits.counts_max + 2), limits.counts_max);
});

test('200 for the suspended, who are said to be', async () => {
  const human = await server.register();
  await setPrincipalStatus(server, human.id, 'suspended');
  assert.equal((await read(human.id)).body.status, 'suspended');
});

test('200 with the pseudonym of a closed account whose works stayed', async () => {
  const human = await server.register();
  await closeUnder(server, human.id, 'closed-k3m9q2x7');
  const { status, body } = await read(human.id);
  assert.equal(status, 200);
  assert.deepEqual([body.username, body.status], ['closed-k3m9q2x7', 'closed']);
});

test('304 for a reader that has it already, 200 after a change', async () => {
  const human = await server.register();
  const first = await read(human.id);
  assert.equal(
    first.headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const known = { 'if-none-match': first.headers.get('etag') ?? '' };
  assert.equal((await read(human.id, known)).status, 304);
  await server.published(human);
  assert.equal((await read(human.id, known)).status, 200);
});

test('404 not-found: no account has this id', async () => {
  assertProblem(await read(newId(5)), 'not-found');
});

test('410 gone: a closed account, with the time', async () => {
  const human = await server.register();
  await closeUnder(server, human.id, human.username);
  assertGone(await read(human.id));
});
