// Moderation counts of a month.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { storeToken } from '#test/accounts';
import { sendAppeal, storeAction } from '#test/appeals';
import type { ActionInput } from '#test/appeals';
import { startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const author = await server.register();
const act = (input: Partial<ActionInput>) =>
  storeAction(server, { targetId: newId(7), authorId: author.id, ...input });
const read = (query: string, headers = {}) =>
  server.ask('GET', `/v1/moderation/statistics${query}`, { headers });

test('200 with what was done in the month, from its first to its last millisecond', async () => {
  for (const time of ['2026-01-31T23:59:59.999Z', '2026-03-01T00:00:00.000Z'])
    await act({ at: new Date(time) });
  for (const time of ['2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'])
    await act({ at: new Date(time) });
  await act({ at: new Date('2026-02-10T10:00:00.000Z'), action: 'warn', source: 'automated' });
  const { status, body } = await read('?month=2026-02');
  assert.equal(status, 200);
  const row = { target_type: 'article', reason_code: 'spam', appeals: 0, appeals_upheld: 0 };
  assert.deepEqual(body, {
    month: '2026-02',
    items: [
      { ...row, action: 'hide', source: 'proactive', automated: false, actions: 2 },
      { ...row, action: 'warn', source: 'automated', automated: true, actions: 1 },
    ],
  });
});

test('200 with the present month where none is named, and how many appeals were right', async () => {
  const moderator = await server.register();
  const token = await storeToken(server, moderator.id, ['admin:moderate']);
  for (const status of ['upheld', 'rejected', undefined]) {
    const action = await act({ action: 'warn' });
    const appeal = await sendAppeal(server, author, action.id);
    const path = `/v1/moderation/appeals/${appeal}/review`;
    if (status !== undefined) await server.ask('POST', path, { token, body: { status } });
  }
  const { body } = await read('');
  const [row] = body.items;
  assert.deepEqual([row.actions, row.appeals, row.appeals_upheld], [3, 3, 1]);
});

test('200 as CSV, by the query or by Accept', async () => {
  for (const answer of [
    await read('?month=2026-02&format=csv'),
    await read('?month=2026-02', { accept: 'text/csv' }),
  ]) {
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    assert.equal(
      answer.body,
      'month,target_type,action,reason_code,source,automated,actions,appeals,appeals_upheld\r\n' +
        '2026-02,article,hide,spam,proactive,false,2,0,0\r\n' +
        '2026-02,article,warn,spam,automated,true,1,0,0\r\n',
    );
  }
});
