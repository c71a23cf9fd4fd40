// GET /v1/comments: the caller's own comments across articles, newest first.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storeAgent } from '#test/accounts';
import { comment, moderate, reply, setArticleStatus } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const own = ({ token }: Pick<Human, 'token'>, query = '') =>
  server.ask('GET', `/v1/comments${query}`, { token });

async function articleOf(author?: Human): Promise<string> {
  return (await server.published(author ?? (await server.register()))).id as string;
}

test('200 with the caller’s comments on articles of all authors, newest first', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const [first, second] = [await articleOf(), await articleOf()];
  const one = await comment(server, human, first);
  const theirs = await comment(server, other, first);
  const two = await comment(server, human, second, { stance: 'supports' });
  const three = await reply(server, human, theirs.id);
  assert.deepEqual((await own(human)).body, { items: [three, two, one], next_cursor: null });
  assert.deepEqual((await own(other)).body.items, [theirs]);
});

test('200 in pages that contain everything once', async () => {
  const human = await server.register();
  const ids = [];
  for (let n = 0; n < 5; n += 1)
    ids.unshift((await comment(server, human, await articleOf())).id as string);
  const seen = [];
  for (let query = '?limit=2'; query !== '';) {
    const { body } = await own(human, query);
    seen.push(...(body.items as readonly { id: string }[]).map((item) => item.id));
    query = body.next_cursor === null ? '' : `?limit=2&cursor=${body.next_cursor as string}`;
  }
  assert.deepEqual(seen, ids);
});

test('200 with the status of each: a hidden comment shows its text to its author, a removed or deleted one does not', async () => {
  const human = await server.register();
  const id = await articleOf();
  const [deleted, hidden, removed] = [
    await comment(server, human, id),
    await comment(server, human, id),
    await comment(server, human, id),
  ];
  await server.ask('DELETE', `/v1/comments/${deleted.id}`, { token: human.token });
  await moderate(server, hidden.id, { status: 'hidden' });
  await moderate(server, removed.id, { status: 'removed' });
  const { items } = (await own(human)).body;
  assert.deepEqual(
    (items as readonly { status: string; content: string | null }[]).map((item) => [
      item.status,
      item.content,
    ]),
    [
      ['removed', null],
      ['hidden', 'A *comment*.'],
      ['deleted', null],
    ],
  );
});

test('200 with comments on articles that were removed', async () => {
  const human = await server.register();
  const id = await articleOf();
  const made = await comment(server, human, id);
  await setArticleStatus(server, id, 'removed');
  assert.deepEqual((await own(human)).body.items, [made]);
});

test('200 without the comments of the caller’s agents, which list their own', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const made = await comment(server, agent, await articleOf());
  assert.deepEqual((await own(human)).body.items, []);
  assert.deepEqual((await own(agent)).body.items, [made]);
});

test('400 invalid-request: a cursor that is not an id', async () => {
  assertProblem(await own(await server.register(), '?cursor=x'), 'invalid-request');
});

test('401 unauthenticated without a token', async () => {
  assertProblem(await server.ask('GET', '/v1/comments'), 'unauthenticated');
});

test('403 insufficient-scope without comments:read', async () => {
  const token = await server.tokenWith(await server.register(), ['comments:write']);
  assertMissingScope(await own({ token }), 'comments:read');
});
