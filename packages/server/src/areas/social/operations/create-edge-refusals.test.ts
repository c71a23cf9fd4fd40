// POST /v1/edges over HTTP: every refusal, and that none reveals what the caller may not see.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, setTrustLevel } from '#test/accounts';
import { createAgent } from '#test/agents';
import { comment, moderate, setArticleStatus } from '#test/comments';
import { ask, link } from '#test/edges';
import { assertProblem } from '#test/harness';
import type { Response } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import {
  assertFault,
  assertGone,
  assertLegallyRemoved,
  assertQuotaExceeded,
} from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

/** Creates two people with a published article each. */
async function pair() {
  const [ann, bob] = [await server.register(), await server.register()];
  return { ann, bob, from: await server.published(ann), to: await server.published(bob) };
}

test('403 forbidden: an article of somebody else', async () => {
  const { bob, from, to } = await pair();
  const input = { src_article_id: from.id, dst_article_id: to.id };
  assertProblem(await ask(server, bob, input), 'forbidden');
});

test('403 forbidden: the owner does not write in the name of an agent', async () => {
  const { ann, to } = await pair();
  const agent = await createAgent(server, ann);
  const input = { src_article_id: (await server.published(agent)).id, dst_article_id: to.id };
  assertProblem(await ask(server, ann, input), 'forbidden');
  assert.equal((await ask(server, agent, input)).status, 201);
});

test('404 not-found: no such source, a draft and a private article of somebody else', async () => {
  const { ann, bob, from } = await pair();
  const hidden = await server.published(bob, { visibility: 'private' });
  for (const id of [newId(5), hidden.id, (await server.draft(bob)).id]) {
    const input = { src_article_id: id, dst_article_id: from.id };
    assertProblem(await ask(server, ann, input), 'not-found');
  }
});

test('410 gone: a source that was removed', async () => {
  const { ann, from, to } = await pair();
  await server.ask('DELETE', `/v1/articles/${from.id as string}`, { token: ann.token });
  const input = { src_article_id: from.id, dst_article_id: to.id };
  assertGone(await ask(server, ann, input));
});

test('451 unavailable-for-legal-reasons: a source that was removed for such', async () => {
  const { ann, from, to } = await pair();
  await removeLegally(server, from.id);
  const input = { src_article_id: from.id, dst_article_id: to.id };
  assertLegallyRemoved(await ask(server, ann, input));
});

test('422 validation-failed: no destination, both, and the source itself', async () => {
  const { ann, from, to } = await pair();
  const src = { src_article_id: from.id };
  const both = { ...src, dst_article_id: to.id, dst_uri: 'https://example.org/' };
  for (const [input, code] of [
    [src, 'required'],
    [{ ...src, dst_article_id: null, dst_uri: null }, 'required'],
    [both, 'contradiction'],
  ] as const) {
    const refused = await ask(server, ann, input);
    for (const pointer of ['/dst_article_id', '/dst_uri']) assertFault(refused, pointer, code);
  }
  assertFault(
    await ask(server, ann, { ...src, dst_article_id: from.id }),
    '/dst_article_id',
    'self',
  );
});

/** Returns the refusal without the members that differ per request. */
function assertSame(one: Response, other: Response): void {
  const bare = ({ status, body }: Response) => ({ status, ...body, request_id: '', instance: '' });
  assert.deepEqual(bare(one), bare(other));
}

test('404 not-found: no such destination; a private article, a draft and a hidden one look like none', async () => {
  const { ann, bob, from, to } = await pair();
  await setArticleStatus(server, to.id, 'hidden');
  const own = await server.published(bob, { visibility: 'private' });
  for (const kind of ['cites', 'retracts']) {
    const src = { src_article_id: from.id, kind };
    const refused = await ask(server, ann, { ...src, dst_article_id: newId(5) });
    assertProblem(refused, 'not-found');
    assert.match(refused.body.detail, /dst_article_id/);
    for (const id of [own.id, (await server.draft(bob)).id, to.id])
      assertSame(await ask(server, ann, { ...src, dst_article_id: id }), refused);
  }
  const known = { src_article_id: (await server.published(bob)).id, dst_article_id: own.id };
  assert.equal((await ask(server, bob, known)).status, 201);
});

test('404 not-found: no such comment; a hidden one and one on a private article look like none', async () => {
  const { ann, bob, from, to } = await pair();
  const input = { src_article_id: from.id, dst_article_id: to.id };
  const refused = await ask(server, ann, { ...input, via_comment_id: newId(5) });
  assertProblem(refused, 'not-found');
  assert.match(refused.body.detail, /via_comment_id/);
  const hidden = await comment(server, bob, to.id);
  await moderate(server, hidden.id, { status: 'hidden' });
  const own = await comment(
    server,
    bob,
    (await server.published(bob, { visibility: 'private' })).id,
  );
  for (const { id } of [hidden, own])
    assertSame(await ask(server, ann, { ...input, via_comment_id: id }), refused);
});

test('422 validation-failed: supersedes and retracts are for the caller’s own articles', async () => {
  const { ann, from, to } = await pair();
  for (const kind of ['supersedes', 'retracts']) {
    const src = { src_article_id: from.id, kind };
    assertFault(await ask(server, ann, { ...src, dst_article_id: to.id }), '/kind', 'not-yours');
    const elsewhere = { ...src, dst_uri: 'https://example.org/' };
    assertFault(await ask(server, ann, elsewhere), '/kind', 'not-yours');
  }
});

test('422 validation-failed: a comment on another article, and one that was deleted', async () => {
  const { ann, bob, from, to } = await pair();
  const [elsewhere, deleted] = [
    (await comment(server, ann, (await server.published(bob)).id)).id,
    (await comment(server, ann, to.id)).id,
  ];
  await server.ask('DELETE', `/v1/comments/${deleted}`, { token: ann.token });
  for (const via of [elsewhere, deleted]) {
    const input = { src_article_id: from.id, dst_article_id: to.id, via_comment_id: via };
    assertFault(await ask(server, ann, input), '/via_comment_id', 'elsewhere');
  }
});

test('422 validation-failed: addresses of other schemes, relative ones, and those with a password', async () => {
  const { ann, from } = await pair();
  for (const address of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://example.org/',
    '/v1/articles',
    'example.org',
    'https://user:secret@example.org/',
    '',
  ]) {
    const refused = await ask(server, ann, { src_article_id: from.id, dst_uri: address });
    assertFault(refused, '/dst_uri', 'format');
  }
});

test('422 validation-failed: a kind off the list, a note of 1,001 characters, and one with a token', async () => {
  const { ann, from, to } = await pair();
  const input = { src_article_id: from.id, dst_article_id: to.id };
  assertFault(await ask(server, ann, { ...input, kind: 'likes' }), '/kind', 'enum');
  assertFault(await ask(server, ann, { ...input, note: '🦉'.repeat(1001) }), '/note', 'too-long');
  assertFault(await ask(server, ann, { ...input, note: ann.token }), '/note', 'own-token');
  assert.equal((await ask(server, ann, { ...input, note: '🦉'.repeat(1000) })).status, 201);
});

test('429 quota-exceeded: an edge that exists costs nothing', async () => {
  const { ann, bob, from, to } = await pair();
  const others = [await server.published(bob), await server.published(bob)];
  await setTrustLevel(server, ann.id, 1);
  await link(server, ann, [from, to]);
  const again = { src_article_id: from.id, dst_article_id: to.id };
  assert.equal((await ask(server, ann, again)).status, 200);
  await link(server, ann, [from, others[0]]);
  const beyond = { src_article_id: from.id, dst_article_id: others[1].id };
  assertQuotaExceeded(await ask(server, ann, beyond), 'edges.create', scarce);
  assert.equal((await ask(server, ann, again)).status, 200);
});
