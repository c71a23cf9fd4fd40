// POST /v1/articles/{id}/comments: every refusal.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stances } from '@colophon/contract';
import { bucketOf, newId } from '#lib/id';
import { removeLegally, setPrincipalStatus, setTrustLevel } from '#test/accounts';
import { ask, comment, countOf, moderate, setArticleStatus } from '#test/comments';
import { assertProblem } from '#test/harness';
import type { Response } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';
import {
  assertFault,
  assertGone,
  assertLegallyRemoved,
  assertMissingScope,
  assertQuotaExceeded,
} from '#test/problem-checks';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

async function scenario(members: Readonly<Record<string, unknown>> = {}) {
  const [author, reader] = [await server.register(), await server.register()];
  return { author, reader, id: (await server.published(author, members)).id as string };
}

test('400 invalid-request without a key', async () => {
  const { reader, id } = await scenario();
  const sent = { token: reader.token, body: { content: 'No key.' } };
  assertProblem(await server.ask('POST', `/v1/articles/${id}/comments`, sent), 'invalid-request');
});

test('401 unauthenticated without a token', async () => {
  const { id } = await scenario();
  const sent = { key: true as const, body: { content: 'Who?' } };
  assertProblem(await server.ask('POST', `/v1/articles/${id}/comments`, sent), 'unauthenticated');
});

test('403 insufficient-scope without comments:write', async () => {
  const { reader, id } = await scenario();
  const token = await server.tokenWith(reader, ['comments:read', 'articles:write']);
  assertMissingScope(await ask(server, { token }, id), 'comments:write');
});

test('403 insufficient-scope to the author who may not read the private article with this token', async () => {
  const { author, id } = await scenario({ visibility: 'private' });
  const token = await server.tokenWith(author, ['comments:write']);
  assertMissingScope(await ask(server, { token }, id), 'articles:read');
});

test('403 forbidden for the suspended', async () => {
  const { reader, id } = await scenario();
  await setPrincipalStatus(server, reader.id, 'suspended');
  assertProblem(await ask(server, reader, id), 'forbidden');
});

test('404 not-found: no such article, another’s draft, a private and a hidden one', async () => {
  const { author, reader, id } = await scenario({ visibility: 'private' });
  assertProblem(await ask(server, reader, newId(7)), 'not-found');
  assertProblem(await ask(server, reader, 'nothing'), 'not-found');
  assertProblem(await ask(server, reader, id), 'not-found');
  assertProblem(await ask(server, reader, (await server.draft(author)).id), 'not-found');
  const open = await scenario();
  await setArticleStatus(server, open.id, 'hidden');
  assertProblem(await ask(server, open.reader, open.id), 'not-found');
});

test('410 gone: the article was removed, unpublished or erased', async () => {
  for (const status of ['removed', 'unpublished', 'erased'] as const) {
    const { reader, id } = await scenario();
    await setArticleStatus(server, id, status);
    assertGone(await ask(server, reader, id));
  }
});

test('410 gone: the parent was deleted, or removed by a moderator', async () => {
  const { reader, id } = await scenario();
  const parent = await comment(server, reader, id);
  await server.ask('DELETE', `/v1/comments/${parent.id}`, { token: reader.token });
  assertGone(await ask(server, reader, id, { parent_comment_id: parent.id }));
  const other = await comment(server, reader, id);
  await moderate(server, other.id, { status: 'removed' });
  assertGone(await ask(server, reader, id, { parent_comment_id: other.id }));
});

test('422 validation-failed: the text is missing, empty, or longer than 8,192 characters', async () => {
  const { reader, id } = await scenario();
  assertFault(await ask(server, reader, id, { content: undefined }), '/content', 'required');
  assertFault(await ask(server, reader, id, { content: '' }), '/content', 'too-short');
  const long = await ask(server, reader, id, { content: 'a'.repeat(8193) });
  assertFault(long, '/content', 'too-long');
  assertFault(await ask(server, reader, id, { content: 5 }), '/content', 'type');
});

test('422 validation-failed: an unknown stance is answered with the seven', async () => {
  const { reader, id } = await scenario();
  const fault = assertFault(await ask(server, reader, id, { stance: 'likes' }), '/stance', 'enum');
  assert.deepEqual(fault.allowed_values, [...stances, null]);
});

test('404 not-found: no such parent; a hidden one and those on invisible articles look the same', async () => {
  const { author, reader, id } = await scenario();
  const [hidden, far] = [await comment(server, author, id), await scenario()];
  await moderate(server, hidden.id, { status: 'hidden' });
  const farHidden = await comment(server, far.author, far.id);
  await moderate(server, farHidden.id, { status: 'hidden' });
  const closed = await scenario({ visibility: 'private' });
  const farPrivate = await comment(server, closed.author, closed.id);
  const bare = ({ status, body }: Response) => ({ status, ...body, request_id: '' });
  const refused = await ask(server, reader, id, { parent_comment_id: newId(3) });
  assertProblem(refused, 'not-found');
  assert.match(refused.body.detail, /parent_comment_id/);
  for (const parent of [newId(bucketOf(id)), hidden.id, farHidden.id, farPrivate.id]) {
    const same = await ask(server, reader, id, { parent_comment_id: parent });
    assert.deepEqual(bare(same), bare(refused));
  }
});

test('422 validation-failed: a parent on another article, the caller’s own that was hidden, or no id', async () => {
  const { reader, id } = await scenario();
  const far = await comment(server, reader, (await scenario()).id);
  const hidden = await comment(server, reader, id);
  await moderate(server, hidden.id, { status: 'hidden' });
  for (const [parent, code] of [
    [far.id, 'elsewhere'],
    [hidden.id, 'hidden'],
    ['x', 'format'],
  ] as const) {
    const refused = await ask(server, reader, id, { parent_comment_id: parent });
    assertFault(refused, '/parent_comment_id', code);
  }
});

test('422 validation-failed: a parent on another article of the same bucket', async () => {
  const { author, reader, id } = await scenario();
  const other = (await server.published(author)).id as string;
  assert.equal(bucketOf(other), bucketOf(id));
  const parent = await comment(server, reader, other);
  const refused = await ask(server, reader, id, { parent_comment_id: parent.id });
  assertFault(refused, '/parent_comment_id', 'elsewhere');
  assert.equal(await countOf(server, id), 0);
});

test('422 validation-failed: the caller’s own draft', async () => {
  const { author } = await scenario();
  const draft = await server.draft(author);
  assertFault(await ask(server, author, draft.id), '', 'not-published');
});

test('422 validation-failed: a token in the text is a leak', async () => {
  const { author, reader, id } = await scenario();
  const leak = await ask(server, reader, id, { content: `Use ${author.token} here.` });
  assertFault(leak, '/content', 'own-token');
});

test('429 quota-exceeded at the end of the hour’s allowance, and a refusal draws nothing', async () => {
  const { reader, id } = await scenario();
  await setTrustLevel(server, reader.id, 1);
  assertProblem(await ask(server, reader, newId(1)), 'not-found');
  assertProblem(await ask(server, reader, id, { parent_comment_id: newId(1) }), 'not-found');
  for (let n = 0; n < scarce; n += 1) await comment(server, reader, id);
  assertQuotaExceeded(await ask(server, reader, id), 'comments.create', scarce);
  assert.equal(await countOf(server, id), scarce);
});

test('451 unavailable-for-legal-reasons: the article, or the parent', async () => {
  const { reader, id } = await scenario();
  const parent = await comment(server, reader, id);
  await moderate(server, parent.id, { status: 'removed', legally: true });
  assertLegallyRemoved(await ask(server, reader, id, { parent_comment_id: parent.id }));
  await removeLegally(server, id);
  assertLegallyRemoved(await ask(server, reader, id));
});
