// What an action does on every surface, and that a restoration leaves nothing of it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent, storeFollow } from './agents.ts';
import { comment, countOf, eventsOf } from './comments.ts';
import { link, untilSettled } from './edges.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Human } from './harness.ts';
import { fetchBytes, pngOf, upload } from './media-files.ts';
import { act, aModerator } from './moderators.ts';
import type { Input } from './moderators.ts';
import { until } from './throw-away-database.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

const read = (id: string, human?: Human) =>
  server.ask('GET', `/v1/articles/${id}`, human && { token: human.token });

interface Surfaces {
  readonly listed: boolean;
  readonly ofAuthor: boolean;
  readonly byTopic: boolean;
  readonly indexed: boolean;
  readonly articles: number;
}

/** Where an article is found without its id. */
async function surfacesOf(author: Human, id: string, topic: string): Promise<Surfaces> {
  const holds = async (query: string) => {
    const { body } = await server.ask('GET', `/v1/articles?limit=100${query}`);
    return (body.items as readonly { id: string }[]).some((item) => item.id === id);
  };
  const profile = await server.ask('GET', `/v1/principals/${author.id}`);
  const row = await server.db.first(sql<{ id: string }>`
    select article_id as id
    from article_search
    where bucket = ${bucketOf(id)} and article_id = ${id}`);
  return {
    listed: await holds(''),
    ofAuthor: await holds(`&author=${author.id}`),
    byTopic: await holds(`&topic=${topic}`),
    indexed: row !== undefined,
    articles: profile.body.counts.articles,
  };
}

const everywhere = { listed: true, ofAuthor: true, byTopic: true, indexed: true, articles: 1 };
const nowhere = { listed: false, ofAuthor: false, byTopic: false, indexed: false, articles: 0 };

for (const [action, source, answers] of [
  ['hide', 'proactive', 'not-found'],
  ['remove', 'proactive', 'gone'],
  ['remove', 'legal', 'unavailable-for-legal-reasons'],
  ['de-index', 'proactive', undefined],
] as const) {
  test(`${action}, ${source}: an article is listed nowhere at once, and restored exactly`, async () => {
    const author = await server.register();
    const topic = `topic-${action}-${source}`;
    const { id } = await server.published(author, { metadata: { topics: [topic] } });
    await untilSettled(server);
    assert.deepEqual(await surfacesOf(author, id, topic), everywhere);
    const before = [await read(id), await read(id, author)].map(({ body }) => body);
    const target = { target_type: 'article' as const, target_id: id, source };
    await act(server, moderator, { ...target, action });
    const at = await surfacesOf(author, id, topic);
    assert.deepEqual({ ...at, indexed: false }, nowhere);
    const meanwhile = await read(id);
    if (answers === undefined) assert.equal(meanwhile.status, 200);
    else assertProblem(meanwhile, answers);
    if (action === 'remove') assert.equal(meanwhile.body.reason_code, 'spam');
    await untilSettled(server);
    assert.deepEqual(await surfacesOf(author, id, topic), nowhere);
    await act(server, moderator, { ...target, action: 'restore' });
    assert.deepEqual(
      [await read(id), await read(id, author)].map(({ body }) => body),
      before,
    );
    await untilSettled(server);
    assert.deepEqual(await surfacesOf(author, id, topic), everywhere);
  });
}

test('a removal reaches those who cite the article, and the far end of their edge says so', async () => {
  const [author, citing] = [await server.register(), await server.register()];
  const [article, other] = [await server.published(author), await server.published(citing)];
  await link(server, citing, [other, article]);
  const far = async () => {
    const { body } = await server.ask('GET', `/v1/articles/${other.id}/edges?direction=out`);
    return body.items[0].article;
  };
  assert.equal((await far()).status, 'published');
  const target = { target_type: 'article' as const, target_id: article.id };
  await act(server, moderator, { ...target, action: 'hide' });
  assert.equal(await far(), null);
  await act(server, moderator, { ...target, action: 'remove' });
  assert.equal((await far()).status, 'removed');
  await until('the author who cites it is notified', async () => {
    const told = await eventsOf(server, citing.id);
    return told.some(
      ({ type, payload }) => type === 'citation.changed' && payload['change'] === 'removed',
    );
  });
  await act(server, moderator, { ...target, action: 'restore' });
  assert.equal((await far()).status, 'published');
});

test('comments: only visible ones are counted, and a restored one is as it was', async () => {
  const [author, host] = [await server.register(), await server.register()];
  const { id: articleId } = await server.published(host);
  const { id } = await comment(server, author, articleId);
  await comment(server, author, articleId);
  const before = await server.ask('GET', `/v1/comments/${id}`);
  const target = { target_type: 'comment' as const, target_id: id };
  const thread = async () => {
    const { body } = await server.ask('GET', `/v1/articles/${articleId}/comments`);
    const { status, content } = body.items[0];
    return [await countOf(server, articleId), status, content];
  };
  assert.deepEqual(await thread(), [2, 'visible', 'A *comment*.']);
  await act(server, moderator, { ...target, action: 'hide' });
  assert.deepEqual(await thread(), [1, 'hidden', null]);
  await act(server, moderator, { ...target, action: 'remove' });
  assert.deepEqual(await thread(), [1, 'removed', null]);
  await act(server, moderator, { ...target, action: 'restore' });
  assert.deepEqual(await thread(), [2, 'visible', 'A *comment*.']);
  assert.deepEqual((await server.ask('GET', `/v1/comments/${id}`)).body, before.body);
  await act(server, moderator, { ...target, action: 'remove', source: 'legal' });
  assert.deepEqual(await thread(), [1, 'removed', null]);
  assertProblem(await server.ask('GET', `/v1/comments/${id}`), 'unavailable-for-legal-reasons');
  await act(server, moderator, { ...target, action: 'restore', source: 'legal' });
  assert.deepEqual(await thread(), [2, 'visible', 'A *comment*.']);
});

test('media: the bytes are refused at once and come back whole; what features them follows', async () => {
  const author = await server.register();
  const bytes = pngOf(3, 3);
  const { id } = (await upload(server, author, 'image', bytes)).body;
  const article = await server.published(author);
  await server.ask('PATCH', `/v1/articles/${article.id}`, {
    token: author.token,
    body: { featured_media_id: id },
  });
  const target = { target_type: 'media' as const, target_id: id };
  const served = async () => {
    const { status, bytes: sent } = await fetchBytes(server, `/media/${id}`);
    const featured = (await read(article.id)).body.featured_media_id;
    return [status, status === 200 && sent.equals(bytes), featured];
  };
  assert.deepEqual(await served(), [200, true, id]);
  for (const [input, status] of [
    [{ action: 'hide' }, 404],
    [{ action: 'remove' }, 410],
    [{ action: 'remove', source: 'legal' }, 451],
  ] as const) {
    await act(server, moderator, { ...target, ...input });
    assert.deepEqual(await served(), [status, false, null]);
    await act(server, moderator, { ...target, action: 'restore', source: 'legal' });
    assert.deepEqual(await served(), [200, true, id]);
  }
});

test('media that moderators removed go with the erased article that alone named them', async () => {
  const author = await server.register();
  const { id } = (await upload(server, author, 'image', pngOf(4, 4))).body;
  const article = await server.published(author, { content: `![](/media/${id})` });
  const target = { target_type: 'media' as const, target_id: id };
  await act(server, moderator, { ...target, action: 'remove' });
  const asked = { token: author.token, body: { confirm: 'erase' } };
  await server.ask('POST', `/v1/articles/${article.id}/erase`, asked);
  await until('the bytes are released', async () => {
    const row = await server.db.first(sql<{ held: string | null }>`
      select held_checksum as held from media where bucket = ${bucketOf(id)} and id = ${id}`);
    return row?.held === null;
  });
});

test('principals: a suspended person and their agents write nothing, and a restored one does again', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const target = { target_type: 'principal' as const, target_id: owner.id };
  const writes = async () => {
    const body = { title: 'A title', content: 'Text.' };
    const answers = await Promise.all(
      [owner, agent].map(({ token }) =>
        server.ask('POST', '/v1/articles', { token, key: true, body }),
      ),
    );
    return answers.map(({ status }) => status);
  };
  await act(server, moderator, { ...target, action: 'suspend' });
  assert.deepEqual(await writes(), [403, 403]);
  assert.equal((await server.ask('GET', `/v1/principals/${owner.id}`)).body.status, 'suspended');
  const events = await server.ask('GET', '/v1/events', { token: owner.token });
  assert.equal(events.body.items.at(-1).type, 'moderation.action');
  await act(server, moderator, { ...target, action: 'restore' });
  assert.deepEqual(await writes(), [201, 201]);
});

test('principals: a de-indexed one is read by its id and name, and is in no list', async () => {
  const [owner, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, owner);
  await storeFollow(server, agent.id, other.id);
  await storeFollow(server, other.id, agent.id);
  const target = { target_type: 'principal' as const, target_id: agent.id };
  const lists = [
    `/v1/principals/${other.id}/followers`,
    `/v1/principals/${other.id}/following`,
    `/v1/principals/${owner.id}/agents`,
  ];
  const found = async () => {
    const pages = await Promise.all(lists.map((path) => server.ask('GET', path)));
    return pages.map(({ body }) => (body.items as readonly { id: string }[]).map(({ id }) => id));
  };
  assert.deepEqual(await found(), [[agent.id], [agent.id], [agent.id]]);
  await act(server, moderator, { ...target, action: 'de-index' });
  assert.deepEqual(await found(), [[], [], []]);
  for (const path of [`/v1/principals/${agent.id}`, `/v1/usernames/${agent.username}`])
    assert.equal((await server.ask('GET', path)).status, 200);
  const own = await server.ask('GET', '/v1/agents', { token: owner.token });
  assert.equal(own.body.items[0].id, agent.id);
  await act(server, moderator, { ...target, action: 'restore' });
  assert.deepEqual(await found(), [[agent.id], [agent.id], [agent.id]]);
});

test('a hidden article whose account is closed meanwhile comes back as its author left it', async () => {
  const author = await server.register();
  const [kept, lost] = [await server.published(author), await server.published(author)];
  const input = (id: string, action: Input['action']): Input => ({
    target_type: 'article',
    target_id: id,
    action,
  });
  await act(server, moderator, input(lost.id, 'remove'));
  const body = { confirm: 'close', articles: 'unpublish' };
  const path = `/v1/principals/${author.id}/close`;
  assert.equal(
    (await server.ask('POST', path, { token: author.token, key: true, body })).status,
    200,
  );
  await untilSettled(server);
  assertProblem(await read(kept.id), 'gone');
  await act(server, moderator, input(lost.id, 'restore'));
  const answer = await read(lost.id);
  assertProblem(answer, 'gone');
  assert.match(answer.body.detail, /unpublished on \d/);
});
