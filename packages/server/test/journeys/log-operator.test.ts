// An operator with full power over database, disk and key changes, hides and back-dates publications. Readers who
// have an old checkpoint and the command line find each of them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { closeAccount } from '#test/closing';
import { startServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { rewriteLog } from '#test/rewritten-log';
import {
  aSigner,
  publish,
  revise,
  revoke,
  signatureOf,
  signedArticle,
} from '#test/signed-articles';
import { until } from '#test/throw-away-database';
import { openHome } from '../../../cli/test/run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const { log: described } = (await server.ask('GET', '/v1/meta')).body;

const reader = await openHome({ COLOPHON_URL: server.baseUrl });
after(() => reader[Symbol.asyncDispose]());
/** A reader who has nothing but a checkpoint of an earlier day. */
const other = await openHome({ COLOPHON_URL: server.baseUrl });
after(() => other[Symbol.asyncDispose]());

interface Report {
  readonly code: number;
  readonly size: number;
  readonly findings: readonly { kind: string; leaf: number | null; id?: string; detail: string }[];
  readonly evidence?: { readonly remembered: string; readonly received: string };
}

/** What an honest service does is explained in the end, however slow the machine is. */
async function audit(settle = 1): Promise<Report> {
  const { code, out, err } = await reader.run(
    `log audit --folder mirror --settle ${settle} --json`,
  );
  assert.notEqual(out, '', err);
  return { code, ...(JSON.parse(out) as Omit<Report, 'code'>) };
}

/** Waits until the log has the leaf of something, and has published all that it has. */
async function untilLogged(kind: string, id: string): Promise<void> {
  await until(`${kind} of ${id} is in the log`, async () => {
    const found = await server.db.first(sql<{ count: number }>`
      select count(*) as count
      from log_leaves
      where bucket = 0 and number is not null
        and entry like ${`%"kind":"${kind}"%`} and entry like ${`%${id}%`}`);
    const head = await server.db.first(sql<{ published: boolean }>`
      select size = published_size as published
      from log_heads
      where bucket = 0`);
    return (found?.count ?? 0) > 0 && head?.published === true;
  });
}

interface Published {
  readonly id: string;
  readonly revision_id: string;
}

/** Waits until a publication is in the log, and returns its leaf. */
async function leafOf({ id, revision_id }: Published): Promise<number> {
  await untilLogged('publication', revision_id);
  const path = `/v1/articles/${id}/revisions/${revision_id}/proof`;
  return (await server.ask('GET', path)).body.log.index as number;
}

/** What a service of some age has: publications of each kind, and their ends. */
async function someHistory(): Promise<void> {
  const [ada, ben, moderator, signer] = [
    await server.register(),
    await server.register(),
    await aModerator(server),
    await aSigner(server),
  ];
  const first = await server.published(ada);
  await revise(server, ada, first, 'A second version.');
  await publish(server, ada, first.id, { body: {} });
  const signed = await signedArticle(server, signer);
  const again = await revise(server, signer, signed, 'Signed again.');
  await publish(server, signer, signed.id, { body: signatureOf(signer, again.signing_input) });
  await revoke(server, signer, signer.keyId);
  const withdrawn = await server.published(ada);
  const { token } = ada;
  await server.ask('PATCH', `/v1/articles/${withdrawn.id}`, {
    token,
    body: { visibility: 'private' },
  });
  const erased = await server.published(ada);
  await server.ask('DELETE', `/v1/articles/${erased.id}`, { token, key: true });
  const hidden = await server.published(ben);
  await act(server, moderator, { target_type: 'article', target_id: hidden.id, action: 'hide' });
  await server.published(ben);
  assert.ok((await closeAccount(server, ben, 'unpublish')).status < 300);
  await untilLogged('account.closed', ben.id);
}

test('an honest service passes the audit, and a reader remembers its checkpoint', async () => {
  await someHistory();
  assert.equal((await other.run('log checkpoint')).code, 0);
  const report = await audit(60);
  assert.deepEqual([report.code, report.findings], [0, []]);
  assert.ok(report.size > 10);
});

test('a changed text is found, with its leaf', async () => {
  const article = await server.published(await server.register(), { content: 'What was written.' });
  const leaf = await leafOf(article);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update contents
      set content = 'What was never written.'
      where bucket = ${bucketOf(article.id)} and content = 'What was written.'`),
  );
  const { code, findings } = await audit();
  assert.equal(code, 3);
  assert.deepEqual(
    findings.map(({ kind, leaf: at, id }) => [kind, at, id]),
    [['different', leaf, article.revision_id]],
  );
  await server.db.transaction((tx) =>
    tx.run(sql`
      update contents
      set content = 'What was written.'
      where bucket = ${bucketOf(article.id)} and content = 'What was never written.'`),
  );
  assert.equal((await audit(60)).code, 0);
});

test('a changed text whose hash is changed with it is found too', async () => {
  const article = await server.published(await server.register(), { content: 'The first text.' });
  const forged = await server.published(await server.register(), { content: 'Another text.' });
  const leaf = await leafOf(article);
  // A publication that is not in the log yet is another finding.
  await leafOf(forged);
  const hash = async (content: string) => {
    await server.db.transaction((tx) =>
      tx.run(sql`
        update revisions
        set content_hash = ${content}
        where bucket = ${bucketOf(article.id)} and id = ${article.revision_id}`),
    );
  };
  // The forged text exists in the author's bucket, as if it had been published.
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
      select ${bucketOf(article.id)}, hash, title, content, metadata, excerpt, created_at
      from contents
      where bucket = ${bucketOf(forged.id)} and hash = ${forged.content_hash}`),
  );
  await hash(forged.content_hash);
  const { code, findings } = await audit();
  await hash(article.content_hash);
  assert.equal(code, 3);
  assert.deepEqual([findings[0]?.kind, findings[0]?.leaf], ['different', leaf]);
});

test('a back-dated publication is found', async () => {
  const article = await server.published(await server.register());
  const leaf = await leafOf(article);
  const { published_at: time } = article as unknown as { readonly published_at: string };
  const date = async (at: string) => {
    await server.db.transaction((tx) =>
      tx.run(sql`
        update revisions
        set published_at = ${at}::timestamptz
        where bucket = ${bucketOf(article.id)} and id = ${article.revision_id}`),
    );
  };
  await date('2020-01-01T00:00:00.000Z');
  const { code, findings } = await audit();
  await date(time);
  assert.equal(code, 3);
  assert.deepEqual([findings[0]?.kind, findings[0]?.leaf], ['different', leaf]);
  assert.match(findings[0]?.detail ?? '', /published_at/);
});

test('a publication that is hidden without a leaf is found', async () => {
  const article = await server.published(await server.register());
  const leaf = await leafOf(article);
  const show = async (visibility: string) => {
    await server.db.transaction((tx) =>
      tx.run(sql`
        update articles
        set visibility = ${visibility}
        where bucket = ${bucketOf(article.id)} and id = ${article.id}`),
    );
  };
  await show('private');
  const { code, findings } = await audit();
  await show('public');
  assert.equal(code, 3);
  assert.deepEqual(
    findings.map(({ kind, leaf: at, id }) => [kind, at, id]),
    [['extra', leaf, article.id]],
  );
});

test('a publication that is slipped in is found', async () => {
  const draft = await server.draft(await server.register());
  const early = '2026-01-01T00:00:00.000Z';
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      update revisions
      set published_at = ${early}::timestamptz
      where bucket = ${bucketOf(draft.id)} and id = ${draft.revision_id}`);
    await tx.run(sql`
      update articles
      set status = 'published', visibility = 'public', published_revision_id = ${draft.revision_id},
        published_at = ${early}::timestamptz, updated_at = ${early}::timestamptz
      where bucket = ${bucketOf(draft.id)} and id = ${draft.id}`);
  });
  const { code, findings } = await audit();
  assert.equal(code, 3);
  assert.deepEqual(
    findings.map(({ kind, leaf, id }) => [kind, leaf, id]),
    [['missing', null, draft.revision_id]],
  );
  await server.db.transaction((tx) =>
    tx.run(sql`
      update articles
      set status = 'draft', published_revision_id = null, published_at = null
      where bucket = ${bucketOf(draft.id)} and id = ${draft.id}`),
  );
});

test('a revocation that is taken back is found', async () => {
  const signer = await aSigner(server);
  await revoke(server, signer, signer.keyId);
  await untilLogged('key.revoked', signer.keyId);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update signing_keys
      set revoked_at = null
      where bucket = ${bucketOf(signer.id)} and id = ${signer.keyId}`),
  );
  const { code, findings } = await audit();
  await server.db.transaction((tx) =>
    tx.run(sql`
      update signing_keys
      set revoked_at = now()
      where bucket = ${bucketOf(signer.id)} and id = ${signer.keyId}`),
  );
  assert.equal(code, 3);
  assert.deepEqual([findings[0]?.kind, findings[0]?.id], ['different', signer.keyId]);
});

test('a log that is written again, and signed with its own key, is a fork for every reader', async () => {
  const article = await server.published(await server.register());
  const leaf = await leafOf(article);
  assert.equal((await audit(60)).code, 0);
  assert.equal((await other.run('log checkpoint')).code, 0);
  const received = await rewriteLog(server, String(described.verifier_key), (entries) => {
    const members = JSON.parse(Buffer.from(entries[leaf] ?? []).toString()) as object;
    const forged = { ...members, published_at: '2020-01-01T00:00:00.000Z' };
    entries[leaf] = new Uint8Array(Buffer.from(JSON.stringify(forged)));
  });
  const report = await audit();
  assert.equal(report.code, 3);
  assert.equal(report.evidence?.received, received);
  assert.deepEqual(
    report.findings.map(({ kind, leaf: at }) => [kind, at]),
    [
      ['forked', null],
      ['forked', leaf],
    ],
  );
  // The old checkpoint alone shows it, without a mirror.
  const { code, out } = await other.run('log checkpoint --json');
  assert.equal(code, 3);
  assert.equal(JSON.parse(out).findings[0].kind, 'forked');
});
