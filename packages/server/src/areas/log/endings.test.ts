// What the log says when something ends: removals, erasures, moderation, closed accounts. No text and no name is in it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { canonicalJson, sha256Hex } from '#lib/canonical-json';
import { closeAccount } from '#test/closing';
import { startServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { aSigner, signedArticle } from '#test/signed-articles';
import { logUntil, provenLog, readLog } from '#test/transparency-log';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

type Entries = readonly Awaited<ReturnType<typeof readLog>>['entries'][number][];
const about = (entries: Entries, member: string, id: string) =>
  entries.filter((entry) => entry[member] === id);
const saltsOf = (id: string) =>
  server.db.rows(sql<{ salt: Buffer }>`
    select salt from log_leaves where bucket = 0 and article_id = ${id}`);

async function untilRemoved(id: string, kind: string) {
  const { entries } = await logUntil(server, kind, (all) =>
    about(all, 'article', id).some((entry) => entry.kind === kind),
  );
  return about(entries, 'article', id);
}

test('an article that its author removes', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  const [publication, removal, ...more] = await untilRemoved(id, 'article.removed');
  assert.equal(publication?.kind, 'publication');
  assert.equal(removal?.['by'], 'author');
  assert.deepEqual(more, []);
});

test('an article that is erased: its salt is destroyed, so that its commitment says nothing', async () => {
  const human = await server.register();
  const made = await server.published(human, { title: 'Quokka diary', content: 'Wombat secrets.' });
  await provenLog(server, made.id, made.revision_id);
  assert.equal((await saltsOf(made.id)).length, 1);
  const path = `/v1/articles/${made.id}/erase`;
  const erased = await server.ask('POST', path, {
    token: human.token,
    key: true,
    body: { confirm: 'erase' },
  });
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  const [, erasure] = await untilRemoved(made.id, 'article.erased');
  assert.equal(erasure?.['by'], 'author');
  assert.deepEqual(await saltsOf(made.id), []);
  const { entries } = await readLog(server);
  const text = JSON.stringify(entries);
  for (const word of ['Quokka', 'Wombat', human.username, made.content_hash, 'sha256:'])
    assert.ok(!text.includes(word), word);
});

test('a publication that is erased before it is logged has a leaf without a salt', async () => {
  const human = await server.register();
  const ids = [];
  for (let one = 0; one < 5; one += 1) {
    const { id } = await server.published(human);
    const path = `/v1/articles/${id}/erase`;
    await server.ask('POST', path, { token: human.token, key: true, body: { confirm: 'erase' } });
    ids.push(id);
  }
  for (const id of ids) {
    const kinds = (await untilRemoved(id, 'article.erased')).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['publication', 'article.erased']);
    assert.deepEqual(await saltsOf(id), []);
  }
});

test('moderation: the public statement by its hash, what readers lose, and no target', async () => {
  const [human, moderator] = [await server.register(), await aModerator(server)];
  const { id } = await server.published(human);
  const input = { target_type: 'article', target_id: id } as const;
  await act(server, moderator, { ...input, action: 'hide' });
  await untilRemoved(id, 'article.withdrawn');
  await act(server, moderator, { ...input, action: 'restore' });
  await untilRemoved(id, 'article.shown');
  await act(server, moderator, { ...input, action: 'remove' });
  const own = await untilRemoved(id, 'article.removed');
  assert.deepEqual(
    own.map(({ kind, by }) => [kind, by]),
    [
      ['publication', undefined],
      ['article.withdrawn', undefined],
      ['article.shown', undefined],
      ['article.removed', 'moderation'],
    ],
  );
  const { items } = (await server.ask('GET', '/v1/moderation/actions')).body;
  const { entries } = await logUntil(server, 'the actions', (all) => {
    return all.filter(({ kind }) => kind === 'moderation').length >= items.length;
  });
  assert.ok(items.length >= 3);
  for (const { appeal: _, ...statement } of items) {
    const [leaf, ...more] = about(entries, 'action', statement.id);
    assert.deepEqual(more, []);
    assert.deepEqual(leaf, {
      kind: 'moderation',
      v: 1,
      at: statement.created_at,
      action: statement.id,
      target_type: 'article',
      statement: sha256Hex(canonicalJson(statement)),
    });
  }
});

test('an account that closes: its closing, the keys of its agents, and its works', async () => {
  const signer = await aSigner(server);
  const work = await signedArticle(server, signer);
  const { status } = await closeAccount(server, signer.owner, 'unpublish');
  assert.equal(status, 200);
  const { entries } = await logUntil(
    server,
    'the closing',
    (all) =>
      about(all, 'principal', signer.owner.id).length === 1 &&
      about(all, 'key', signer.keyId).some(({ kind }) => kind === 'key.revoked') &&
      about(all, 'article', work.id).some(({ kind }) => kind === 'article.withdrawn'),
  );
  const [closing] = about(entries, 'principal', signer.owner.id);
  assert.deepEqual([closing?.kind, closing?.['articles']], ['account.closed', 'unpublish']);
  for (const name of [signer.owner.username, signer.username])
    assert.ok(!JSON.stringify(entries).includes(name));
});
