// GET /v1/articles/{id}/diff over HTTP: which revisions are compared for whom, and the result.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const diff = (id: string, query = '', human?: Pick<Human, 'token'>) =>
  server.ask('GET', `/v1/articles/${id}/diff${query}`, human && { token: human.token });

async function revise(human: Human, id: string, expected: string, body: object): Promise<string> {
  const made = await server.ask('POST', `/v1/articles/${id}/revisions`, {
    token: human.token,
    key: true,
    body: { ...body, expected_revision_id: expected },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.revision_id as string;
}

async function publish(human: Human, id: string, revisionId: string): Promise<void> {
  const asked = { token: human.token, key: true as const, body: { revision_id: revisionId } };
  assert.equal((await server.ask('POST', `/v1/articles/${id}/publish`, asked)).status, 200);
}

/** Creates four revisions; the first and the third are published. */
async function history(human: Human, members: object = {}) {
  const { id, revision_id: one } = await server.published(human, { content: 'one\n', ...members });
  const two = await revise(human, id, one, { content: 'one\ntwo\n' });
  const three = await revise(human, id, two, { content: 'one\nthree\n', title: 'Third' });
  await publish(human, id, three);
  const four = await revise(human, id, three, { metadata: { n: 4 } });
  return { id: id as string, one: one as string, two, three, four };
}

function pairOf({ body }: Response): readonly [string | null, string] {
  return [body.from_revision_id, body.to_revision_id];
}

test('200 with the lines from the published revision before to the one that is shown', async () => {
  const human = await server.register();
  const { id, one, three } = await history(human);
  const { status, body, headers } = await diff(id);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    article_id: id,
    from_revision_id: one,
    to_revision_id: three,
    title: { from: 'A title', to: 'Third' },
    metadata_changed: false,
    lines_removed: 0,
    lines_added: 1,
    truncated: false,
    hunks: [
      {
        from_line: 1,
        from_count: 1,
        to_line: 1,
        to_count: 2,
        lines: [
          { op: 'keep', text: 'one\n' },
          { op: 'add', text: 'three\n' },
        ],
      },
    ],
    trust: 'untrusted',
  });
  assert.match(headers.get('cache-control') ?? '', /^public/);
  const again = await server.ask('GET', `/v1/articles/${id}/diff`, {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
});

test('200: the author’s way goes over every revision, a reader’s over the published ones', async () => {
  const human = await server.register();
  const { id, one, two, three, four } = await history(human);
  const stranger = await server.register();
  assert.deepEqual(pairOf(await diff(id, '', human)), [two, three]);
  assert.deepEqual(pairOf(await diff(id, '', stranger)), [one, three]);
  assert.deepEqual(pairOf(await diff(id, `?to=${four}`, human)), [three, four]);
  assert.deepEqual(pairOf(await diff(id, `?to=${two}`, human)), [one, two]);
  const token = await server.tokenWith(human, ['articles:write']);
  assert.deepEqual(pairOf(await diff(id, '', { token })), [one, three]);
});

test('200 between any two, backwards too, and of one with itself', async () => {
  const human = await server.register();
  const { id, one, three, four } = await history(human);
  const back = await diff(id, `?from=${three}&to=${one}`);
  assert.deepEqual(pairOf(back), [three, one]);
  assert.deepEqual([back.body.lines_removed, back.body.lines_added], [1, 0]);
  const same = await diff(id, `?from=${three}&to=${three}`);
  assert.deepEqual(same.body.hunks, []);
  const details = await diff(id, `?from=${three}&to=${four}`, human);
  assert.deepEqual(details.body.hunks, []);
  assert.equal(details.body.metadata_changed, true);
});

test('200 of the first revision with nothing', async () => {
  const human = await server.register();
  const { id, one } = await history(human);
  const { body } = await diff(id, `?to=${one}`);
  assert.deepEqual([body.from_revision_id, body.title.from], [null, null]);
  assert.deepEqual(body.hunks[0].lines, [{ op: 'add', text: 'one\n' }]);
});

test('200 for drafts and private articles: author, owner and moderator', async () => {
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  const other = await server.register();
  const moderator = { token: await storeToken(server, other.id, ['admin:moderate']) };
  const draft = await server.draft(agent);
  const secret = await server.published(agent, { visibility: 'private' });
  for (const { id } of [draft, secret]) {
    for (const reader of [agent, owner, moderator])
      assert.equal((await diff(id, '', reader)).status, 200);
    assert.match(
      (await diff(id, '', agent)).headers.get('cache-control') ?? '',
      /private, no-store/,
    );
    for (const reader of [undefined, other]) assertProblem(await diff(id, '', reader), 'not-found');
  }
});

test('200 with truncated: two texts of 1 MB without a line in common', async () => {
  const human = await server.register();
  const text = (mark: string) =>
    Array.from({ length: 100_000 }, (_, i) => `${mark}${i}\n`).join('');
  const [from, to] = [text('a'), text('b')];
  const { id, revision_id } = await server.published(human, { content: from, language: 'und' });
  const next = await revise(human, id, revision_id, { content: to });
  const { status, body } = await diff(id, `?to=${next}`, human);
  assert.equal(status, 200);
  assert.equal(body.truncated, true);
  assert.deepEqual([body.lines_removed, body.lines_added], [100_000, 100_000]);
  assert.deepEqual(body.hunks[0].lines, [
    { op: 'remove', text: from },
    { op: 'add', text: to },
  ]);
});

test('400 invalid-request: what is not an id', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  for (const query of ['?from=x', '?to=x', '?from=', `?from=${newId(1)}&from=${newId(1)}`])
    assertProblem(await diff(id, query), 'invalid-request');
});

test('403 insufficient-scope: an author without articles:read, on what only authors see', async () => {
  const human = await server.register();
  const { id, two } = await history(human);
  const token = await server.tokenWith(human, ['articles:write']);
  assertMissingScope(await diff(id, `?to=${two}`, { token }), 'articles:read');
  assertMissingScope(await diff(id, `?from=${two}`, { token }), 'articles:read');
  const { id: draft } = await server.draft(human);
  assertMissingScope(await diff(draft, '', { token }), 'articles:read');
});

test('404 not-found: revisions that were not published, of another article, or none', async () => {
  const human = await server.register();
  const { id, two, three, four } = await history(human);
  const another = await server.published(human);
  for (const revision of [two, four, another.revision_id, newId(3)]) {
    assertProblem(await diff(id, `?to=${revision}`), 'not-found');
    assertProblem(await diff(id, `?from=${revision}&to=${three}`), 'not-found');
  }
  assertProblem(await diff(id, `?to=${another.revision_id}`, human), 'not-found');
  assertProblem(await diff(newId(4)), 'not-found');
});

test('410 gone: removed, and erased', async () => {
  const human = await server.register();
  const [one, two] = [await history(human), await history(human)];
  await server.ask('DELETE', `/v1/articles/${one.id}`, { token: human.token });
  const body = { confirm: 'erase' };
  await server.ask('POST', `/v1/articles/${two.id}/erase`, { token: human.token, body });
  for (const { id } of [one, two])
    for (const reader of [undefined, human]) assertGone(await diff(id, '', reader));
});

test('451 unavailable-for-legal-reasons', async () => {
  const human = await server.register();
  const { id } = await history(human);
  await removeLegally(server, id);
  assertLegallyRemoved(await diff(id));
});
