// The interface's table of states, its rows on articles: one test for each transition, named as it is there.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { removeLegally } from './accounts.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Human } from './harness.ts';
import { assertGone, assertLegallyRemoved } from './problem-checks.ts';
import { until } from './throw-away-database.ts';

/** No pipeline: what waits in the outbox stays to be looked at. */
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const read = (id: string, human?: Human) =>
  server.ask('GET', `/v1/articles/${id}`, human && { token: human.token });
const act = (human: Human, method: string, path: string, body?: object) =>
  server.ask(method, path, {
    token: human.token,
    ...(method === 'POST' ? { key: true as const } : {}),
    ...(body === undefined ? {} : { body }),
  });

interface Record {
  readonly status: string;
  readonly published: boolean;
  readonly edges_out_count: number;
}

const recordOf = (id: string) =>
  server.db.first(sql<Record>`
    select status, published_revision_id is not null as published, edges_out_count
    from articles
    where bucket = ${bucketOf(id)} and id = ${id}`);

const messagesOf = async (id: string) => {
  const rows = await server.db.rows(sql<{ type: string }>`
    select type
    from outbox
    where bucket = ${bucketOf(id)} and payload ->> 'article_id' = ${id}
    order by id`);
  return rows.map(({ type }) => type);
};

test('(none) → draft: POST /v1/articles makes the first revision and answers what is to be signed', async () => {
  const human = await server.register();
  const made = await act(human, 'POST', '/v1/articles', { title: 'A title', content: 'Text.' });
  assert.equal(made.status, 201);
  const { id, status, revision_id, content_hash, signing_input } = made.body;
  assert.equal(status, 'draft');
  assert.ok(signing_input.includes(`${id}\n${revision_id}\n${human.id}\n`));
  assert.ok(signing_input.endsWith(content_hash));
  assert.deepEqual(await recordOf(id), { status: 'draft', published: false, edges_out_count: 0 });
  assert.deepEqual(await messagesOf(id), []);
});

test('draft → published: POST publish moves the pointer to the named revision, with a message in the outbox', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const revised = await act(human, 'POST', `/v1/articles/${id}/revisions`, {
    content: 'A later text.',
    expected_revision_id: revision_id,
  });
  const publish = (revision: string) =>
    act(human, 'POST', `/v1/articles/${id}/publish`, { revision_id: revision });
  assert.equal((await publish(revision_id)).status, 200);
  assert.equal((await read(id)).body.revision_id, revision_id);
  assert.deepEqual(await messagesOf(id), ['article.changed']);
  assert.equal((await publish(revised.body.revision_id)).status, 200);
  assert.equal((await read(id)).body.revision_id, revised.body.revision_id);
  assert.equal((await messagesOf(id)).length, 2);
});

test('draft stays draft: POST publish of no valid revision', async () => {
  const human = await server.register();
  const [{ id }, other] = [await server.draft(human), await server.draft(human)];
  const body = { revision_id: other.revision_id };
  assertProblem(await act(human, 'POST', `/v1/articles/${id}/publish`, body), 'validation-failed');
  assert.equal((await recordOf(id))?.status, 'draft');
  assert.deepEqual(await messagesOf(id), []);
});

test('any → removed: DELETE leaves a tombstone with its id and edges, and 410 afterwards', async () => {
  const human = await server.register();
  const hidden = await server.published(human);
  const cases = [await server.draft(human), await server.published(human), hidden];
  await server.db.transaction((tx) =>
    tx.run(sql`
      update articles
      set edges_out_count = 2, status = case when id = ${hidden.id} then 'hidden' else status end
      where bucket = ${bucketOf(human.id)} and author_id = ${human.id}`),
  );
  for (const { id } of cases) {
    assert.equal((await act(human, 'DELETE', `/v1/articles/${id}`)).status, 204);
    const left = await recordOf(id);
    assert.deepEqual([left?.status, left?.edges_out_count], ['removed', 2]);
    assertGone(await read(id, human));
    assertGone(await act(human, 'DELETE', `/v1/articles/${id}`));
  }
});

test('any → removed by a legal action: 451 instead of 410, whatever was before or comes after', async () => {
  const human = await server.register();
  for (const before of ['draft', 'published', 'removed', 'erased'] as const) {
    const { id } = before === 'draft' ? await server.draft(human) : await server.published(human);
    if (before === 'removed') await act(human, 'DELETE', `/v1/articles/${id}`);
    const erase = { confirm: 'erase' };
    if (before === 'erased') await act(human, 'POST', `/v1/articles/${id}/erase`, erase);
    await removeLegally(server, id);
    assertLegallyRemoved(await read(id, human));
    assertLegallyRemoved(await act(human, 'DELETE', `/v1/articles/${id}`));
    assertLegallyRemoved(await act(human, 'POST', `/v1/articles/${id}/publish`, {}));
    assert.equal((await act(human, 'POST', `/v1/articles/${id}/erase`, erase)).status, 200);
    assertLegallyRemoved(await read(id, human));
  }
});

test('any → erased: POST erase deletes the bytes that nothing else refers to, keeps the record, for ever', async () => {
  const human = await server.register();
  const live = await server.published(human, { content: 'Held by two.' });
  const cases = [
    await server.draft(human, { content: 'Held by one.' }),
    await server.published(human, { content: 'Held by two.' }),
    await server.published(human, { content: 'Removed before.' }),
  ];
  await act(human, 'DELETE', `/v1/articles/${cases[2]?.id}`);
  for (const { id } of cases) {
    const path = `/v1/articles/${id}`;
    assert.equal((await act(human, 'POST', `${path}/erase`, { confirm: 'erase' })).status, 200);
    assert.equal((await recordOf(id))?.status, 'erased');
    for (const [method, place, body] of [
      ['POST', `${path}/publish`, {}],
      ['PATCH', path, { language: 'de' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/revisions`, { content: 'Back.' }],
    ] as const) {
      assertGone(await act(human, method, place, body));
    }
    assert.equal((await messagesOf(id)).filter((type) => type === 'article.erased').length, 1);
  }
  assert.equal((await read(live.id)).body.content, 'Held by two.');
  await until('only what an article uses is left', async () => {
    const rows = await server.db.rows(sql<{ content: string }>`
      select content
      from contents
      where bucket = ${bucketOf(human.id)} and content like any (array['Held by %', 'Removed %'])`);
    return rows.length === 1 && rows[0]?.content === 'Held by two.';
  });
});
