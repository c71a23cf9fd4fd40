// POST /v1/exports over HTTP: an archive of everything that a principal wrote.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { setPrincipalStatus, storeToken } from '#test/accounts';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { exportedFiles, finishedExport, jsonOf, linesOf, requestExport } from '#test/exports';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { pngOf, upload } from '#test/media-files';
import { act, aModerator } from '#test/moderators';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = async (who: Human, path: string) =>
  (await server.ask('GET', path, { token: who.token })).body;

test('201 queued, then an archive of what the participant wrote, as reads answer it', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { token } = human;
  const draft = await server.draft(human, {
    title: 'Über <Drafts> & "more"',
    content: 'A draft.\n\n---\ntitle: no\n---\n',
    metadata: { topics: ['Moss'], n: 1 },
  });
  const article = await server.published(human, { title: 'First', visibility: 'private' });
  const revised = await server.ask('POST', `/v1/articles/${article.id}/revisions`, {
    token,
    key: true,
    body: { title: 'Second', content: 'Not published.', expected_revision_id: article.revision_id },
  });
  const remark = await comment(server, human, (await server.published(other)).id);
  const { body: file } = await upload(server, human, 'image', pngOf(3, 2));
  const edge = await server.ask('POST', '/v1/edges', {
    token,
    key: true,
    body: { src_article_id: article.id, kind: 'cites', dst_uri: 'https://example.org/' },
  });
  const follow = await server.ask('POST', '/v1/follows', {
    token,
    body: { principal_id: other.id },
  });
  const { record, files } = await exportedFiles(server, human);

  const data = jsonOf(files, `data/articles/${article.id}.json`);
  const path = `/v1/articles/${article.id}`;
  assert.deepEqual(data.article, await read(human, path));
  assert.deepEqual(data.revisions, [
    await read(human, `${path}/revisions/${article.revision_id}`),
    await read(human, `${path}/revisions/${revised.body.revision_id}`),
  ]);
  assert.deepEqual(
    jsonOf(files, `data/articles/${draft.id}.json`).article,
    await read(human, `/v1/articles/${draft.id}`),
  );
  const proof = await read(human, `${path}/revisions/${article.revision_id}/proof`);
  const proven = jsonOf(files, `proofs/${article.id}/${article.revision_id}.json`);
  assert.deepEqual(proven, proof);
  assert.equal(proven.log, null, 'the article is private');
  assert.deepEqual(linesOf(files, 'data/comments.jsonl'), [
    await read(human, `/v1/comments/${remark.id}`),
  ]);
  assert.deepEqual(linesOf(files, 'data/edges.jsonl'), [
    await read(human, `/v1/edges/${edge.body.id}`),
  ]);
  assert.deepEqual(linesOf(files, 'data/follows.jsonl'), [follow.body]);
  assert.deepEqual(linesOf(files, 'data/media.jsonl'), [await read(human, `/v1/media/${file.id}`)]);
  assert.deepEqual(
    jsonOf(files, 'data/principal.json'),
    await read(human, `/v1/principals/${human.id}`),
  );
  assert.deepEqual(files.get(`media/${file.id}.png`), pngOf(3, 2));

  const markdown = files.get(`articles/uber-drafts-more-${draft.id}.md`)?.toString() ?? '';
  assert.match(
    markdown,
    /^---\nid: "\w{26}"\ntitle: "Über <Drafts> & \\"more\\""\nstatus: "draft"\n/,
  );
  assert.ok(
    markdown.endsWith(
      'signed: false\nurl: "' + draft.url + '"\n---\n\nA draft.\n\n---\ntitle: no\n---\n',
    ),
  );
  assert.match(
    files.get(`articles/second-${article.id}.md`)?.toString() ?? '',
    /\n\nNot published\.$/,
  );

  const manifest = jsonOf(files, 'manifest.json');
  const counts = {
    articles: 2,
    revisions: 3,
    comments: 1,
    edges: 1,
    follows: 1,
    media: 1,
    keys: 0,
  };
  assert.deepEqual([manifest.counts, record.counts], [counts, counts]);
  assert.equal(manifest.format, 'colophon-export');
  assert.equal(manifest.origin, server.baseUrl);
  assert.equal(manifest.principal.username, human.username);
  const sums = createHash('sha256')
    .update(files.get('checksums.txt') ?? '')
    .digest('hex');
  assert.deepEqual([manifest.checksums_sha256, record.checksums_sha256], [sums, sums]);
  const index = files.get('index.html')?.toString() ?? '';
  assert.ok(
    index.includes(
      `<a href="articles/uber-drafts-more-${draft.id}.md">Über &lt;Drafts&gt; &amp; "more"</a>`,
    ),
  );
  assert.doesNotMatch(index, /<script/i);
});

test('201 for an agent of the caller, with its keys and nothing of the owner', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  await server.published(owner);
  const own = await server.published(agent);
  const { record, files } = await exportedFiles(server, owner, agent.id);
  assert.equal(record.principal_id, agent.id);
  assert.deepEqual(
    [...files.keys()].filter((path) => path.startsWith('data/articles/')),
    [`data/articles/${own.id}.json`],
  );
});

test('an article that was removed is listed as a read answers it, without a text', async () => {
  const human = await server.register();
  const { id } = await server.published(human, { title: 'Gone soon' });
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  const { files } = await exportedFiles(server, human);
  const { article, revisions } = jsonOf(files, `data/articles/${id}.json`);
  assert.deepEqual([Object.keys(article), revisions], [['id', 'status', 'removed_at'], []]);
  for (const [path, bytes] of files) assert.ok(!bytes.includes('Gone soon'), path);
});

test('a note of an edge is taken away with the article at either end, as for its author who reads it', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const [removed, kept] = [await server.published(human), await server.published(human)];
  const target = await server.published(other);
  const assertEdge = (source: string, destination: object) =>
    server.ask('POST', '/v1/edges', {
      token: human.token,
      key: true,
      body: { src_article_id: source, kind: 'cites', note: 'A note.', ...destination },
    });
  const uri = { dst_uri: 'https://example.org/' };
  const made = [
    await assertEdge(removed.id, uri),
    await assertEdge(kept.id, { dst_article_id: target.id }),
    await assertEdge(kept.id, uri),
  ];
  const moderator = await aModerator(server);
  for (const { id } of [removed, target])
    await act(server, moderator, { target_type: 'article', target_id: id, action: 'remove' });
  const { files } = await exportedFiles(server, human);
  const edges = linesOf(files, 'data/edges.jsonl') as readonly { id: string; note: unknown }[];
  const notes = made.map(({ body }) => edges.find(({ id }) => id === body.id)?.note);
  assert.deepEqual(notes, [null, null, 'A note.']);
  for (const { id, note } of edges) assert.equal(note, (await read(human, `/v1/edges/${id}`)).note);
});

test('201 for the suspended: they may take what they wrote', async () => {
  const human = await server.register();
  await setPrincipalStatus(server, human.id, 'suspended');
  const made = await requestExport(server, human);
  assert.equal(made.status, 201);
  assert.equal((await finishedExport(server, human, made.body.id)).status, 'ready');
});

test('409 conflict: one is queued or running; of two at once one is made', async () => {
  const human = await server.register();
  for (let n = 0; n < 3; n += 1) await server.draft(human);
  const both = await Promise.all([requestExport(server, human), requestExport(server, human)]);
  const [made, refused] = both.toSorted((one, other) => one.status - other.status);
  assert.equal(made?.status, 201);
  if (refused?.status !== 201) {
    assertProblem(refused as NonNullable<typeof refused>, 'conflict');
    assert.equal(refused?.body.export_id, made?.body.id);
    assert.ok(refused?.body.detail.includes(made?.body.id));
  }
});

test('404 not-found, 403 forbidden: another principal', async () => {
  const [human, other] = [await server.register(), await server.register()];
  assertProblem(await requestExport(server, human, '01M7Z3KJBG7YHCVKQDVW6J2001'), 'not-found');
  assertProblem(await requestExport(server, human, other.id), 'forbidden');
  const agent = await createAgent(server, human);
  assertProblem(await requestExport(server, agent, human.id), 'forbidden');
});

test('403 insufficient-scope before the body is looked at, with every scope that is missing', async () => {
  const { id } = await server.register();
  const asked = { key: true, body: { unknown: 1 } } as const;
  for (const [held, missing] of [
    [['articles:read'], ['comments:read']],
    [['comments:read'], ['articles:read']],
    [['media:write'], ['articles:read', 'comments:read']],
  ] as const) {
    const token = await storeToken(server, id, held);
    assertMissingScope(await server.ask('POST', '/v1/exports', { ...asked, token }), ...missing);
  }
});

test('403 insufficient-scope: without comments:read, and agents:read for an agent', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const narrow = { token: await server.tokenWith(owner, ['articles:read']) };
  assertMissingScope(await requestExport(server, narrow), 'comments:read');
  const reading = { token: await server.tokenWith(owner, ['articles:read', 'comments:read']) };
  assertMissingScope(await requestExport(server, reading, agent.id), 'agents:read');
  assert.equal((await requestExport(server, reading)).status, 201);
});
