// Moderators' reads of what no one else sees are in the audit log: one row for each read, written before the answer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operationList } from '@colophon/contract';
import { sql } from '#database';
import { address, harmless, readsOf } from './audited-reads.ts';
import { comment, reply } from './comments.ts';
import { link } from './edges.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { aRecord, pngOf, upload } from './media-files.ts';
import { act, aModerator } from './moderators.ts';
import { report } from './reports.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
let moderator: Human;
const ids: Record<string, string> = {};
const id = (name: string) => ids[name] ?? assert.fail(name);

const reads = readsOf(id);

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
  const abuse = (await comment(server, author, open.id)).id;
  ids['hidden comment'] = abuse;
  await act(server, moderator, { target_type: 'comment', target_id: abuse, action: 'hide' });
  ids['report'] = await report(server, { target_id: secret.id });
  const [onComment, onFile] = [
    { target_type: 'comment', target_id: abuse },
    { target_type: 'media', target_id: id('pending') },
  ] as const;
  ids['report of comment'] = await report(server, onComment);
  ids['report of file'] = await report(server, onFile);
  const described = await server.ask('PATCH', `/v1/media/${id('pending')}`, {
    token,
    body: { alt_text: 'Not uploaded yet.' },
  });
  assert.equal(described.status, 200);
  const appealed = await server.published(author);
  ids['appealed'] = appealed.id;
  const hiding = { target_type: 'article', target_id: appealed.id, action: 'hide' } as const;
  const action = await act(server, moderator, hiding);
  const appeal = await server.ask('POST', `/v1/moderation/actions/${action.id}/appeal`, {
    token,
    body: { text: 'It was not spam.' },
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
async function rowsAddedBy(request: () => Promise<Response>) {
  const earlier = (await rows()).length;
  const answer = await request();
  return { answer, rows: (await rows()).slice(earlier) };
}

for (const [number, { name, path, target, queue, details }] of reads.entries()) {
  test(`${name} (${number}): a moderator’s read is one row, and no other read is any`, async () => {
    const ask = (token?: string) =>
      server.ask('GET', `/v1${path()}`, token === undefined ? {} : { token });
    const byModerator = await rowsAddedBy(() => ask(moderator.token));
    assert.equal(byModerator.answer.status, 200, JSON.stringify(byModerator.answer.body));
    const [row, ...more] = byModerator.rows;
    assert.deepEqual(more, []);
    assert.equal(row?.actor, moderator.id);
    assert.equal(row.target_id, target());
    assert.deepEqual({ ...row.details, ...details?.() }, row.details);
    assert.equal(row.details['operation'], name);
    const others = await rowsAddedBy(async () => {
      const anonymous = await ask();
      if (queue === undefined) assert.equal((await ask(author.token)).status, 200);
      return anonymous;
    });
    assert.deepEqual(others.rows, []);
  });
}

/** How a text is taken from its readers, and is still shown to those who decide on it. */
const takenAway = {
  'a moderator removed it': (article: string) =>
    act(server, moderator, { target_type: 'article', target_id: article, action: 'remove' }),
  'the law removed it': (article: string) =>
    act(server, moderator, {
      target_type: 'article',
      target_id: article,
      action: 'remove',
      source: 'legal',
      reason_code: 'court_order',
    }),
  'its author removed it': (article: string, { token }: Human) =>
    server.ask('DELETE', `/v1/articles/${article}`, { token }),
} as const;

for (const [how, take] of Object.entries(takenAway)) {
  test(`${how}: reading a report or an appeal that shows it is one row`, async () => {
    const writer = await server.register();
    const { id: article } = await server.published(writer, { content: 'Taken from its readers.' });
    const { id: below } = await comment(server, writer, article);
    const reports = [
      await report(server, { target_id: article }),
      await report(server, { target_type: 'comment', target_id: below }),
    ];
    await take(article, writer);
    for (const one of reports) {
      const { answer, rows: added } = await rowsAddedBy(() =>
        server.ask('GET', `/v1/moderation/reports/${one}`, { token: moderator.token }),
      );
      assert.equal(answer.status, 200);
      assert.deepEqual(
        added.map(({ target_id }) => target_id),
        [article],
      );
    }
  });
}

test('a report on an erased article shows nothing, and its read is not recorded', async () => {
  const writer = await server.register();
  const { id: article } = await server.published(writer);
  const one = await report(server, { target_id: article });
  const asked = { token: writer.token, body: { confirm: 'erase' } };
  assert.equal((await server.ask('POST', `/v1/articles/${article}/erase`, asked)).status, 200);
  const { answer, rows: added } = await rowsAddedBy(() =>
    server.ask('GET', `/v1/moderation/reports/${one}`, { token: moderator.token }),
  );
  assert.equal(answer.body.target.content, null);
  assert.deepEqual(added, []);
});

test('a moderator’s reads of what everybody sees, and of their own works, are not recorded', async () => {
  const own = await server.draft(moderator);
  const open = id('open');
  for (const path of [
    `articles/${own.id}`,
    `articles/${open}`,
    `articles/${open}/diff`,
    'articles',
  ]) {
    const { answer, rows: none } = await rowsAddedBy(() =>
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
    assert.equal(
      (await rowsAddedBy(() => server.ask(method, path, { token, headers }))).rows.length,
      1,
    );
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
