// POST /v1/comments/{id}/replies: the place of a reply, who gets an event, and every refusal.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { removeLegally, setPrincipalStatus, setTrustLevel } from '#test/accounts';
import {
  askReply,
  comment,
  countOf,
  moderate,
  reply,
  setArticleStatus,
  eventsOf,
} from '#test/comments';
import { assertProblem } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import { aModerator } from '#test/moderators';
import {
  assertFault,
  assertGone,
  assertLegallyRemoved,
  assertMissingScope,
  assertQuotaExceeded,
} from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

/** Creates an article with a reader's comment. */
async function scenario() {
  const [author, reader] = [await server.register(), await server.register()];
  const id = (await server.published(author)).id as string;
  return { author, reader, id, parent: await comment(server, reader, id) };
}

test('201 below the comment, in the bucket of the article', async () => {
  const { author, id, parent } = await scenario();
  const made = await askReply(server, author, parent.id, { stance: 'clarifies' });
  assert.equal(made.status, 201);
  assert.equal(
    made.headers.get('location'),
    `${server.baseUrl}/v1/comments/${made.body.id as string}`,
  );
  assert.equal(bucketOf(made.body.id), bucketOf(id));
  const { article_id, parent_comment_id, root_comment_id, depth, stance } = made.body;
  assert.deepEqual(
    { article_id, parent_comment_id, root_comment_id, depth, stance },
    {
      article_id: id,
      parent_comment_id: parent.id,
      root_comment_id: parent.id,
      depth: 1,
      stance: 'clarifies',
    },
  );
  assert.deepEqual((await server.ask('GET', `/v1/comments/${made.body.id}`)).body, made.body);
  assert.equal(await countOf(server, id), 2);
});

test('201 ever deeper: the root stays, the depth grows', async () => {
  const { author, reader, parent } = await scenario();
  let above = parent;
  for (let depth = 1; depth <= 12; depth += 1) {
    const made = await reply(server, depth % 2 ? author : reader, above.id);
    assert.equal(made.depth, depth);
    assert.equal(made.root_comment_id, parent.id);
    assert.equal(made.parent_comment_id, above.id);
    above = made;
  }
});

test('201 tells the author of the comment and, of the same reply, the author of the article', async () => {
  const { author, reader, id, parent } = await scenario();
  const third = await server.register();
  const made = await reply(server, third, parent.id, { content: 'So *it* is.' });
  const [told] = await eventsOf(server, reader.id);
  assert.equal(told?.type, 'reply.created');
  assert.equal(told.actor_principal_id, third.id);
  assert.deepEqual(told.payload, {
    article_id: id,
    comment_id: made.id,
    parent_comment_id: parent.id,
    stance: null,
  });
  const last = (await eventsOf(server, author.id)).at(-1);
  assert.equal(last?.type, 'comment.created');
  assert.deepEqual(last.payload, told.payload);
});

test('201 to the caller’s own comment notifies only the author of the article', async () => {
  const { author, reader, parent } = await scenario();
  const before = (await eventsOf(server, author.id)).length;
  await reply(server, reader, parent.id);
  assert.deepEqual(await eventsOf(server, reader.id), []);
  assert.equal((await eventsOf(server, author.id)).length, before + 1);
});

test('201 on a private article: those who cannot read it any more get no event', async () => {
  const { author, reader, id, parent } = await scenario();
  const own = await comment(server, author, id);
  const read = async () => (await eventsOf(server, reader.id)).map(({ type }) => type);
  const visibility = (to: string) =>
    server.ask('PATCH', `/v1/articles/${id}`, { token: author.token, body: { visibility: to } });
  await visibility('private');
  await reply(server, author, parent.id);
  assert.deepEqual(await read(), []);
  // The author can read it and gets the event of a reply by somebody else who can.
  const moderator = await aModerator(server);
  await reply(server, moderator, own.id);
  assert.equal((await eventsOf(server, author.id)).at(-1)?.type, 'reply.created');
  await reply(server, moderator, parent.id);
  assert.deepEqual(await read(), []);
  assert.equal((await eventsOf(server, author.id)).at(-1)?.type, 'comment.created');
  await visibility('unlisted');
  await reply(server, author, parent.id);
  assert.deepEqual(await read(), ['reply.created']);
});

test('200 to a trial, which leaves nothing behind', async () => {
  const { author, reader, id, parent } = await scenario();
  const tried = await server.ask('POST', `/v1/comments/${parent.id}/replies?dry_run=true`, {
    token: author.token,
    key: true,
    body: { content: 'Only a trial.' },
  });
  assert.equal(tried.status, 200);
  assert.equal(tried.body.parent_comment_id, parent.id);
  assert.equal(await countOf(server, id), 1);
  assert.deepEqual(await eventsOf(server, reader.id), []);
});

test('400 invalid-request without a key', async () => {
  const { reader, parent } = await scenario();
  const sent = { token: reader.token, body: { content: 'No key.' } };
  const path = `/v1/comments/${parent.id}/replies`;
  assertProblem(await server.ask('POST', path, sent), 'invalid-request');
});

test('401 unauthenticated without a token', async () => {
  const { parent } = await scenario();
  const sent = { key: true as const, body: { content: 'Who?' } };
  const path = `/v1/comments/${parent.id}/replies`;
  assertProblem(await server.ask('POST', path, sent), 'unauthenticated');
});

test('403 insufficient-scope without comments:write', async () => {
  const { reader, parent } = await scenario();
  const token = await server.tokenWith(reader, ['comments:read']);
  assertMissingScope(await askReply(server, { token }, parent.id), 'comments:write');
});

test('403 forbidden for the suspended', async () => {
  const { reader, parent } = await scenario();
  await setPrincipalStatus(server, reader.id, 'suspended');
  assertProblem(await askReply(server, reader, parent.id), 'forbidden');
});

test('404 not-found: no such comment, a hidden one, and one on an article that is not seen', async () => {
  const { author, reader, id, parent } = await scenario();
  assertProblem(await askReply(server, reader, newId(7)), 'not-found');
  assertProblem(await askReply(server, reader, 'nothing'), 'not-found');
  const hidden = await comment(server, reader, id);
  await moderate(server, hidden.id, { status: 'hidden' });
  assertProblem(await askReply(server, author, hidden.id), 'not-found');
  await setArticleStatus(server, id, 'hidden');
  assertProblem(await askReply(server, reader, parent.id), 'not-found');
  // The words are the same: others would say that the comment and its article exist.
  const [unseen, unknown] = [
    await askReply(server, reader, parent.id),
    await askReply(server, reader, newId(7)),
  ];
  assert.equal(unseen.body.detail, unknown.body.detail);
  await setArticleStatus(server, id, 'published');
  const body = { visibility: 'private' };
  await server.ask('PATCH', `/v1/articles/${id}`, { token: author.token, body });
  assertProblem(await askReply(server, reader, parent.id), 'not-found');
});

test('410 gone: the comment was deleted or removed, or its article was', async () => {
  const { reader, id, parent } = await scenario();
  const other = await comment(server, reader, id);
  await moderate(server, other.id, { status: 'removed' });
  assertGone(await askReply(server, reader, other.id));
  await server.ask('DELETE', `/v1/comments/${parent.id}`, { token: reader.token });
  assertGone(await askReply(server, reader, parent.id));
  for (const status of ['removed', 'unpublished', 'erased'] as const) {
    await setArticleStatus(server, id, status);
    assertGone(await askReply(server, reader, parent.id));
  }
});

test('422 validation-failed: the author of a hidden comment, and of a hidden article, cannot go on', async () => {
  const { author, reader, id, parent } = await scenario();
  await moderate(server, parent.id, { status: 'hidden' });
  assertFault(await askReply(server, reader, parent.id), '', 'hidden');
  const own = await comment(server, author, id);
  await setArticleStatus(server, id, 'hidden');
  assertFault(await askReply(server, author, own.id), '', 'not-published');
});

test('422 validation-failed: text, stance and members that do not fit', async () => {
  const { reader, parent } = await scenario();
  assertFault(await askReply(server, reader, parent.id, { content: '' }), '/content');
  assertFault(await askReply(server, reader, parent.id, { content: 'a'.repeat(8193) }), '/content');
  assertFault(await askReply(server, reader, parent.id, { stance: 'likes' }), '/stance');
  const named = await askReply(server, reader, parent.id, { parent_comment_id: parent.id });
  assertFault(named, '/parent_comment_id', 'unknown');
  const leak = await askReply(server, reader, parent.id, { content: reader.token });
  assertFault(leak, '/content', 'own-token');
});

test('429 quota-exceeded: comments and replies share the hour’s allowance', async () => {
  const { reader, id, parent } = await scenario();
  const third = await server.register();
  await setTrustLevel(server, third.id, 1);
  assertProblem(await askReply(server, third, newId(1)), 'not-found');
  await comment(server, third, id);
  for (let n = 1; n < scarce; n += 1) await reply(server, third, parent.id);
  assertQuotaExceeded(await askReply(server, third, parent.id), 'comments.create', scarce);
  assert.equal((await eventsOf(server, reader.id)).length, scarce - 1);
});

test('451 unavailable-for-legal-reasons: the comment, or its article', async () => {
  const { reader, id, parent } = await scenario();
  const other = await comment(server, reader, id);
  await moderate(server, other.id, { status: 'removed', legally: true });
  assertLegallyRemoved(await askReply(server, reader, other.id));
  await removeLegally(server, id);
  assertLegallyRemoved(await askReply(server, reader, parent.id));
});

test('a reply and the deletion of its parent at once: each is refused or was there before', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { author, reader, id, parent } = await scenario();
    const [answered, deleted] = await Promise.all([
      askReply(server, author, parent.id),
      server.ask('DELETE', `/v1/comments/${parent.id}`, { token: reader.token }),
    ]);
    assert.equal(deleted.status, 204);
    assert.ok([201, 410].includes(answered.status), JSON.stringify(answered.body));
    const rows = await server.db.rows(sql<{ id: string }>`
      select id
      from comments
      where bucket = ${bucketOf(parent.id)} and parent_comment_id = ${parent.id}
      order by id`);
    assert.equal(rows.length, answered.status === 201 ? 1 : 0);
    assert.equal(await countOf(server, id), rows.length);
    assertGone(await askReply(server, author, parent.id));
  }
});
