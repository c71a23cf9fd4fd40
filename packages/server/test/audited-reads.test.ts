// Moderators' reads of what nobody else sees stand in the audit log: one row for each read, written before the answer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operationList } from '@colophon/contract';
import { sql } from '#database';
import { comment, reply } from './comments.ts';
import { link } from './edges.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { aRecord, pngOf, upload } from './media-files.ts';
import { act, aModerator } from './moderators.ts';
import { report } from './reports.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const address = 'https://example.org/read-by-moderators';

/** Every read that can show what only moderators see, with how it is asked; `path` is made once the scene stands. */
interface Read {
  readonly name: string;
  readonly path: () => string;
  /** What the row names. */
  readonly target: () => string;
  /** A moderator reads it, and an author never may. */
  readonly queue?: true;
  readonly details?: () => object;
}

let author: Human;
let moderator: Human;
const ids: Record<string, string> = {};
const id = (name: string) => ids[name] ?? assert.fail(name);

const publicDraft = () => ({ unpublished_revisions: [id('second')] });
const reads: readonly Read[] = [
  { name: 'readArticle', path: () => `/articles/${id('draft')}`, target: () => id('draft') },
  { name: 'readArticle', path: () => `/articles/${id('secret')}`, target: () => id('secret') },
  {
    name: 'readArticle',
    path: () => `/articles/${id('secret')}?view=spotlight`,
    target: () => id('secret'),
  },
  {
    name: 'listRevisions',
    path: () => `/articles/${id('draft')}/revisions`,
    target: () => id('draft'),
    details: () => ({ unpublished_revisions: [id('draft revision')] }),
  },
  {
    name: 'listRevisions',
    path: () => `/articles/${id('open')}/revisions`,
    target: () => id('open'),
    details: publicDraft,
  },
  {
    name: 'readRevision',
    path: () => `/articles/${id('open')}/revisions/${id('second')}`,
    target: () => id('open'),
    details: publicDraft,
  },
  {
    name: 'readRevision',
    path: () => `/articles/${id('secret')}/revisions/${id('secret revision')}`,
    target: () => id('secret'),
  },
  {
    name: 'readProof',
    path: () => `/articles/${id('open')}/revisions/${id('second')}/proof`,
    target: () => id('open'),
    details: publicDraft,
  },
  {
    name: 'readDiff',
    path: () => `/articles/${id('open')}/diff?to=${id('second')}`,
    target: () => id('open'),
    details: publicDraft,
  },
  {
    name: 'readProcessing',
    path: () => `/articles/${id('secret')}/processing`,
    target: () => id('secret'),
  },
  {
    name: 'listComments',
    path: () => `/articles/${id('secret')}/comments`,
    target: () => id('secret'),
  },
  { name: 'readComment', path: () => `/comments/${id('comment')}`, target: () => id('secret') },
  {
    name: 'listReplies',
    path: () => `/comments/${id('comment')}/replies`,
    target: () => id('secret'),
  },
  { name: 'readEdge', path: () => `/edges/${id('edge')}`, target: () => id('secret') },
  {
    name: 'listEdges',
    path: () => `/edges?dst_uri=${encodeURIComponent(address)}`,
    target: () => id('secret'),
  },
  {
    name: 'listArticleEdges',
    path: () => `/articles/${id('secret')}/edges?direction=out`,
    target: () => id('secret'),
  },
  {
    name: 'listArticleEdges',
    path: () => `/articles/${id('open')}/edges?direction=in`,
    target: () => id('secret'),
  },
  { name: 'readGraph', path: () => `/articles/${id('open')}/graph`, target: () => id('secret') },
  { name: 'readMedia', path: () => `/media/${id('pending')}`, target: () => id('pending') },
  {
    name: 'readMediaContent',
    path: () => `/media/${id('hidden')}/content`,
    target: () => id('hidden'),
  },
  {
    name: 'readReport',
    path: () => `/moderation/reports/${id('report')}`,
    target: () => id('secret'),
    queue: true,
  },
  {
    name: 'listReports',
    path: () => '/moderation/reports',
    target: () => id('secret'),
    queue: true,
  },
  {
    name: 'readAppeal',
    path: () => `/moderation/appeals/${id('appeal')}`,
    target: () => id('appealed'),
    queue: true,
  },
];

/** Reads that show nothing which only moderators see, each with the reason. */
const harmless: Readonly<Record<string, string>> = {
  listArticles: 'authors list their own',
  listOwnComments: 'one’s own',
  listMedia: 'one’s own',
  listModerationHistory: 'actions, no texts of the object',
  listAppeals: 'the author’s appeal, no text of the object',
  listModerationStatements: 'public',
  readModerationStatistics: 'public',
};

before(async () => {
  [author, moderator] = [await server.register(), await aModerator(server)];
  const { token } = author;
  const draft = await server.draft(author, { content: 'Never published.' });
  Object.assign(ids, { draft: draft.id, 'draft revision': draft.revision_id });
  const open = await server.published(author);
  const second = await server.ask('POST', `/v1/articles/${open.id}/revisions`, {
    token,
    key: true,
    headers: { 'if-match': `"${open.revision_id}"` },
    body: { content: 'Not published yet.' },
  });
  Object.assign(ids, { open: open.id, second: second.body.revision_id });
  const secret = await server.published(author);
  Object.assign(ids, { secret: secret.id, 'secret revision': secret.revision_id });
  const made = await comment(server, author, secret.id);
  await reply(server, author, made.id);
  const edge = await link(server, author, [secret, open]);
  await link(server, author, [secret, open], { dst_article_id: null, dst_uri: address });
  Object.assign(ids, { comment: made.id, edge: edge.id });
  const private_ = await server.ask('PATCH', `/v1/articles/${secret.id}`, {
    token,
    body: { visibility: 'private' },
  });
  assert.equal(private_.status, 200);
  ids['pending'] = (await aRecord(server, author, 'image')).id;
  ids['hidden'] = (await upload(server, author, 'image', pngOf(2, 2))).body.id;
  await act(server, moderator, { target_type: 'media', target_id: id('hidden'), action: 'hide' });
  ids['report'] = await report(server, { target_id: secret.id });
  const appealed = await server.published(author);
  ids['appealed'] = appealed.id;
  const hiding = { target_type: 'article', target_id: appealed.id, action: 'hide' } as const;
  const action = await act(server, moderator, hiding);
  const appeal = await server.ask('POST', `/v1/moderation/actions/${action.id}/appeal`, {
    token,
    body: { text: 'It was no spam.' },
  });
  ids['appeal'] = appeal.body.id;
});

interface Row {
  readonly actor: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const rows = () =>
  server.db.rows(sql<Row>`
    select actor, target_type, target_id, details
    from audit_log
    where bucket = 0 and action = 'read'
    order by number`);

/** The rows that a request added. */
async function added(request: () => Promise<Response>) {
  const earlier = (await rows()).length;
  const answer = await request();
  return { answer, rows: (await rows()).slice(earlier) };
}

for (const [number, { name, path, target, queue, details }] of reads.entries()) {
  test(`${name} (${number}): a moderator’s read is one row, and nobody else’s is any`, async () => {
    const ask = (token?: string) =>
      server.ask('GET', `/v1${path()}`, token === undefined ? {} : { token });
    const byModerator = await added(() => ask(moderator.token));
    assert.equal(byModerator.answer.status, 200, JSON.stringify(byModerator.answer.body));
    const [row, ...more] = byModerator.rows;
    assert.deepEqual(more, []);
    assert.equal(row?.actor, moderator.id);
    assert.equal(row.target_id, target());
    assert.deepEqual({ ...row.details, ...details?.() }, row.details);
    assert.equal(row.details['operation'], name);
    const others = await added(async () => {
      const anonymous = await ask();
      if (queue === undefined) assert.equal((await ask(author.token)).status, 200);
      return anonymous;
    });
    assert.deepEqual(others.rows, []);
  });
}

test('a moderator’s reads of what everybody sees, and of what is their own, are no rows', async () => {
  const own = await server.draft(moderator);
  const open = id('open');
  for (const path of [
    `articles/${own.id}`,
    `articles/${open}`,
    `articles/${open}/diff`,
    'articles',
  ]) {
    const { answer, rows: none } = await added(() =>
      server.ask('GET', `/v1/${path}`, { token: moderator.token }),
    );
    assert.equal(answer.status, 200);
    assert.deepEqual(none, [], path);
  }
});

test('304 and HEAD are reads too', async () => {
  const path = `/v1/articles/${id('draft')}`;
  const { token } = moderator;
  const etag = (await server.ask('GET', path, { token })).headers.get('etag') ?? assert.fail();
  for (const [method, headers] of [
    ['GET', { 'if-none-match': etag }],
    ['HEAD', {}],
  ] as const)
    assert.equal((await added(() => server.ask(method, path, { token, headers }))).rows.length, 1);
});

test('an error, and nothing is shown, where the row cannot be written', async () => {
  const path = `/v1/articles/${id('draft')}`;
  const break_ = (to: string) =>
    sql`update audit_heads set number = number + ${Number(to)} where bucket = 0`;
  await server.db.transaction((tx) => tx.run(break_('-1')));
  const answer = await server.ask('GET', path, { token: moderator.token });
  await server.db.transaction((tx) => tx.run(break_('1')));
  assert.ok(answer.status >= 500, 'the number of the row is taken');
  assert.ok(!JSON.stringify(answer.body).includes('Never published.'));
  assertProblem(await server.ask('GET', path), 'not-found');
  assert.equal((await server.ask('GET', path, { token: moderator.token })).status, 200);
});

test('every read of articles, comments, edges, media and the queue is in one list or the other', () => {
  const areas = new Set(['articles', 'social', 'media', 'moderation']);
  const all = operationList
    .filter(({ method, tag, name }) => method === 'GET' && areas.has(tag) && name !== 'listAudit')
    .map(({ name }) => name as string);
  const listed = new Set([...reads.map(({ name }) => name), ...Object.keys(harmless)]);
  assert.deepEqual(all.toSorted(), [...listed].toSorted());
});
