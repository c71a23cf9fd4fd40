// The order of the actions on an object: its history lists them as they took effect, not as they were requested.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, firstIdAt } from '#lib/id';
import { blockedByLock } from '#test/blocked-by-lock';
import { startServer } from '#test/harness';
import { aModerator, anArticle, askAct } from '#test/moderators';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

test('an action that waited for its target has an id of after the wait', async () => {
  const { input } = await anArticle(server);
  const bucket = bucketOf(input.target_id);
  let waiting = '';
  const [hidden] = await blockedByLock(
    server,
    sql`select id from articles where bucket = ${bucket} and id = ${input.target_id} for update`,
    [() => askAct(server, moderator, input)],
    async () => {
      // The lowest id that another process could make now.
      waiting = firstIdAt(Date.now());
    },
  );
  assert.equal(hidden?.status, 201);
  assert.ok(hidden.body.id > waiting, `${hidden.body.id} was made before the action had its turn`);
});
