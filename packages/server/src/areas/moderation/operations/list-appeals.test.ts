// The queue of appeals.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { storeToken } from '#test/accounts';
import { sendAppeal, storeAction } from '#test/appeals';
import { startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const moderator = await server.register();
const token = await storeToken(server, moderator.id, ['admin:moderate']);
const list = (query = '') => server.ask('GET', `/v1/moderation/appeals${query}`, { token });

test('200 with the open ones, oldest first and page by page, each with its action', async () => {
  const author = await server.register();
  const appeals: string[] = [];
  const acted = { moderatorId: moderator.id, reasonCode: 'fraud', source: 'report' } as const;
  for (let count = 0; count < 5; count += 1) {
    const targetId = newId(count);
    const { id } = await storeAction(server, { targetId, authorId: author.id, ...acted });
    appeals.push(await sendAppeal(server, author, id, `Appeal ${count}.`));
  }
  const seen: { id: string; text: string; moderator_id: string }[] = [];
  for (let query = '?limit=2'; ;) {
    const page = await list(query);
    assert.equal(page.status, 200);
    seen.push(...page.body.items);
    if (page.body.next_cursor === null) break;
    query = `?limit=2&cursor=${page.body.next_cursor}`;
  }
  assert.deepEqual(
    seen.map(({ id }) => id),
    appeals,
  );
  const [first] = (await list()).body.items;
  const { text, trust, reason_code, source, status, appellant_id, moderator_id } = first;
  assert.deepEqual(
    { text, trust, reason_code, source, status, appellant_id, moderator_id },
    {
      text: 'Appeal 0.',
      trust: 'untrusted',
      reason_code: 'fraud',
      source: 'report',
      status: 'open',
      appellant_id: author.id,
      moderator_id: moderator.id,
    },
  );
});

test('200 with those that were decided, by their status', async () => {
  const [author, other] = [await server.register(), await server.register()];
  const { id } = await storeAction(server, {
    targetId: newId(9),
    authorId: author.id,
    moderatorId: other.id,
  });
  const appeal = await sendAppeal(server, author, id);
  const path = `/v1/moderation/appeals/${appeal}/review`;
  await server.ask('POST', path, { token, body: { status: 'rejected', resolution: 'No.' } });
  const ids = async (query: string) =>
    ((await list(query)).body.items as { id: string }[]).map((one) => one.id);
  assert.deepEqual(await ids('?status=rejected'), [appeal]);
  assert.ok(!(await ids('?status=open')).includes(appeal));
  assert.deepEqual(await ids('?status=upheld'), []);
  const [rejected] = (await list('?status=rejected')).body.items;
  assert.equal(rejected.resolution, 'No.');
  assert.equal(rejected.resolved_by, moderator.id);
});
