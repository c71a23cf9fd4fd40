// The queue of 10,000 reports, read page by page during concurrent reports and decisions.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { readsPlans } from '#test/citus/one-server';
import { startServer } from '#test/harness';
import { ask, fillQueue, moderator, review } from '#test/reports';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [mod, colleague] = [await moderator(server), await moderator(server)];
const count = 10_000;
const filed = await fillQueue(server, count);
await server.db.transaction((tx) => tx.run(sql`analyze reports`));

interface Read {
  readonly ids: readonly string[];
  readonly pages: number;
}

/** Reads a list to its end; `meanwhile` runs concurrently with the reading of each page. */
async function readAll(
  query: string,
  meanwhile: (page: number) => Promise<unknown>,
): Promise<Read> {
  const ids: string[] = [];
  let cursor = '';
  for (let pages = 1; ; pages += 1) {
    const [{ status, body }] = await Promise.all([
      server.ask('GET', `/v1/moderation/reports?limit=100${query}${cursor}`, { token: mod.token }),
      meanwhile(pages),
    ]);
    assert.equal(status, 200);
    ids.push(...(body.items as readonly { readonly id: string }[]).map(({ id }) => id));
    if (body.next_cursor === null) return { ids, pages };
    cursor = `&cursor=${body.next_cursor as string}`;
  }
}

test('nothing that was there is missed or repeated, oldest first, while reports are filed', async () => {
  const fresh: string[] = [];
  const { ids, pages } = await readAll('&status=open', async () => {
    fresh.push((await ask(server)).body.id);
  });
  assert.ok(pages > count / 100);
  assert.equal(new Set(ids).size, ids.length, 'no repetition');
  assert.deepEqual(ids, ids.toSorted(), 'in order');
  const there = new Set(filed);
  assert.deepEqual(
    ids.filter((id) => there.has(id)),
    filed,
  );
  const seen = new Set(ids);
  // The last page may have been read before the last report was filed.
  assert.deepEqual(
    fresh.slice(0, -2).filter((id) => !seen.has(id)),
    [],
  );
});

test('nothing is missed or repeated, newest first, while reports are filed', async () => {
  const { ids } = await readAll('', () => ask(server));
  assert.equal(new Set(ids).size, ids.length, 'no repetition');
  const there = new Set(filed);
  assert.deepEqual(
    ids.filter((id) => there.has(id)),
    filed.toReversed(),
  );
});

test('nothing that stays open is missed while others take reports out of the queue', async () => {
  const taken = new Set<string>();
  const { ids } = await readAll('&status=open', async (page) => {
    // One report that was read already, and one that was not read yet.
    for (const place of [page * 100 - 150, page * 100 + 475]) {
      const id = filed[place];
      if (id === undefined) continue;
      const { status } = await review(server, colleague, id, { status: 'rejected' });
      assert.equal(status, 200);
      taken.add(id);
    }
  });
  assert.ok(taken.size > 150);
  assert.equal(new Set(ids).size, ids.length, 'no repetition');
  const seen = new Set(ids);
  assert.deepEqual(
    filed.filter((id) => !taken.has(id) && !seen.has(id)),
    [],
  );
});

test(
  'the last page costs what the first does: each list walks an index in its own order',
  readsPlans,
  async () => {
    for (const statement of [
      sql<Plan>`
      explain (format json)
      select id from reports r
      where r.status in ('open', 'reviewing')
        and (r.status = 'open' or r.claimed_at <= now())
        and r.id > ${filed.at(-200)}
      order by r.id
      limit 101`,
      sql<Plan>`
      explain (format json)
      select id from reports r
      where r.status is not null and r.id < ${filed.at(200)}
      order by r.id desc
      limit 101`,
      sql<Plan>`
      explain (format json)
      select id from reports r
      where r.status = 'rejected' and r.id < ${filed.at(200)}
      order by r.id desc
      limit 101`,
    ]) {
      const plan = JSON.stringify(await server.db.first(statement));
      assert.match(plan, /Index (?:Only )?Scan/);
      assert.doesNotMatch(plan, /Seq Scan|"Sort"/, plan);
    }
  },
);

interface Plan {
  readonly 'QUERY PLAN': unknown;
}
