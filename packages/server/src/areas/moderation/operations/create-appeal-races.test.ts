// An appeal and the restoration of its target at the same time: one comes before the other.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { sendAppeal } from '#test/appeals';
import { inTurn } from '#test/blocked-by-lock';
import { startServer } from '#test/harness';
import { act, anArticle, askAct, aModerator } from '#test/moderators';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [moderator, other] = [await aModerator(server), await aModerator(server)];

const atTheAction = (id: string) => sql`
  select id from moderation_actions where bucket = ${bucketOf(id)} and id = ${id} for update`;

async function appealsOf(targetId: string): Promise<readonly string[]> {
  const rows = await server.db.rows(sql<{ status: string }>`
    select status from appeals
    where bucket = ${bucketOf(targetId)} and target_id = ${targetId}
    order by id`);
  return rows.map(({ status }) => status);
}

test('409 conflict for an appeal that arrives while the action is being reversed', async () => {
  const { author, input } = await anArticle(server);
  const { id } = await act(server, moderator, input);
  const restore = () => askAct(server, other, { ...input, action: 'restore' });
  const appeal = () =>
    server.ask('POST', `/v1/moderation/actions/${id as string}/appeal`, {
      token: author.token,
      body: { text: 'Wrong.' },
    });
  const answers = await inTurn(server, atTheAction(id), [restore, appeal]);
  assert.deepEqual(
    answers.map((answer) => answer?.status),
    [201, 409],
  );
  assert.deepEqual(await appealsOf(input.target_id), []);
});

test('201, and a restoration that arrives meanwhile upholds this appeal as well as earlier ones', async () => {
  const { author, input } = await anArticle(server);
  const earlier = await act(server, moderator, { ...input, action: 'de-index' });
  await sendAppeal(server, author, earlier.id);
  const { id } = await act(server, moderator, input);
  const appeal = () =>
    server.ask('POST', `/v1/moderation/actions/${id as string}/appeal`, {
      token: author.token,
      body: { text: 'Wrong too.' },
    });
  const restore = () => askAct(server, other, { ...input, action: 'restore', source: 'appeal' });
  const answers = await inTurn(server, atTheAction(id), [appeal, restore]);
  assert.deepEqual(
    answers.map((answer) => answer?.status),
    [201, 201],
  );
  assert.deepEqual(await appealsOf(input.target_id), ['upheld', 'upheld']);
});
