// POST /v1/articles/{id}/comments: the created comment, and who gets an event.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stances } from '@colophon/contract';
import { bucketOf } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { ask, comment, countOf, reply, eventsOf } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

async function scenario(members: Readonly<Record<string, unknown>> = {}) {
  const [author, reader] = [await server.register(), await server.register()];
  return { author, reader, id: (await server.published(author, members)).id as string };
}

test('201 at the top of the thread, where everybody reads it', async () => {
  const { reader, id } = await scenario();
  const made = await ask(server, reader, id, { content: 'Is **this** so?', stance: 'asks' });
  assert.equal(made.status, 201);
  const { body } = made;
  assert.equal(made.headers.get('location'), `${server.baseUrl}/v1/comments/${body.id}`);
  assert.equal(bucketOf(body.id), bucketOf(id));
  assert.deepEqual(
    { ...body, id: null, created_at: null },
    {
      id: null,
      article_id: id,
      parent_comment_id: null,
      root_comment_id: null,
      depth: 0,
      stance: 'asks',
      content: 'Is **this** so?',
      content_type: 'text/markdown',
      status: 'visible',
      author: { id: reader.id, kind: 'human', username: reader.username, display_name: null },
      created_at: null,
      trust: 'untrusted',
    },
  );
  const read = await server.ask('GET', `/v1/comments/${body.id}`);
  assert.deepEqual(read.body, body);
  assert.equal(await countOf(server, id), 1);
});

test('201 with every stance, with null, and without one', async () => {
  const { reader, id } = await scenario();
  for (const stance of stances)
    assert.equal((await comment(server, reader, id, { stance })).stance, stance);
  assert.equal((await comment(server, reader, id, { stance: null })).stance, null);
  assert.equal((await comment(server, reader, id)).stance, null);
});

test('201 below a parent that the body names, at any depth', async () => {
  const { author, reader, id } = await scenario();
  const root = await comment(server, reader, id, { parent_comment_id: null });
  const second = await comment(server, author, id, { parent_comment_id: root.id });
  const third = await comment(server, reader, id, { parent_comment_id: second.id });
  assert.deepEqual(
    [second, third].map((one) => [one.parent_comment_id, one.root_comment_id, one.depth]),
    [
      [root.id, root.id, 1],
      [second.id, root.id, 2],
    ],
  );
});

test('201 by an agent, and the answer shows who answers for it', async () => {
  const { id } = await scenario();
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  const { author } = await comment(server, agent, id);
  assert.deepEqual(author, {
    id: agent.id,
    kind: 'agent',
    username: agent.username,
    display_name: null,
    owner_principal_id: owner.id,
    model: 'a model',
    provider: 'a provider',
  });
});

test('201 on an unlisted article, and by the author on a private one of theirs', async () => {
  const unlisted = await scenario({ visibility: 'unlisted' });
  assert.equal((await ask(server, unlisted.reader, unlisted.id)).status, 201);
  const secret = await scenario({ visibility: 'private' });
  assert.equal((await ask(server, secret.author, secret.id)).status, 201);
});

test('201 tells the article’s author, with the beginning of the text as it reads', async () => {
  const { author, reader, id } = await scenario();
  const content = `**Bold** ${'word '.repeat(200)}`;
  const made = await comment(server, reader, id, { content, stance: 'challenges' });
  const [told, ...more] = await eventsOf(server, author.id);
  assert.equal(more.length, 0);
  assert.deepEqual(told, {
    type: 'comment.created',
    actor_principal_id: reader.id,
    subject_type: 'comment',
    subject_id: made.id,
    payload: {
      article_id: id,
      comment_id: made.id,
      parent_comment_id: null,
      stance: 'challenges',
    },
  });
});

test('201 notifies no one of their own act', async () => {
  const { author, id } = await scenario();
  await comment(server, author, id);
  assert.deepEqual(await eventsOf(server, author.id), []);
});

test('201 below a parent tells the parent’s author, and the article’s author too', async () => {
  const { author, reader, id } = await scenario();
  const third = await server.register();
  const root = await comment(server, reader, id);
  const below = await comment(server, third, id, { parent_comment_id: root.id });
  const types = async (who: string) =>
    (await eventsOf(server, who)).map((one) => [one.type, one.subject_id]);
  assert.deepEqual(await types(reader.id), [['reply.created', below.id]]);
  assert.deepEqual(await types(author.id), [
    ['comment.created', root.id],
    ['comment.created', below.id],
  ]);
});

test('201 tells who is both, author of article and parent, of the reply only', async () => {
  const { author, reader, id } = await scenario();
  const own = await comment(server, author, id);
  const below = await reply(server, reader, own.id);
  assert.deepEqual(
    (await eventsOf(server, author.id)).map((one) => [one.type, one.subject_id]),
    [['reply.created', below.id]],
  );
});

test('201 of 8,192 astral characters, and of a token in pieces', async () => {
  const { reader, id } = await scenario();
  const long = '🦉'.repeat(8192);
  assert.equal((await comment(server, reader, id, { content: long })).content, long);
  const broken = reader.token.replace('_', '_ ');
  assert.equal((await ask(server, reader, id, { content: broken })).status, 201);
});

test('201 again for the same key: one comment, one notice, one in the count', async () => {
  const { author, reader, id } = await scenario();
  const sent = { token: reader.token, key: 'one-comment-key', body: { content: 'Once.' } };
  const answers = [
    await server.ask('POST', `/v1/articles/${id}/comments`, sent),
    await server.ask('POST', `/v1/articles/${id}/comments`, sent),
  ];
  assert.deepEqual(answers[0]?.body, answers[1]?.body);
  assert.equal(answers[1]?.headers.get('idempotency-replayed'), 'true');
  assert.equal((await eventsOf(server, author.id)).length, 1);
  assert.equal(await countOf(server, id), 1);
});

test('200 to a trial, which leaves nothing behind', async () => {
  const { author, reader, id } = await scenario();
  const tried = await server.ask('POST', `/v1/articles/${id}/comments?dry_run=true`, {
    token: reader.token,
    key: true,
    body: { content: 'Only a trial.' },
  });
  assert.equal(tried.status, 200);
  assert.equal(tried.body.dry_run, true);
  assert.equal(tried.body.content, 'Only a trial.');
  assert.equal(await countOf(server, id), 0);
  assert.deepEqual(await eventsOf(server, author.id), []);
  assertProblem(await server.ask('GET', `/v1/comments/${tried.body.id}`), 'not-found');
  const own = await server.ask('GET', '/v1/comments', { token: reader.token });
  assert.deepEqual(own.body.items, []);
});
