// POST /v1/articles/{id}/erase over HTTP: who may, what remains, and what is not affected.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { removeLegally, setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, freshKey, startServer } from '#test/harness';
import type { Asked, Human } from '#test/harness';
import { ledgerCount } from '#test/ledgers';
import {
  assertFault,
  assertGone,
  assertLegallyRemoved,
  assertMissingScope,
} from '#test/problem-checks';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const confirm = { confirm: 'erase' };
const erase = (human: Pick<Human, 'token'>, id: string, body: unknown = confirm) =>
  server.ask('POST', `/v1/articles/${id}/erase`, { token: human.token, body });
const remove = (human: Human, id: string) =>
  server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
const asReader = (human?: Human): Asked => (human === undefined ? {} : { token: human.token });
const read = (id: string, human?: Human) =>
  server.ask('GET', `/v1/articles/${id}`, asReader(human));
const revise = (human: Human, id: string, asked: Asked) =>
  server.ask('POST', `/v1/articles/${id}/revisions`, { token: human.token, key: true, ...asked });

interface Left {
  readonly id: string;
  readonly content_hash: string;
  readonly signing_base: string;
  readonly held_hash: string | null;
}

const revisionsOf = (id: string) =>
  server.db.rows(sql<Left>`
    select id, content_hash, signing_base, held_hash
    from revisions
    where bucket = ${bucketOf(id)} and article_id = ${id}
    order by id`);

async function contentsLeft(bucket: number, hashes: readonly string[]): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from contents
    where bucket = ${bucket} and hash = any(${hashes})`);
  return row?.count ?? 0;
}

const inLedger = (id: string) => ledgerCount(join(server.services.config.dataDir, 'media'), id);

test('200 for a live article: its text is gone, hashes and dates stay', async () => {
  const human = await server.register();
  const first = await server.published(human, { canonical_url: 'https://example.org/a' });
  await revise(human, first.id, {
    body: { content: 'Another text.', expected_revision_id: first.revision_id },
  });
  const before = await revisionsOf(first.id);
  const { status, body } = await erase(human, first.id, { confirm: 'erase', reason: 'A name.' });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['id', 'status', 'removed_at']);
  assert.equal(body.id, first.id);
  assert.equal(body.status, 'erased');
  const left = await revisionsOf(first.id);
  assert.deepEqual(
    left,
    before.map((row) => ({ ...row, held_hash: null })),
  );
  const hashes = left.map((row) => row.content_hash);
  assert.equal(hashes.length, 2);
  assert.equal(await contentsLeft(bucketOf(first.id), hashes), 0);
  const record = await server.db.first(sql<{ canonical_url: string | null; language: string }>`
    select canonical_url, language
    from articles
    where bucket = ${bucketOf(first.id)} and id = ${first.id}`);
  assert.deepEqual(record, { canonical_url: null, language: 'und' });
});

test('200, and every read of it is 410 with the date, for everybody who knew it', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id, revision_id } = await server.published(human);
  const { body } = await erase(human, id);
  for (const path of ['', '/revisions', `/revisions/${revision_id}`, '/processing']) {
    for (const reader of [undefined, human, other]) {
      const gone = await server.ask('GET', `/v1/articles/${id}${path}`, asReader(reader));
      assertGone(gone);
      assert.equal(gone.body.removed_at, body.removed_at);
    }
  }
});

test('200 for a draft, and no one else ever knew', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id } = await server.draft(human);
  assert.equal((await erase(human, id)).status, 200);
  assertGone(await read(id, human));
  assertProblem(await read(id, other), 'not-found');
});

test('200 for a removed article, with the date of its removal', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await remove(human, id);
  const removed = await read(id);
  const { status, body } = await erase(human, id);
  assert.equal(status, 200);
  assert.equal(body.removed_at, removed.body.removed_at);
  assert.equal((await revisionsOf(id))[0]?.held_hash, null);
});

test('200 for the owner of the agent that wrote it', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  for (const { id } of [await server.draft(agent), await server.published(agent)]) {
    assert.equal((await erase(human, id)).status, 200);
    assertGone(await read(id, agent));
  }
});

test('200 again, and for eight at once: one answer, one line in the ledger', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const answers = await Promise.all(Array.from({ length: 8 }, () => erase(human, id)));
  answers.push(await erase(human, id));
  assert.equal(new Set(answers.map(({ body }) => body.removed_at)).size, 1);
  assert.equal(answers[0]?.status, 200);
  assert.equal(await inLedger(id), 1);
});

test('200 leaves a text alone that another article has', async () => {
  const human = await server.register();
  const text = { title: 'Twice', content: 'The same text in two articles.' };
  const [one, two] = [await server.published(human, text), await server.published(human, text)];
  assert.equal(one.content_hash, two.content_hash);
  assert.equal((await erase(human, one.id)).status, 200);
  assert.equal((await read(two.id)).body.content, text.content);
  assert.equal((await erase(human, two.id)).status, 200);
  assert.equal(await contentsLeft(bucketOf(two.id), [two.content_hash]), 0);
});

test('200 for 1,200 revisions: everything is released at once, and deleted in turns', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const bucket = bucketOf(id);
  const ids = Array.from({ length: 1_200 }, () => newId(bucket));
  await server.db.transaction((tx) =>
    tx.run(sql`
      with made as (
        insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
        select ${bucket}, 'many:' || one, 'A title', 'text ' || one, '{}', 'text', now()
        from unnest(${ids}::text[]) as one
      )
      insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at)
      select ${bucket}, ${id}, one, 'many:' || one, 'http://localhost', now()
      from unnest(${ids}::text[]) as one`),
  );
  assert.equal((await erase(human, id)).status, 200);
  const left = await revisionsOf(id);
  assert.equal(left.length, 1_201);
  assert.ok(left.every((row) => row.held_hash === null));
  const hashes = left.map((row) => row.content_hash).filter((hash) => hash.startsWith('many:'));
  await until('no text is left', async () => (await contentsLeft(bucket, hashes)) === 0);
});

test('200, and a replay of its creation makes no second one and does not show the title', async () => {
  const human = await server.register();
  const key = freshKey();
  const asked = {
    token: human.token,
    key,
    body: { title: 'Quombatrix in Ghent', content: 'Some text.' },
  };
  const made = await server.ask('POST', '/v1/articles', asked);
  assert.match(made.body.url, /quombatrix-in-ghent/);
  assert.equal((await erase(human, made.body.id)).status, 200);
  const replay = await server.ask('POST', '/v1/articles', asked);
  assert.equal(replay.headers.get('idempotency-replayed'), 'true');
  assert.equal(replay.body.id, made.body.id);
  assert.equal(replay.body.url, made.body.url.replace('quombatrix-in-ghent', 'article'));
});

test('200 with dry_run changes nothing', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const path = `/v1/articles/${id}/erase?dry_run=true`;
  const tried = await server.ask('POST', path, { token: human.token, body: confirm });
  assert.equal(tried.status, 200);
  assert.equal(tried.body.dry_run, true);
  assert.equal((await read(id)).body.content, 'Some *text* to read.');
});

test('401 unauthenticated: without a token', async () => {
  const path = `/v1/articles/${newId(1)}/erase`;
  assertProblem(await server.ask('POST', path, { body: confirm }), 'unauthenticated');
});

test('403 insufficient-scope: without articles:delete', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const token = await server.tokenWith(human, ['articles:read', 'articles:write']);
  assertMissingScope(await erase({ token }, id), 'articles:delete');
});

test('403 forbidden: another, a moderator, the agent of the author, the suspended', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  assertProblem(await erase(await server.register(), id), 'forbidden');
  assertProblem(await erase(await storeAgent(server, human), id), 'forbidden');
  const other = await server.register();
  const moderator = await storeToken(server, other.id, ['articles:delete', 'admin:moderate']);
  assertProblem(await erase({ token: moderator }, id), 'forbidden');
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await erase(human, id), 'forbidden');
  assert.equal((await read(id)).status, 200);
});

test('404 not-found: another’s draft or private article, or nothing at all', async () => {
  const [human, other] = [await server.register(), await server.register()];
  for (const { id } of [
    await server.draft(human),
    await server.published(human, { visibility: 'private' }),
    { id: newId(2) },
  ]) {
    assertProblem(await erase(other, id), 'not-found');
  }
});

test('422 validation-failed: anything but the word, and a reason that is too long', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  for (const body of [{}, { confirm: 'Erase' }, { confirm: 'close' }, { confirm: true }])
    assertFault(await erase(human, id, body), '/confirm');
  assertFault(await erase(human, id, { ...confirm, reason: 'x'.repeat(501) }), '/reason');
  assert.equal((await erase(human, id, { ...confirm, reason: null })).status, 200);
});

test('200 under a legal removal, and reads stay 451', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await removeLegally(server, id);
  assert.equal((await erase(human, id)).status, 200);
  assert.equal((await revisionsOf(id))[0]?.held_hash, null);
  assertLegallyRemoved(await read(id));
  assertLegallyRemoved(await remove(human, id));
});
