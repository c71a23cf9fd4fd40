// Edges at full speed: no deadlocks, and counts and second rows stay correct.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { ask, countsOf, edgeIds, eventsOf, link, untilSettled } from '#test/edges';
import { checkInvariants } from '#test/faults/invariants';
import type { Human } from '#test/harness';
import { blockedByLock, untilWaiting } from '#test/blocked-by-lock';
import { startScarceServer } from '#test/limits-file';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

async function deadlocks(): Promise<number> {
  const [row] = await server.db.rows(sql<{ deadlocks: number }>`
    select deadlocks
    from pg_stat_database
    where datname = current_database()`);
  return row?.deadlocks ?? 0;
}

/** Requires that every edge has its second row, that the counts equal the edges, and further invariants. */
async function assertSound(): Promise<void> {
  await untilSettled(server);
  const client = new pg.Client(server.services.connection);
  await client.connect();
  await checkInvariants(client);
  await client.end();
}

const kinds = ['cites', 'supports', 'extends', 'related'];

test('two authors link to each other’s articles and unlink at full speed: no deadlock, no error', async () => {
  const people = [await server.register(), await server.register()] as const;
  const articles = [
    await server.published(people[0]),
    await server.published(people[1]),
  ] as readonly { id: string }[];
  const seen = new Map<number, number>();
  const note = (status: number) => seen.set(status, (seen.get(status) ?? 0) + 1);
  const work = async (human: Human, at: number, turn: number) => {
    const [source, destination] = [articles[at], articles[1 - at]];
    for (let round = 0; round < 40; round += 1) {
      const kind = kinds[(round + turn) % kinds.length];
      const made = await ask(server, human, {
        src_article_id: source?.id,
        dst_article_id: destination?.id,
        kind,
      });
      note(made.status);
      if ((round + turn) % 3 === 0) continue;
      const path = `/v1/edges/${made.body.id as string}`;
      note((await server.ask('DELETE', path, { token: human.token })).status);
    }
  };
  const writers = [0, 1, 2, 3].flatMap((turn) => people.map((human, at) => work(human, at, turn)));
  await Promise.all(writers);
  assert.deepEqual(
    [...seen.keys()].filter((status) => ![200, 201, 204, 404].includes(status)),
    [],
  );
  assert.ok((seen.get(201) ?? 0) > 50 && (seen.get(204) ?? 0) > 50, JSON.stringify([...seen]));
  assert.equal(await deadlocks(), 0);
  await assertSound();
});

test('publishing a draft while edges are asserted from it: each is announced once', async () => {
  const [ann, bob] = [await server.register(), await server.register()];
  const targets = [];
  for (let n = 0; n < 12; n += 1) targets.push(await server.published(bob));
  const draft = await server.draft(ann);
  const publish = () =>
    server.ask('POST', `/v1/articles/${draft.id as string}/publish`, {
      token: ann.token,
      key: true,
      body: {},
    });
  const asserting = targets.map((target) => link(server, ann, [draft, target]));
  const [published] = await Promise.all([publish(), ...asserting]);
  assert.equal(published.status, 200);
  await untilSettled(server);
  assert.equal((await eventsOf(server, bob.id)).length, targets.length);
  for (const { id } of targets)
    assert.deepEqual(await countsOf(server, id), { edges_in: 1, edges_out: 0 });
  await assertSound();
});

test('sources come and go while edges are asserted and taken back: in the end counts are what is listed', async () => {
  const [ann, bob] = [await server.register(), await server.register()];
  const [from, to] = [await server.published(ann), await server.published(bob)];
  const kinds = ['cites', 'supports', 'extends', 'related', 'reviews', 'replicates'];
  const see = async (visibility: string) => {
    const asked = { token: ann.token, body: { visibility } };
    const path = `/v1/articles/${from.id as string}`;
    assert.equal((await server.ask('PATCH', path, asked)).status, 200);
  };
  const turning = async () => {
    for (let turn = 0; turn < 12; turn += 1)
      await see(['private', 'public', 'unlisted', 'public'][turn % 4] ?? 'public');
  };
  const linking = async (kind: string, place: number) => {
    for (let turn = 0; turn < 8; turn += 1) {
      const input = { src_article_id: from.id, dst_article_id: to.id, kind };
      const made = await ask(server, ann, input);
      assert.ok(made.status < 300, JSON.stringify(made.body));
      if ((turn + place) % 2 === 0) continue;
      const path = `/v1/edges/${made.body.id as string}`;
      assert.equal((await server.ask('DELETE', path, { token: ann.token })).status, 204);
    }
  };
  await Promise.all([turning(), ...kinds.map(linking)]);
  await untilSettled(server);
  const list = async (token?: string) =>
    edgeIds(
      await server.ask(
        'GET',
        `/v1/articles/${to.id as string}/edges?direction=in`,
        token === undefined ? {} : { token },
      ),
    );
  const own = await list(ann.token);
  assert.equal(own.length, kinds.length / 2);
  assert.deepEqual(await list(), own);
  assert.equal((await countsOf(server, to.id)).edges_in, own.length);
  await assertSound();
  await see('private');
  await untilSettled(server);
  assert.deepEqual(await list(), []);
  assert.equal((await countsOf(server, to.id)).edges_in, 0);
  await assertSound();
  assert.equal(await deadlocks(), 0);
});

test('an article is removed while it is cited: the removal waits, and the citing author is notified', async () => {
  const [ann, bob] = [await server.register(), await server.register()];
  const [article, citing] = [await server.published(ann), await server.published(bob)];
  // Blocked by the lock on the recipient's event counter, with the edge written and not committed.
  const locking = sql`
    insert into event_counters (bucket, principal_id, number, last_time)
    values (${bucketOf(ann.id)}, ${ann.id}, 0, '0000000000')`;
  const asserting = () =>
    ask(server, bob, { src_article_id: citing.id, dst_article_id: article.id });
  const removing = () =>
    server.ask('DELETE', `/v1/articles/${article.id as string}`, { token: ann.token });
  let removed: ReturnType<typeof removing> | undefined;
  const [asserted] = await blockedByLock(server, locking, [asserting], async () => {
    removed = removing();
    await untilWaiting(server, 2);
  });
  assert.equal(asserted?.status, 201, JSON.stringify(asserted?.body));
  assert.equal((await removed)?.status, 204);
  await untilSettled(server);
  const told = await eventsOf(server, bob.id);
  assert.deepEqual(
    told.map(({ type }) => type),
    ['citation.changed'],
  );
});

test('an edge locks its ends in the order of their ids: one who changes both does not wait in a circle', async () => {
  const human = await server.register();
  const made = [await server.published(human), await server.published(human)];
  const [first = '', second = ''] = made.map(({ id }) => id as string).toSorted();
  const lock = (id: string) => sql`
    select id from articles where bucket = ${bucketOf(id)} and id = ${id} for no key update nowait`;
  const edge = () => ask(server, human, { src_article_id: second, dst_article_id: first });
  const [answer] = await blockedByLock(server, lock(first), [edge], async () => {
    await server.db.transaction((tx) => tx.run(lock(second)));
  });
  assert.equal(answer?.status, 201);
});
