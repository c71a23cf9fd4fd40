// GET /v1/moderation/appeals/{id}: the context for a decision, including content hidden from others.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { sendAppeal, storeAction } from '#test/appeals';
import { comment } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import { fetchBytes, pngOf, upload } from '#test/media-files';
import { act, anArticle, aModerator } from '#test/moderators';
import type { Input } from '#test/moderators';
import { revisedArticle, show } from '#test/revised-articles';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [first, second] = [await aModerator(server), await aModerator(server)];

const read = (id: string, { token } = second) =>
  server.ask('GET', `/v1/moderation/appeals/${id}`, { token });

for (const [what, input] of [
  ['hidden', { action: 'hide' }],
  ['removed', { action: 'remove' }],
  ['removed legally', { action: 'remove', source: 'legal' }],
] as const) {
  test(`200 with the whole text of an article that is ${what}, and what was done to it`, async () => {
    const author = await server.register();
    const content = `${'A long text. '.repeat(100)}Its end.`;
    const { id } = await server.published(author, { title: 'What it said', content });
    const target = { target_type: 'article' as const, target_id: id };
    const warned = await act(server, first, { ...target, action: 'warn' });
    const done = await act(server, first, { ...target, ...input, reason_text: 'Why.' });
    const { status, body } = await read(
      await sendAppeal(server, author, done.id, 'It was not spam.'),
    );
    assert.equal(status, 200);
    assert.deepEqual(
      [body.text, body.action_id, body.reason_text, body.moderator_id, body.trust],
      ['It was not spam.', done.id, 'Why.', first.id, 'untrusted'],
    );
    assert.deepEqual(
      [body.target.excerpt, body.target.content, body.target.visible, body.target.trust],
      ['What it said', content, false, 'untrusted'],
    );
    assert.deepEqual(
      body.actions.map((action: { id: string }) => action.id),
      [done.id, warned.id],
    );
  });
}

test('200 with the text of a comment that was removed, and none where its author deleted it', async () => {
  const [author, { input }] = [await server.register(), await anArticle(server)];
  const one = async (): Promise<Input> => {
    const { id } = await comment(server, author, input.target_id);
    return { target_type: 'comment', target_id: id, action: 'warn' };
  };
  const [removed, deleted] = [await one(), await one()];
  const acts = [
    await act(server, first, { ...removed, action: 'remove' }),
    await act(server, first, deleted),
  ];
  await server.ask('DELETE', `/v1/comments/${deleted.target_id}`, { token: author.token });
  const contents = [];
  for (const { id } of acts)
    contents.push((await read(await sendAppeal(server, author, id))).body.target.content);
  assert.deepEqual(contents, ['A *comment*.', null]);
});

test('200 with the address of the bytes of a file that was removed; upheld, what its author deleted stays so', async () => {
  const author = await server.register();
  const bytes = pngOf(4, 6);
  const { id } = (await upload(server, author, 'image', bytes)).body;
  const target = { target_type: 'media' as const, target_id: id as string };
  const { id: actionId } = await act(server, first, { ...target, action: 'remove' });
  const appealId = await sendAppeal(server, author, actionId);
  const { content, content_url: address } = (await read(appealId)).body.target;
  assert.equal(content, null);
  const headers = { authorization: `Bearer ${second.token}` };
  const served = await fetchBytes(server, String(address).slice(server.baseUrl.length), headers);
  assert.deepEqual(served.bytes, bytes);
  const deleted = await server.ask('DELETE', `/v1/media/${id}`, { token: author.token });
  assert.equal(deleted.status, 204);
  assert.equal((await read(appealId)).body.target.content_url, null);
  await act(server, second, { ...target, action: 'restore', source: 'appeal' });
  const decided = (await read(appealId)).body;
  assert.deepEqual([decided.status, decided.target.reason_code], ['upheld', null]);
  assertProblem(await server.ask('GET', `/v1/media/${id}`), 'gone');
});

test('200 with what readers saw, without revisions that the author did not publish', async () => {
  const author = await server.register();
  const { id, revision_id } = await server.published(author, { title: 'Buy', content: 'Now!' });
  const revised = await server.ask('POST', `/v1/articles/${id}/revisions`, {
    token: author.token,
    key: true,
    body: { title: 'A poem', content: 'Roses.', expected_revision_id: revision_id },
  });
  assert.equal(revised.status, 201);
  const done = await act(server, first, { target_type: 'article', target_id: id, action: 'warn' });
  const { target } = (await read(await sendAppeal(server, author, done.id))).body;
  assert.deepEqual([target.excerpt, target.content], ['Buy', 'Now!']);
});

test('200 with what readers saw when the moderator acted, after the author has published another revision', async () => {
  const article = await revisedArticle(server);
  const target = { target_type: 'article' as const, target_id: article.id };
  const done = await act(server, first, { ...target, action: 'warn' });
  await show(server, article, article.second);
  const removed = await act(server, first, { ...target, action: 'remove' });
  const appeals = [
    await sendAppeal(server, article.author, done.id),
    await sendAppeal(server, article.author, removed.id),
  ];
  const [warned, last] = await Promise.all(appeals.map(async (id) => (await read(id)).body.target));
  assert.deepEqual(
    [warned.published_revision_id, warned.decided_revision_id, warned.changed_since],
    [article.second, article.first, true],
  );
  assert.deepEqual(
    [warned.decided_title, warned.decided_content, warned.content],
    ['Title one', 'VERSION ONE', 'VERSION TWO'],
  );
  assert.deepEqual(
    [last.decided_revision_id, last.changed_since, last.decided_content],
    [article.second, false, null],
  );
});

test('200 with only the name of an account, and with nothing of what was erased', async () => {
  const { author, input } = await anArticle(server);
  const account = await act(server, first, {
    target_type: 'principal',
    target_id: author.id,
    action: 'warn',
  });
  const done = await act(server, first, { ...input, action: 'warn' });
  const appeals = [
    await sendAppeal(server, author, account.id),
    await sendAppeal(server, author, done.id),
  ];
  const asked = { token: author.token, body: { confirm: 'erase' } };
  await server.ask('POST', `/v1/articles/${input.target_id}/erase`, asked);
  const targets = await Promise.all(appeals.map(async (id) => (await read(id)).body.target));
  assert.deepEqual(
    targets.map(({ excerpt, content, status }) => [excerpt, content, status]),
    [
      [author.username, null, 'active'],
      [null, null, 'erased'],
    ],
  );
});

test('404 not-found: no appeal has this id', async () => {
  const { author, input } = await anArticle(server);
  const { id } = await storeAction(server, { targetId: input.target_id, authorId: author.id });
  for (const one of [newId(7), id]) assertProblem(await read(one), 'not-found');
});
