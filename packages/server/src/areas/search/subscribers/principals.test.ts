// Search documents of principals on a real PostgreSQL, as principals change.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { recurring } from '#identity';
import { bucketOf, newId } from '#lib/id';
import { createAgent } from '#test/agents';
import { closeAccount } from '#test/closing';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { indexPrincipal, rebuildingPrincipals } from './principals.ts';

let server: TestServer;

before(async () => {
  server = await startServer({ ROLE: 'web' });
});

after(() => server[Symbol.asyncDispose]());

const index = (id: string) => indexPrincipal(id, server.services);

async function rowOf(id: string) {
  return server.db.first(sql<{ username: string; document: string }>`
    select username, document::text
    from principal_search
    where bucket = ${bucketOf(id)} and principal_id = ${id}`);
}

async function rename({ id, token }: Human, body: Readonly<Record<string, unknown>>) {
  const changed = await server.ask('PATCH', `/v1/principals/${id}`, { token, key: true, body });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
}

test('a principal is indexed by names, with accents and without, and by its bio', async () => {
  const ann = await server.register('ann-writes');
  await rename(ann, { display_name: 'José', bio: 'Lives in 東京' });
  await index(ann.id);
  const { document = '' } = (await rowOf(ann.id)) ?? {};
  for (const word of [
    "'ann':\\d+A",
    "'josé':\\d+A",
    "'jose':\\d+A",
    "'lives':\\d+B",
    "'東京':\\d+B",
  ])
    assert.match(document, new RegExp(word));
});

test('a new display name takes the place of the old one', async () => {
  const ann = await server.register();
  await rename(ann, { display_name: 'Walrus' });
  await index(ann.id);
  await rename(ann, { display_name: 'Pelican' });
  await index(ann.id);
  const { document = '' } = (await rowOf(ann.id)) ?? {};
  assert.match(document, /'pelican'/);
  assert.doesNotMatch(document, /'walrus'/);
});

test('a de-indexed account leaves, and comes back when the action is reverted; a suspended one stays', async () => {
  const moderator = await aModerator(server);
  const ann = await server.register();
  for (const [action, found] of [
    ['suspend', true],
    ['de-index', false],
    ['restore', true],
  ] as const) {
    await act(server, moderator, { target_type: 'principal', target_id: ann.id, action });
    await index(ann.id);
    assert.equal((await rowOf(ann.id)) !== undefined, found, action);
  }
});

for (const treatment of ['pseudonymise', 'unpublish', 'erase']) {
  test(`a closed account leaves with its agents: ${treatment}`, async () => {
    const ann = await server.register();
    const agent = await createAgent(server, ann);
    for (const { id } of [ann, agent]) await index(id);
    await closeAccount(server, ann, treatment);
    const stale = await rebuildingPrincipals.stale(server.db, '', 100);
    for (const { id } of [ann, agent]) {
      assert.ok(stale.includes(id));
      await index(id);
      assert.equal(await rowOf(id), undefined);
    }
  });
}

test('an account that was never used leaves when it is removed', async () => {
  const ann = await server.register();
  await index(ann.id);
  assert.ok(await rowOf(ann.id));
  const { db, log } = server.services;
  const sweep = recurring.find(({ name }) => name === 'removeUnusedAccounts');
  await sweep?.run({ db, log, now: () => new Date(Date.now() + 25 * 3_600_000) });
  await index(ann.id);
  assert.equal(await rowOf(ann.id), undefined);
});

test('a principal that does not exist leaves nothing behind', async () => {
  const id = newId(9);
  await index(id);
  assert.equal(await rowOf(id), undefined);
});

test('runs at once while the name changes end in the last one', async () => {
  const ann = await server.register();
  const runs: Promise<void>[] = [];
  for (let round = 0; round < 20; round += 1) {
    runs.push(index(ann.id));
    await rename(ann, { display_name: `Round${round}` });
    runs.push(index(ann.id));
  }
  await Promise.all(runs);
  assert.match((await rowOf(ann.id))?.document ?? '', /'round19'/);
});

test('all principals are gone through, each once', async () => {
  const ids: string[] = [];
  for (;;) {
    const some = await rebuildingPrincipals.next(server.db, ids.at(-1) ?? '', 3);
    ids.push(...some);
    if (some.length < 3) break;
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(Number(await rebuildingPrincipals.count(server.db)), ids.length);
});
