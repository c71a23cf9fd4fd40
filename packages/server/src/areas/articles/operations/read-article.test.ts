// GET /v1/articles/{id} over HTTP: who sees which revision, and what caches may store.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { removeLegally, setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (id: string, human?: Pick<Human, 'token'>, query = ''): Promise<Response> =>
  server.ask(
    'GET',
    `/v1/articles/${id}${query}`,
    human === undefined ? {} : { token: human.token },
  );
const ifNoneMatch = (id: string, tag: string, token?: string) =>
  server.ask('GET', `/v1/articles/${id}`, {
    headers: { 'if-none-match': tag },
    ...(token === undefined ? {} : { token }),
  });

async function revise(
  human: Human,
  made: { id: string; revision_id: string },
  content: string,
): Promise<string> {
  const asked = {
    token: human.token,
    key: true as const,
    body: { content, expected_revision_id: made.revision_id },
  };
  return (await server.ask('POST', `/v1/articles/${made.id}/revisions`, asked)).body.revision_id;
}

test('200 for anybody: the published revision, labelled untrusted, without what is the author’s', async () => {
  const human = await server.register();
  const made = await server.published(human, { content: 'shown' });
  const newer = await revise(human, made, 'not yet');
  for (const reader of [undefined, await server.register()]) {
    const { status, body } = await read(made.id, reader);
    assert.equal(status, 200);
    assert.equal(body.content, 'shown');
    assert.equal(body.revision_id, made.revision_id);
    assert.equal(body.trust, 'untrusted');
    assert.equal(body.content_type, 'text/markdown');
    assert.ok(!('latest_revision_id' in body) && !('moderation' in body));
    assert.ok(!JSON.stringify(body).includes(newer));
  }
});

test('200 for the author: the published revision, and the id of the newest', async () => {
  const human = await server.register();
  const made = await server.published(human, { content: 'shown' });
  const newer = await revise(human, made, 'not yet');
  const { body } = await read(made.id, human);
  assert.equal(body.content, 'shown');
  assert.equal(body.latest_revision_id, newer);
  assert.equal(body.moderation, null);
  const latest = (await read(made.id, human, '?view=latest')).body;
  assert.equal(latest.content, 'not yet');
  assert.equal(latest.revision_id, newer);
});

test('200 for author and owner of a draft: the newest revision', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const made = await server.draft(agent, { content: 'one' });
  await revise(agent, made, 'two');
  for (const reader of [agent, human]) {
    for (const query of ['', '?view=latest'])
      assert.equal((await read(made.id, reader, query)).body.content, 'two');
  }
});

test('200 for moderators: drafts and private articles', async () => {
  const human = await server.register();
  const token = await storeToken(server, (await server.register()).id, ['admin:moderate']);
  for (const { id } of [
    await server.draft(human),
    await server.published(human, { visibility: 'private' }),
  ]) {
    const { status, body } = await read(id, { token });
    assert.equal(status, 200);
    assert.ok('moderation' in body);
  }
});

test('200 with a token that has no scope: it sees no less than none', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const bare = await server.tokenWith(human, []);
  assert.equal((await read(id, { token: bare })).status, 200);
  const unlisted = await server.published(human, { visibility: 'unlisted' });
  assert.equal((await read(unlisted.id, { token: bare })).status, 200);
});

test('200 for the suspended, and of the suspended', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await setPrincipalStatus(server, human.id, 'suspended');
  assert.equal((await read(id, human)).status, 200);
  assert.equal((await read(id)).status, 200);
});

test('200 anonymous and public: a strong tag, kept by anybody and always revalidated', async () => {
  const { id, revision_id } = await server.published(await server.register());
  const { headers } = await read(id);
  assert.match(headers.get('etag') ?? '', new RegExp(`^"${revision_id}\\.[\\w-]{6,}"$`));
  assert.equal(
    headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  assert.match(headers.get('vary') ?? '', /Authorization/i);
});

test('200 with a token, or not public: stored by no cache', async () => {
  const human = await server.register();
  const open = await server.published(human);
  const unlisted = await server.published(human, { visibility: 'unlisted' });
  for (const answer of [
    await read(open.id, human),
    await read(unlisted.id),
    await read((await server.draft(human)).id, human),
  ]) {
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
  }
});

test('304 for its tag: quoted, weak, in a list, or *', async () => {
  const { id } = await server.published(await server.register());
  const tag = (await read(id)).headers.get('etag') ?? '';
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*']) {
    const { status, body, headers } = await ifNoneMatch(id, sent);
    assert.equal(status, 304, sent);
    assert.equal(body, '');
    assert.equal(headers.get('etag'), tag);
    assert.equal(
      headers.get('cache-control'),
      'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
    );
  }
});

test('200 for another tag, for that of the revision alone, and after any change', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.published(human);
  const tag = (await read(id)).headers.get('etag') ?? '';
  for (const sent of ['"other"', `"${revision_id}"`, tag.slice(1, -1), ''])
    assert.equal((await ifNoneMatch(id, sent)).status, 200, sent);
  await server.ask('PATCH', `/v1/articles/${id}`, { token: human.token, body: { language: 'fi' } });
  const changed = await ifNoneMatch(id, tag);
  assert.equal(changed.status, 200);
  assert.equal(changed.body.language, 'fi');
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  assertGone(await ifNoneMatch(id, tag));
});

test('304 with a token as well', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const tag = (await read(id, human)).headers.get('etag') ?? '';
  assert.equal((await ifNoneMatch(id, tag, human.token)).status, 304);
  assertProblem(await ifNoneMatch(id, tag), 'not-found');
});

for (const query of [
  '?view=newest',
  '?view=',
  '?view=latest&view=latest',
  '?fields=title',
  '?view=%ff',
  '?view=%00',
]) {
  test(`400 invalid-request: ${query}`, async () => {
    assertProblem(await read(newId(1), undefined, query), 'invalid-request');
  });
}

test('401 unauthenticated: a bad token, and view=latest without one', async () => {
  const { id } = await server.published(await server.register());
  assertProblem(await read(id, { token: 'bad' }), 'unauthenticated');
  assertProblem(await read(id, undefined, '?view=latest'), 'unauthenticated');
});

test('403 insufficient-scope: the caller’s own draft, private article and newest revision need articles:read', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:write', 'articles:publish']);
  const open = await server.published(human);
  assertMissingScope(await read((await server.draft(human)).id, { token }), 'articles:read');
  assertMissingScope(
    await read((await server.published(human, { visibility: 'private' })).id, { token }),
    'articles:read',
  );
  assertMissingScope(await read(open.id, { token }, '?view=latest'), 'articles:read');
  const agent = await storeAgent(server, human);
  assertMissingScope(await read((await server.draft(agent)).id, { token }), 'articles:read');
});

test('403 forbidden: view=latest of another’s article', async () => {
  const { id } = await server.published(await server.register());
  assertProblem(await read(id, await server.register(), '?view=latest'), 'forbidden');
});

test('404 not-found: drafts and private articles of others look like nothing at all', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const strangers = [undefined, await server.register(), agent];
  const details = new Set<string>();
  for (const { id } of [
    await server.draft(human),
    await server.published(human, { visibility: 'private' }),
    { id: newId(3) },
  ]) {
    for (const stranger of strangers) {
      for (const query of ['', '?view=latest']) {
        const refused = await read(id, stranger, query);
        assertProblem(refused, 'not-found');
        assert.deepEqual(
          Object.keys(refused.body).sort((a, b) => a.localeCompare(b)),
          ['detail', 'instance', 'request_id', 'status', 'title', 'type'],
        );
        details.add(refused.body.detail);
      }
    }
  }
  assert.equal(details.size, 1);
});

for (const id of [
  'x',
  '0'.repeat(25),
  '0'.repeat(27),
  `${'0'.repeat(25)}U`,
  '01m7z4fkqza5g9tgm1yy660ea4',
  '8'.repeat(26),
  '%00'.repeat(26),
  "'; drop table articles",
]) {
  test(`404 not-found: ${id} is not an id`, async () => {
    assertProblem(await read(encodeURIComponent(id)), 'not-found');
  });
}

test('404 not-found for readers of what was hidden; its author sees it', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await server.db.transaction((tx) =>
    tx.run(
      sql`update articles set status = 'hidden' where bucket = ${bucketOf(id)} and id = ${id}`,
    ),
  );
  assertProblem(await read(id), 'not-found');
  assert.equal((await read(id, human)).body.status, 'hidden');
});

test('410 gone of a removed article, with the date and no text', async () => {
  const human = await server.register();
  const { id } = await server.published(human, { title: 'No one reads this', content: 'nor that' });
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  for (const reader of [undefined, human, await server.register()]) {
    const refused = await read(id, reader);
    assertGone(refused);
    assert.ok(!/No one|nor that/.test(JSON.stringify(refused.body)));
    assert.equal(refused.headers.get('cache-control'), 'no-store');
  }
});

test('451 unavailable-for-legal-reasons, with date and reason', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await removeLegally(server, id);
  for (const reader of [undefined, human]) assertLegallyRemoved(await read(id, reader));
});

test('200 as Markdown: a header says what the label of JSON says', async () => {
  const { id } = await server.published(await server.register());
  const headers = { accept: 'text/markdown' };
  const text = await server.ask('GET', `/v1/articles/${id}`, { headers });
  assert.match(text.headers.get('content-type') ?? '', /^text\/markdown/);
  assert.equal(text.headers.get('x-content-trust'), 'untrusted');
});

test('200 to HEAD: the headers of GET and no body', async () => {
  const { id } = await server.published(await server.register());
  const [get, head] = [await read(id), await server.ask('HEAD', `/v1/articles/${id}`)];
  assert.equal(head.status, 200);
  assert.equal(head.body, '');
  for (const name of ['etag', 'cache-control', 'content-type'])
    assert.equal(head.headers.get(name), get.headers.get(name));
});
