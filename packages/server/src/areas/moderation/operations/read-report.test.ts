// GET /v1/moderation/reports/{id} over HTTP: the context for a decision, for moderators only.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { storeAgent, storeToken } from '#test/accounts';
import { setArticleStatus } from '#test/comments';
import { assertProblem, problemName, startServer } from '#test/harness';
import type { Response } from '#test/harness';
import { fetchBytes, pngOf, setMedia, upload } from '#test/media-files';
import { moderator, read, report, review } from '#test/reports';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const mod = await moderator(server);

type Listed = readonly Response['body'][];
const idsOf = (rows: Listed) => rows.map(({ id }) => id);

/** An action on an article, as stored in the table of actions. */
async function act(on: string, authorId: string, action: string): Promise<string> {
  const bucket = bucketOf(on);
  const id = newId(bucket);
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into moderation_actions (
        bucket, id, target_type, target_id, author_id, action, reason_code, reason_text, source,
        moderator_id, previous, created_at
      )
      values (
        ${bucket}, ${id}, 'article', ${on}, ${authorId}, ${action}, 'spam', 'Buy now.', 'proactive',
        ${mod.id}, '{}', now()
      )`),
  );
  return id;
}

test('200 with the target as it is now, the other reports on it, and what was done to it', async () => {
  const author = await server.register();
  const { id: target_id } = await server.published(author);
  const { id: elsewhere } = await server.published(author);
  const on = { target_type: 'article', target_id };
  const earlier = await report(server, { ...on, details: 'First.' });
  const id = await report(server, on);
  const later = await report(server, on);
  await report(server, { ...on, target_id: elsewhere });
  await report(server, { ...on, target_type: 'comment' });
  await review(server, mod, earlier, { status: 'rejected', resolution: 'It is fine.' });
  const actions = [
    await act(target_id, author.id, 'warn'),
    await act(target_id, author.id, 'hide'),
  ];
  await act(elsewhere, author.id, 'hide');
  await setArticleStatus(server, target_id, 'hidden');

  const { status, body } = await read(server, mod, id);
  assert.equal(status, 200);
  assert.deepEqual(
    [body.target.exists, body.target.status, body.target.visible, body.target.trust],
    [true, 'hidden', false, 'untrusted'],
  );
  assert.equal(body.target.author_principal_id, author.id);
  const others = body.other_reports as Listed;
  assert.deepEqual(idsOf(others), [later, earlier]);
  const decided = others[1];
  assert.deepEqual(
    [decided.status, decided.resolution, decided.details, decided.trust],
    ['rejected', 'It is fine.', 'First.', 'untrusted'],
  );
  assert.match(decided.closed_at, /Z$/);
  assert.deepEqual(idsOf(body.actions), actions.toReversed());
  const [last] = body.actions;
  assert.deepEqual(
    [last.action, last.reason_code, last.reason_text, last.source, last.moderator_id],
    ['hide', 'spam', 'Buy now.', 'proactive', mod.id],
  );
});

test('200 with the owner of the agent that made the target', async () => {
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  const { id } = await server.published(agent);
  for (const on of [
    { target_type: 'article', target_id: id },
    { target_type: 'principal', target_id: agent.id },
  ]) {
    const { target } = (await read(server, mod, await report(server, on))).body;
    assert.deepEqual([target.author_principal_id, target.owner_principal_id], [agent.id, owner.id]);
  }
});

test('200 with the newest of many other reports and actions, and no more', async () => {
  const author = await server.register();
  const { id: target_id } = await server.published(author);
  const most = limits.report_context_max;
  const [reports, actions]: [string[], string[]] = [[], []];
  for (let n = 0; n < most + 3; n += 1) {
    reports.unshift(await report(server, { target_id }));
    actions.unshift(await act(target_id, author.id, 'warn'));
  }
  const { body } = await read(server, mod, reports.at(-1) ?? '');
  assert.deepEqual(idsOf(body.other_reports), reports.slice(0, most));
  assert.deepEqual(idsOf(body.actions), actions.slice(0, most));
});

test('200 with nothing to show where there is no such object', async () => {
  const { body } = await read(server, mod, await report(server));
  assert.deepEqual([body.target.exists, body.target.status], [false, null]);
  assert.deepEqual([body.other_reports, body.actions], [[], []]);
});

test('200 with the whole text of what was hidden or removed, and of what was erased none', async () => {
  const author = await server.register();
  const content = `${'More and more. '.repeat(100)}The end.`;
  const { id: target_id } = await server.published(author, { content });
  const id = await report(server, { target_id });
  const contentNow = async () => (await read(server, mod, id)).body.target.content;
  for (const status of ['published', 'hidden', 'removed'] as const) {
    await setArticleStatus(server, target_id, status);
    assert.equal(await contentNow(), content);
  }
  const asked = { token: author.token, body: { confirm: 'erase' } };
  await server.ask('POST', `/v1/articles/${target_id}/erase`, asked);
  assert.equal(await contentNow(), null);
});

test('200 with the address of the bytes of a file, hidden and removed ones too, until its author deletes it', async () => {
  const author = await server.register();
  const bytes = pngOf(5, 6);
  const { id: target_id } = (await upload(server, author, 'image', bytes)).body;
  const id = await report(server, { target_type: 'media', target_id });
  const addressNow = async () => (await read(server, mod, id)).body.target.content_url as string;
  const headers = { authorization: `Bearer ${mod.token}` };
  for (const state of [{}, { hidden: true }, { legal: true }]) {
    await setMedia(server, target_id, state);
    const address = await addressNow();
    const path = address.slice(server.baseUrl.length);
    assert.equal(address, server.baseUrl + path);
    assert.deepEqual((await fetchBytes(server, path, headers)).bytes, bytes);
  }
  await server.ask('DELETE', `/v1/media/${target_id}`, { token: author.token });
  assert.equal(await addressNow(), null);
  const { id: article } = await server.published(author);
  const text = await read(server, mod, await report(server, { target_id: article }));
  assert.equal(text.body.target.content_url, null);
});

test('200 with what readers see, whatever the author wrote since and did not publish', async () => {
  const author = await server.register();
  const bad = { title: 'Buy', content: 'Now!' };
  const { id: target_id, revision_id } = await server.published(author, bad);
  await server.ask('POST', `/v1/articles/${target_id}/revisions`, {
    token: author.token,
    key: true,
    body: { title: 'A poem', content: 'Roses.', expected_revision_id: revision_id },
  });
  const { target } = (await read(server, mod, await report(server, { target_id }))).body;
  assert.deepEqual([target.excerpt, target.content], ['Buy', 'Now!']);
});

test('who may see and decide: moderators, in any other role too, and no one else', async () => {
  const people = {
    moderator: mod,
    author: await server.register(),
    reporter: await server.register(),
    stranger: await server.register(),
  };
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  const { id: target_id } = await server.published(agent);
  const tokens: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(Object.entries(people).map(([who, { token }]) => [who, token])),
    author: agent.token,
    owner: owner.token,
    manager: await storeToken(server, people.stranger.id, ['admin:manage']),
    anybody: undefined,
  };
  const id = await report(server, { target_id }, { token: people.reporter.token });
  for (const [who, token] of Object.entries(tokens)) {
    const by = token === undefined ? {} : { token };
    const answers = [
      await server.ask('GET', '/v1/moderation/reports', by),
      await server.ask('GET', `/v1/moderation/reports/${id}`, by),
      await server.ask('POST', `/v1/moderation/reports/${id}/review`, {
        ...by,
        body: { status: 'reviewing' },
      }),
    ];
    const seen = answers.map((answer) => (answer.status === 200 ? 200 : problemName(answer)));
    const expected = { moderator: 200, anybody: 'unauthenticated' }[who] ?? 'insufficient-scope';
    assert.deepEqual(seen, [expected, expected, expected], who);
  }
});

test('404 not-found: no report has this id', async () => {
  assertProblem(await read(server, mod, newId(7)), 'not-found');
});
