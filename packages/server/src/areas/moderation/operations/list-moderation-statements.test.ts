// Statements of reasons: all public fields, and no others.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  appealStatuses,
  moderationActions,
  moderationSources,
  reasonCodes,
  targetTypes,
} from '@colophon/contract';
import { newId } from '#lib/id';
import { sendAppeal, storeAction } from '#test/appeals';
import type { StoredAction } from '#test/appeals';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';

const actions: StoredAction[] = [];
let server: TestServer;
before(async () => {
  server = await startServer();
  const [author, moderator] = [await server.register(), await server.register()];
  const mine = { authorId: author.id, moderatorId: moderator.id };
  // Three of seven have the same millisecond, in several buckets.
  for (const [index, second] of [1, 2, 3, 3, 3, 4, 5].entries()) {
    const at = new Date(Date.now() - 60_000 + second * 1000);
    const same = index > 2 && second === 3 ? actions[2]?.at : undefined;
    const input = { ...mine, targetId: newId(index * 500), at: same ?? at };
    const source = index === 6 ? ('automated' as const) : ('report' as const);
    actions.push(await storeAction(server, { ...input, source }));
  }
  await sendAppeal(server, author, actions[5]?.id ?? '');
});
after(() => server[Symbol.asyncDispose]());

const list = (query = '', headers = {}) =>
  server.ask('GET', `/v1/moderation/actions${query}`, { headers });

function publicId(action: StoredAction): string {
  return createHash('sha256').update(action.id).digest('hex').slice(0, 32);
}

test('200 for everybody, newest first, with what was done and why', async () => {
  const { status, body, headers } = await list();
  assert.equal(status, 200);
  assert.match(headers.get('cache-control') ?? '', /public/);
  const [newest, appealedOne] = body.items;
  const last = actions[6];
  assert.deepEqual(newest, {
    id: last && publicId(last),
    target_type: 'article',
    action: 'hide',
    reason_code: 'spam',
    source: 'automated',
    automated: true,
    appeal: null,
    created_at: last?.at.toISOString(),
  });
  assert.equal(appealedOne.appeal, 'open');
  assert.equal(appealedOne.automated, false);
});

test('200 without a target, a moderator, a word of theirs, or the bucket that an id ends with', async () => {
  const { body } = await list();
  const text = JSON.stringify(body);
  for (const { id } of actions) assert.ok(!text.includes(id));
  assert.ok(!/[0-9A-HJKMNP-TV-Z]{26}/.test(text), 'no id of anything is shown');
  assert.ok(!text.includes('Words of the moderator'));
});

test('200 page by page: none twice, none missed, those of one millisecond included', async () => {
  const seen: string[] = [];
  for (let query = '?limit=1'; ;) {
    const { body } = await list(query);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    if (body.next_cursor === null) break;
    query = `?limit=1&cursor=${body.next_cursor}`;
  }
  assert.equal(seen.length, actions.length);
  assert.deepEqual(new Set(seen), new Set(actions.map(publicId)));
});

test('200 as CSV, by the query or by Accept: a line of names, a line for each, the next page linked', async () => {
  for (const answer of [
    await list('?format=csv&limit=2'),
    await list('?limit=2', { accept: 'text/csv' }),
  ]) {
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    const [names, ...rows] = String(answer.body).trimEnd().split('\r\n');
    assert.equal(names, 'id,created_at,target_type,action,reason_code,source,automated,appeal');
    const last = actions[6];
    assert.equal(
      rows[0],
      `${last && publicId(last)},${last?.at.toISOString()},article,hide,spam,automated,true,`,
    );
    assert.equal(rows.length, 2);
    assert.match(answer.headers.get('link') ?? '', /rel="next"/);
  }
  const json = await list('?format=json', { accept: 'text/csv' });
  assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
});

test('200 as CSV with nothing that a spreadsheet would run: every cell is of a closed list, an id or a time', async () => {
  const { body } = await list('?format=csv&limit=100');
  const [, ...rows] = String(body).trimEnd().split('\r\n');
  assert.ok(rows.length > 0);
  const known = [...targetTypes, ...moderationActions, ...reasonCodes, ...moderationSources];
  const words = new Set<string>([...known, ...appealStatuses, 'true', 'false', '']);
  for (const row of rows) {
    const [id = '', at = '', ...cells] = row.split(',');
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    assert.deepEqual(
      cells.filter((cell) => !words.has(cell)),
      [],
    );
  }
});
