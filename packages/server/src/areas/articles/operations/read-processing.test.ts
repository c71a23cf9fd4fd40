// GET /v1/articles/{id}/processing over HTTP: the state of the pipeline's steps.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from '#database';
import { newId } from '#lib/id';
import { removeLegally } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';
import { until } from '#test/throw-away-database';

const server = await startServer({}, {}, { drawsAhead: true });
after(() => server[Symbol.asyncDispose]());

const read = (id: string, human?: Pick<Human, 'token'>): Promise<Response> =>
  server.ask(
    'GET',
    `/v1/articles/${id}/processing`,
    human === undefined ? {} : { token: human.token },
  );
const isIndexed = async (id: string, human?: Human): Promise<boolean> =>
  (await read(id, human)).body.search_indexed;
const about = async (topic: string): Promise<readonly string[]> =>
  (await server.ask('GET', `/v1/articles?topic=${topic}`)).body.items.map(
    (item: { id: string }) => item.id,
  );

test('200 says when a public article is indexed, and again after the next revision', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.published(human, {
    metadata: { topics: ['Hedgehogs'] },
  });
  await until('the article is indexed', () => isIndexed(id));
  const body = { content: 'Other words.', expected_revision_id: revision_id };
  await server.ask('POST', `/v1/articles/${id}/revisions`, { token: human.token, key: true, body });
  assert.equal(await isIndexed(id), true);
  const answer = await server.ask('POST', `/v1/articles/${id}/publish`, {
    token: human.token,
    key: true,
    body: {},
  });
  assert.equal(answer.body.processing.search_indexed, false);
  await until('the new revision is indexed', () => isIndexed(id));
  // Topics have their own subscriber, which runs before or after search.
  await until('the topic lists it', async () => (await about('hedgehogs')).length > 0);
  assert.deepEqual(await about('hedgehogs'), [id]);
});

test('200 takes out of the index and the topics what is not public any more', async () => {
  const human = await server.register();
  const { id } = await server.published(human, { metadata: { topics: ['Badgers'] } });
  await until('the article is indexed', () => isIndexed(id));
  await until('the topic lists it', async () => (await about('badgers')).length > 0);
  await server.ask('PATCH', `/v1/articles/${id}`, {
    token: human.token,
    body: { visibility: 'unlisted' },
  });
  assert.equal(await isIndexed(id), false);
  assert.deepEqual(await about('badgers'), []);
  await until('the index has forgotten the article', async () => {
    const row = sql`select article_id from article_search where article_id = ${id}`;
    return (await server.db.first(row)) === undefined;
  });
  await server.ask('PATCH', `/v1/articles/${id}`, {
    token: human.token,
    body: { visibility: 'public' },
  });
  await until('the article is indexed again', () => isIndexed(id));
});

test('200 says when each step is done, and publishing says that none is yet', async () => {
  const human = await server.register();
  const { id, processing } = await server.published(human);
  assert.deepEqual(processing, { search_indexed: false, sitemap: 'pending', og_image: 'pending' });
  const done = { search_indexed: true, sitemap: 'done', og_image: 'done' };
  await until('every step is done', async () => isDeepStrictEqual((await read(id)).body, done));
  const body = { visibility: 'unlisted' };
  await server.ask('PATCH', `/v1/articles/${id}`, { token: human.token, body });
  assert.deepEqual((await read(id)).body, {
    search_indexed: false,
    sitemap: 'skipped',
    og_image: 'skipped',
  });
});

test('200 on staging: there is no sitemap that an article could stand in', async () => {
  await using staging = await startServer({ DEPLOYMENT: 'staging' });
  const human = await staging.register();
  const { id, processing } = await staging.published(human);
  assert.equal(processing.sitemap, 'skipped');
  const { body } = await staging.ask('GET', `/v1/articles/${id}/processing`);
  assert.equal(body.sitemap, 'skipped');
});

test('200 of a draft, an unlisted and a private article: nothing is made of them', async () => {
  const human = await server.register();
  for (const { id } of [
    await server.draft(human),
    await server.published(human, { visibility: 'unlisted' }),
    await server.published(human, { visibility: 'private' }),
  ]) {
    assert.deepEqual((await read(id, human)).body, {
      search_indexed: false,
      sitemap: 'skipped',
      og_image: 'skipped',
    });
  }
});

test('400 invalid-request: an unknown query parameter', async () => {
  assertProblem(
    await server.ask('GET', `/v1/articles/${newId(1)}/processing?wait=1`),
    'invalid-request',
  );
});

test('401 unauthenticated and 403 insufficient-scope', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  assertProblem(await read(id, { token: 'bad' }), 'unauthenticated');
  const token = await server.tokenWith(human, ['articles:write']);
  assertMissingScope(await read(id, { token }), 'articles:read');
});

test('404 not-found: another’s draft or private article, or nothing at all', async () => {
  const human = await server.register();
  for (const { id } of [
    await server.draft(human),
    await server.published(human, { visibility: 'private' }),
    { id: newId(1) },
    { id: 'x' },
  ]) {
    assertProblem(await read(id), 'not-found');
  }
});

test('410 gone and 451: of what was removed', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  assertGone(await read(id));
  await removeLegally(server, id);
  assertLegallyRemoved(await read(id));
});
