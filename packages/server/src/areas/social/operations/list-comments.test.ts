// GET /v1/articles/{id}/comments: order, pages, filters, and comments without text.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, storeAgent } from '#test/accounts';
import { comment, moderate, reply, setArticleStatus } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (id: string, query = '', token?: string) =>
  server.ask('GET', `/v1/articles/${id}/comments${query}`, token === undefined ? {} : { token });

interface Item {
  readonly id: string;
  readonly status: string;
  readonly content: string | null;
  readonly author: { readonly id: string };
}

async function idsOf(id: string, query = ''): Promise<string[]> {
  const { status, body } = await list(id, query);
  assert.equal(status, 200, JSON.stringify(body));
  return (body.items as readonly Item[]).map((one) => one.id);
}

async function scenario() {
  const [author, reader] = [await server.register(), await server.register()];
  return { author, reader, id: (await server.published(author)).id as string };
}

async function write(human: Human, id: string, count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n += 1) ids.push((await comment(server, human, id)).id as string);
  return ids;
}

test('200 with nothing where there are no comments', async () => {
  const { id } = await scenario();
  assert.deepEqual((await list(id)).body, { items: [], next_cursor: null });
});

test('200 with whole records, oldest first, replies among them', async () => {
  const { author, reader, id } = await scenario();
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  const first = await comment(server, reader, id);
  const second = await comment(server, agent, id, { stance: 'cites' });
  const third = await reply(server, author, first.id);
  const { body } = await list(id);
  assert.deepEqual(body, { items: [first, second, third], next_cursor: null });
});

test('200 in pages that contain everything once', async () => {
  const { reader, id } = await scenario();
  const ids = await write(reader, id, 7);
  const first = await list(id, '?limit=3');
  assert.match(first.headers.get('link') ?? '', /rel="next"/);
  const seen = [];
  for (let cursor = ''; ;) {
    const { body } = await list(id, `?limit=3${cursor}`);
    seen.push(...(body.items as readonly Item[]).map((one) => one.id));
    if (body.next_cursor === null) break;
    assert.equal(body.next_cursor, seen.at(-1));
    cursor = `&cursor=${body.next_cursor as string}`;
  }
  assert.deepEqual(seen, ids);
});

test('200 from a cursor that is the id of no comment', async () => {
  const { reader, id } = await scenario();
  const [first = '', second] = await write(reader, id, 2);
  assert.deepEqual(await idsOf(id, `?cursor=${first}`), [second]);
  assert.deepEqual(await idsOf(id, `?cursor=${newId(1)}`), []);
});

test('200 by stance, root and author, each alone and together', async () => {
  const { author, reader, id } = await scenario();
  const asks = await comment(server, reader, id, { stance: 'asks' });
  const plain = await comment(server, author, id);
  const below = await reply(server, author, asks.id, { stance: 'asks' });
  const deeper = await reply(server, reader, below.id);
  const aside = await reply(server, reader, plain.id, { stance: 'asks' });
  assert.deepEqual(await idsOf(id, '?stance=asks'), [asks.id, below.id, aside.id]);
  assert.deepEqual(await idsOf(id, '?stance=cites'), []);
  assert.deepEqual(await idsOf(id, `?root=${asks.id}`), [below.id, deeper.id]);
  assert.deepEqual(await idsOf(id, `?root=${below.id}`), []);
  assert.deepEqual(await idsOf(id, `?author=${author.id}`), [plain.id, below.id]);
  assert.deepEqual(await idsOf(id, `?author=${author.username.toUpperCase()}`), [
    plain.id,
    below.id,
  ]);
  assert.deepEqual(await idsOf(id, '?author=nobody-of-this-name'), []);
  assert.deepEqual(await idsOf(id, `?author=@${author.username}`), [plain.id, below.id]);
  assert.deepEqual(await idsOf(id, `?author=@${author.id}`), [plain.id, below.id]);
  assert.deepEqual(await idsOf(id, `?root=${asks.id}&stance=asks&author=${author.id}`), [below.id]);
  assert.deepEqual(await idsOf(id, `?root=${asks.id}&stance=asks&author=${reader.id}`), []);
});

test('200 with nothing below the comment of another article', async () => {
  const { author, reader, id } = await scenario();
  const other = (await server.published(author)).id as string;
  const root = await comment(server, reader, other);
  await reply(server, author, root.id);
  assert.deepEqual(await idsOf(id, `?root=${root.id}`), []);
});

test('200 with the place, and without the text, of what was deleted, hidden or removed', async () => {
  const { reader, id } = await scenario();
  const [deleted = '', hidden = '', removed = '', kept = ''] = await write(reader, id, 4);
  await server.ask('DELETE', `/v1/comments/${deleted}`, { token: reader.token });
  await moderate(server, hidden, { status: 'hidden' });
  await moderate(server, removed, { status: 'removed' });
  for (const token of [undefined, reader.token]) {
    const { items } = (await list(id, '', token)).body as { items: readonly Item[] };
    assert.deepEqual(
      items.map((one) => [one.id, one.status, one.content, one.author.id]),
      [
        [deleted, 'deleted', null, reader.id],
        [hidden, 'hidden', null, reader.id],
        [removed, 'removed', null, reader.id],
        [kept, 'visible', 'A *comment*.', reader.id],
      ],
    );
  }
});

test('200 anonymous may be kept by shared caches, and changes its entity tag with a comment', async () => {
  const { reader, id } = await scenario();
  const before = await list(id);
  assert.equal(
    before.headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  await comment(server, reader, id);
  assert.notEqual((await list(id)).headers.get('etag'), before.headers.get('etag'));
  const own = await list(id, '', reader.token);
  assert.equal(own.headers.get('cache-control'), 'private, no-store');
});

test('400 invalid-request: unknown stances and parameters, roots and cursors that are not ids', async () => {
  const { id } = await scenario();
  for (const query of [
    '?stance=likes',
    '?root=x',
    '?cursor=x',
    '?author=',
    '?author=%2e',
    '?limit=101',
    '?x=1',
  ])
    assertProblem(await list(id, query), 'invalid-request');
});

test('403 insufficient-scope for the author of a private article, without articles:read', async () => {
  const { author } = await scenario();
  const secret = await server.published(author, { visibility: 'private' });
  const token = await server.tokenWith(author, ['comments:read']);
  assertMissingScope(await list(secret.id, '', token), 'articles:read');
});

test('404 not-found: no such article, a draft, a private and a hidden one', async () => {
  const { author, reader, id } = await scenario();
  assertProblem(await list(newId(3)), 'not-found');
  assertProblem(await list((await server.draft(author)).id), 'not-found');
  const secret = await server.published(author, { visibility: 'private' });
  assertProblem(await list(secret.id, '', reader.token), 'not-found');
  assert.equal((await list(secret.id, '', author.token)).status, 200);
  await setArticleStatus(server, id, 'hidden');
  assertProblem(await list(id), 'not-found');
});

test('410 gone: the article was removed, unpublished or erased', async () => {
  const { id } = await scenario();
  for (const status of ['removed', 'unpublished', 'erased'] as const) {
    await setArticleStatus(server, id, status);
    assertGone(await list(id));
  }
});

test('451 unavailable-for-legal-reasons', async () => {
  const { id } = await scenario();
  await removeLegally(server, id);
  assertLegallyRemoved(await list(id));
});
