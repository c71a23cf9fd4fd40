// The administrators' view of the audit log.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { canonicalJson, sha256Hex } from '#lib/canonical-json';
import { administrator } from '#test/administrators';
import { startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const [admin, other] = [await administrator(server), await administrator(server)];
const people = [await server.register(), await server.register()];

for (const [index, { token }] of [admin, other, admin].entries()) {
  for (const { id } of people) {
    const path = `/v1/admin/principals/${id}/trust`;
    await server.ask('POST', path, { token, body: { level: index + 1 } });
  }
}

interface Row {
  readonly number: number;
  readonly actor: string;
  readonly action: string;
  readonly target_id: string;
  readonly previous_hash: string;
  readonly hash: string;
}

async function list(query: string): Promise<{ items: Row[]; next_cursor: string | null }> {
  const answer = await server.ask('GET', `/v1/audit${query}`, { token: admin.token });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

test('200 newest first, page by page; anybody can compute the chain again', async () => {
  const rows: Row[] = [];
  for (let query = '?limit=4'; ;) {
    const { items, next_cursor: next } = await list(query);
    rows.push(...items);
    if (next === null) break;
    query = `?limit=4&cursor=${next}`;
  }
  assert.deepEqual(
    rows.map(({ number }) => number),
    [6, 5, 4, 3, 2, 1],
  );
  for (const [index, { hash, ...rest }] of rows.entries()) {
    assert.equal(sha256Hex(canonicalJson(rest)), hash);
    assert.equal(rest.previous_hash, rows[index + 1]?.hash ?? '0'.repeat(64));
  }
});

test('200 with only what is asked for: by whom, what, on what', async () => {
  const numbers = async (query: string) => (await list(query)).items.map(({ number }) => number);
  assert.deepEqual(await numbers(`?actor=${other.id}`), [4, 3]);
  assert.deepEqual(await numbers(`?target_id=${people[0]?.id}`), [5, 3, 1]);
  assert.deepEqual(await numbers(`?target_id=${people[0]?.id}&actor=${other.id}`), [3]);
  assert.deepEqual(await numbers('?action=trust&limit=2'), [6, 5]);
  assert.deepEqual(await numbers('?action=grant'), []);
  assert.deepEqual(await numbers('?target_type=principal&cursor=3'), [2, 1]);
  assert.deepEqual(await numbers('?target_type=article'), []);
});
