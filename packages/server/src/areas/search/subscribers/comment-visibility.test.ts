// Searches never find an invisible comment, before and after its search document is updated.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import type { Delivered, Subscriber } from '#outbox';
import { subscribers } from '#social';
import { closeAccount } from '#test/closing';
import { comment, moderate, setArticleStatus } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { until } from '#test/throw-away-database';
import { askSearch, derive, hits, idsOf, messagesOf } from '#test/search';

let server: TestServer;
let ann: Human;
let article: string;

before(async () => {
  server = await startServer({ ROLE: 'web' });
  ann = await server.register();
  article = (await server.published(ann, { language: 'en' })).id;
});

after(() => server[Symbol.asyncDispose]());

const index = () => derive(server, 'comment.changed');

/** Creates an indexed comment. */
async function say(content: string, on = article, by = ann): Promise<string> {
  const { id } = await comment(server, by, on, { content });
  await index();
  return id;
}

async function findComments(q: string, more: Readonly<Record<string, string>> = {}) {
  return idsOf(await hits(server, { type: 'comment', q, ...more }));
}

/** Creates a comment on an article of its own, with a unique word. */
async function alone(word: string) {
  const on = (await server.published(ann, { language: 'en' })).id as string;
  const id = await say(`Only here: ${word}.`, on);
  assert.deepEqual(await findComments(word), [id]);
  return { id, on };
}

for (const status of ['hidden', 'removed'] as const) {
  test(`200 between a change and its subscriber: a ${status} comment is not found, and then again`, async () => {
    const { id } = await alone(`word${status}`);
    await moderate(server, id, { status });
    assert.deepEqual(await findComments(`word${status}`), []);
    await moderate(server, id, { status: 'visible' });
    assert.deepEqual(await findComments(`word${status}`), [id]);
  });
}

test('200 what moderators hid is found by no one, not even by them', async () => {
  const moderator = await aModerator(server);
  const { id } = await alone('moderatedword');
  await act(server, moderator, { target_type: 'comment', target_id: id, action: 'hide' });
  const query = { type: 'comment', q: 'moderatedword' };
  for (const { token } of [moderator, ann])
    assert.deepEqual((await askSearch(server, query, token)).body.items, []);
});

test('200 between a change and its subscriber: a deleted comment is not found', async () => {
  const { id } = await alone('deletedword');
  await server.ask('DELETE', `/v1/comments/${id}`, { token: ann.token });
  assert.deepEqual(await findComments('deletedword'), []);
});

for (const status of ['hidden', 'removed', 'unpublished', 'erased'] as const) {
  test(`200 comments on an article that is ${status} are not found`, async () => {
    const { on } = await alone(`on${status}`);
    await setArticleStatus(server, on, status);
    assert.deepEqual(await findComments(`on${status}`), []);
  });
}

for (const change of [
  { visibility: 'unlisted' },
  { visibility: 'private' },
  { deindexed: true },
] as const) {
  const name = Object.values(change).join();
  test(`200 comments on an article that is not listed are not found: ${name}`, async () => {
    const { on, id } = await alone(`unlisted${name}`);
    const { visibility = 'public', deindexed = false } = change as {
      visibility?: string;
      deindexed?: boolean;
    };
    const set = (to: string, off: boolean) =>
      server.db.transaction((tx) =>
        tx.run(sql`
          update articles
          set visibility = ${to}, deindexed = ${off}
          where bucket = ${bucketOf(on)} and id = ${on}`),
      );
    await set(visibility, deindexed);
    assert.deepEqual(await findComments(`unlisted${name}`), []);
    await set('public', false);
    assert.deepEqual(await findComments(`unlisted${name}`), [id]);
  });
}

for (const treatment of ['pseudonymise', 'unpublish'] as const) {
  test(`200 comments of a closed account stay, under its pseudonym: ${treatment}`, async () => {
    const leaver = await server.register();
    const id = await say(`stays${treatment}`, article, leaver);
    await closeAccount(server, leaver, treatment);
    await derive(server, 'principal.changed', 'comment.changed');
    const [hit] = await hits(server, { type: 'comment', q: `stays${treatment}` });
    assert.equal(hit.comment.id, id);
    assert.doesNotMatch(JSON.stringify(hit), new RegExp(leaver.username));
    assert.deepEqual(await findComments(`stays${treatment}`, { author: leaver.username }), []);
  });
}

test('200 comments of an account that is erased are not found, before and after their subscribers', async () => {
  const leaver = await server.register();
  await say('erasedword', article, leaver);
  await derive(server, 'principal.closed');
  await closeAccount(server, leaver, 'erase');
  const [message] = await messagesOf(server, 'principal.closed');
  for (const subscriber of subscribers as readonly Subscriber[]) {
    if (subscriber.name === 'eraseComments')
      await subscriber.run(message as Delivered, server.services);
  }
  assert.deepEqual(await findComments('erasedword'), []);
  await index();
  assert.deepEqual(await findComments('erasedword'), []);
  const rows = await server.db.rows(sql<{ id: string }>`
    select comment_id as id
    from comment_search
    where document @@ 'erasedword'::tsquery`);
  assert.deepEqual(rows, []);
});

test('200 with the pipeline at work, comments and people are found and leave by themselves', async () => {
  await using working = await startServer();
  const bob = await working.register('pipelined-person');
  const on = (await working.published(bob, { language: 'en' })).id;
  const { id } = await comment(working, bob, on, { content: 'A pipelined capybara' });
  const finds = async (type: string, q: string) => idsOf(await hits(working, { type, q }));
  const isFound = (type: string, q: string, one: string) =>
    until(`${q} is found`, async () => (await finds(type, q)).includes(one));
  await isFound('comment', 'capybara', id);
  await isFound('principal', 'pipelinde', bob.id);
  await working.ask('DELETE', `/v1/comments/${id}`, { token: bob.token });
  await until('its row is gone', async () => {
    const row = await working.db.first(sql<{ id: string }>`
      select comment_id as id
      from comment_search
      where bucket = ${bucketOf(id)} and comment_id = ${id}`);
    return row === undefined;
  });
  await closeAccount(working, bob, 'erase');
  await until('the account is gone', async () => {
    const row = await working.db.first(sql<{ id: string }>`
      select principal_id as id
      from principal_search
      where bucket = ${bucketOf(bob.id)} and principal_id = ${bob.id}`);
    return row === undefined;
  });
});
