// Messages of comments: one for every change of a comment.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bucketOf } from '#lib/id';
import { createAgent } from '#test/agents';
import { closeAccount } from '#test/closing';
import { comment, reply } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { messagesOf } from '#test/search';
import { eraseComments } from '../subscribers/comments.ts';

let server: TestServer;
let author: Human;
let article: string;

before(async () => {
  server = await startServer({ ROLE: 'web' });
  author = await server.register();
  article = (await server.published(author)).id;
});

after(() => server[Symbol.asyncDispose]());

/** Returns the messages about a comment. */
async function toldOf(id: string) {
  const messages = await messagesOf(server, 'comment.changed');
  return messages.filter(({ payload }) => (payload as { comment_id?: string }).comment_id === id);
}

test('a comment and a reply are told in their bucket, with their author and who answers for it', async () => {
  const agent = await createAgent(server, author);
  const made = await comment(server, author, article);
  const answered = await reply(server, agent, made.id);
  for (const [id, writer] of [
    [made.id, author.id],
    [answered.id, agent.id],
  ] as const) {
    const [message, ...more] = await toldOf(id);
    assert.equal(more.length, 0);
    assert.equal(message?.bucket, bucketOf(article));
    assert.deepEqual(message?.payload, {
      article_id: article,
      comment_id: id,
      author_id: writer,
      owner_id: author.id,
    });
  }
});

test('a comment that is refused is not told', async () => {
  const before = (await messagesOf(server, 'comment.changed')).length;
  const path = `/v1/articles/${article}/comments`;
  const body = { content: 'text', parent_comment_id: article };
  const { status } = await server.ask('POST', path, { token: author.token, key: true, body });
  assert.equal(status, 404);
  assert.equal((await messagesOf(server, 'comment.changed')).length, before);
});

test('deleting is told', async () => {
  const { id } = await comment(server, author, article);
  await server.ask('DELETE', `/v1/comments/${id}`, { token: author.token });
  assert.equal((await toldOf(id)).length, 2);
});

test('what moderators do is told where it changes who may read it', async () => {
  const moderator = await aModerator(server);
  const { id } = await comment(server, author, article);
  const input = { target_type: 'comment', target_id: id } as const;
  for (const [action, messages] of [
    ['warn', 1],
    ['hide', 2],
    ['restore', 3],
    ['remove', 4],
    ['restore', 5],
  ] as const) {
    await act(server, moderator, { ...input, action });
    assert.equal((await toldOf(id)).length, messages, action);
  }
});

test('each comment of an account that is erased is told, and its counts are right', async () => {
  const leaver = await server.register();
  const other = (await server.published(author)).id;
  const ids = [];
  for (let one = 0; one < 5; one += 1) ids.push((await comment(server, leaver, other)).id);
  const [gone = ''] = ids;
  await server.ask('DELETE', `/v1/comments/${gone}`, { token: leaver.token });
  await closeAccount(server, leaver, 'erase');
  await eraseComments(leaver.id, server.services);
  for (const id of ids) assert.equal((await toldOf(id)).length, 2, id);
  const { body } = await server.ask('GET', `/v1/articles/${other}`);
  assert.equal(body.counts.comments, 0);
});
