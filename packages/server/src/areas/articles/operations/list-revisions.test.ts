// GET /v1/articles/{id}/revisions over HTTP: published revisions for everyone, all for the author.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, firstIdAt, newId } from '#lib/id';
import { removeLegally, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (id: string, human?: Pick<Human, 'token'>, query = ''): Promise<Response> =>
  server.ask(
    'GET',
    `/v1/articles/${id}/revisions${query}`,
    human === undefined ? {} : { token: human.token },
  );
const idsOf = (answer: Response): string[] =>
  answer.body.items.map((item: { revision_id: string }) => item.revision_id);

interface Made {
  readonly id: string;
  readonly revisions: readonly string[];
}

/** Returns an article with five revisions, newest first; the second and the fourth were published. */
async function history(human: Human): Promise<Made> {
  const { id, revision_id } = await server.draft(human, { content: 'revision 1' });
  const revisions: string[] = [revision_id];
  for (let n = 2; n <= 5; n += 1) {
    const body = { content: `revision ${n}`, expected_revision_id: revisions[0] };
    const made = await server.ask('POST', `/v1/articles/${id}/revisions`, {
      token: human.token,
      key: true,
      body,
    });
    revisions.unshift(made.body.revision_id);
    if (n % 2 === 0)
      await server.ask('POST', `/v1/articles/${id}/publish`, {
        token: human.token,
        key: true,
        body: {},
      });
  }
  return { id, revisions };
}

test('200 for anybody: every revision that was published, newest first', async () => {
  const { id, revisions } = await history(await server.register());
  for (const reader of [undefined, await server.register()]) {
    const answer = await list(id, reader);
    assert.equal(answer.status, 200);
    assert.deepEqual(idsOf(answer), [revisions[1], revisions[3]]);
    assert.ok(
      answer.body.items.every(
        ({ published_at }: { published_at: string }) => published_at !== null,
      ),
    );
  }
});

test('200 for the author: all, each pointing to the one before it', async () => {
  const human = await server.register();
  const { id, revisions } = await history(human);
  const { items, next_cursor } = (await list(id, human)).body;
  assert.deepEqual(
    items.map((item: { revision_id: string }) => item.revision_id),
    revisions,
  );
  assert.deepEqual(
    items.map((item: { previous_revision_id: string }) => item.previous_revision_id),
    [...revisions.slice(1), null],
  );
  assert.equal(next_cursor, null);
  for (const item of items) {
    assert.equal(item.article_id, id);
    assert.equal(item.trust, 'untrusted');
    assert.equal(item.signing_input.split('\n')[3], item.revision_id);
    assert.equal(item.signing_input.split('\n')[6], item.content_hash);
    assert.ok(!('content' in item));
  }
});

test('200 for the owner of an agent and for a moderator: all', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { id, revisions } = await history(agent);
  assert.deepEqual(idsOf(await list(id, human)), revisions);
  const token = await storeToken(server, (await server.register()).id, [
    'admin:moderate',
    'articles:read',
  ]);
  assert.deepEqual(idsOf(await list(id, { token })), revisions);
});

test('200 for the author without articles:read: what an anonymous reader gets, and no more', async () => {
  const human = await server.register();
  const { id, revisions } = await history(human);
  const token = await server.tokenWith(human, ['articles:write']);
  assert.deepEqual(idsOf(await list(id, { token })), [revisions[1], revisions[3]]);
});

test('200 in pages, over what the reader sees', async () => {
  const human = await server.register();
  const { id, revisions } = await history(human);
  const first = await list(id, human, '?limit=3');
  assert.deepEqual(idsOf(first), revisions.slice(0, 3));
  assert.equal(first.body.next_cursor, revisions[2]);
  assert.ok(
    (first.headers.get('link') ?? '').includes(
      `/v1/articles/${id}/revisions?limit=3&cursor=${revisions[2]}>; rel="next"`,
    ),
  );
  const second = await list(id, human, `?limit=3&cursor=${first.body.next_cursor}`);
  assert.deepEqual(idsOf(second), revisions.slice(3));
  assert.equal(second.body.next_cursor, null);
  const anonymous = await list(id, undefined, '?limit=1');
  assert.deepEqual(
    idsOf(await list(id, undefined, `?limit=1&cursor=${anonymous.body.next_cursor}`)),
    [revisions[3]],
  );
});

for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'status=draft']) {
  test(`400 invalid-request: ?${query}`, async () => {
    assertProblem(await list(newId(1), undefined, `?${query}`), 'invalid-request');
  });
}

test('401 unauthenticated: a bad token', async () => {
  assertProblem(await list(newId(1), { token: 'bad' }), 'unauthenticated');
});

test('403 insufficient-scope: of the caller’s own draft without articles:read', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:write']);
  assertMissingScope(await list((await server.draft(human)).id, { token }), 'articles:read');
});

test('404 not-found: another’s draft or private article, or nothing at all', async () => {
  const human = await server.register();
  for (const { id } of [
    await server.draft(human),
    await server.published(human, { visibility: 'private' }),
    { id: newId(1) },
    { id: 'x' },
  ]) {
    for (const reader of [undefined, await server.register()])
      assertProblem(await list(id, reader), 'not-found');
  }
});

test('410 gone and 451: of what was removed', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  for (const reader of [undefined, human]) assertGone(await list(id, reader));
  await removeLegally(server, id);
  for (const reader of [undefined, human]) assertLegallyRemoved(await list(id, reader));
});

test('a revision by a host whose clock is behind is the newest one all the same', async () => {
  const ann = await server.register();
  const { id, revision_id: first } = await server.draft(ann);
  const ahead = new Date(Date.now() + 60_000);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update revisions set created_at = ${ahead.toISOString()}
      where bucket = ${bucketOf(id)} and article_id = ${id} and id = ${first}`),
  );
  const made = await server.ask('POST', `/v1/articles/${id}/revisions`, {
    token: ann.token,
    key: true,
    body: { content: 'By a slower clock', expected_revision_id: first },
  });
  assert.equal(made.body.created_at, new Date(ahead.getTime() + 1).toISOString());
  assert.ok(made.body.revision_id > firstIdAt(ahead.getTime() + 1));
  assert.deepEqual(idsOf(await list(id, ann)), [made.body.revision_id, first]);
});
