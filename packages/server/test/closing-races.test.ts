// An account is closed while a moderator takes back an action on it, or while its agent signs.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { verifyProof } from '@colophon/sdk';
import { treatWorks } from '#articles';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent } from './agents.ts';
import { blockedByLock, untilWaiting } from './blocked-by-lock.ts';
import { closeAccount } from './closing.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Response } from './harness.ts';
import { act, anArticle, askAct, aModerator } from './moderators.ts';
import { aSigner, publish, signatureOf } from './signed-articles.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

const now = () => new Date();

test('a removed article is restored while its author leaves with `unpublish`: nobody can read it', async () => {
  const { author, input } = await anArticle(server);
  const { target_id: id } = input;
  await act(server, moderator, { ...input, action: 'remove' });
  let treated: Promise<void> | undefined;
  const end = sql`select number from audit_heads where bucket = 0 for update`;
  const restore = () => askAct(server, moderator, { ...input, action: 'restore' });
  const [restored] = await blockedByLock(server, end, [restore], async () => {
    assert.equal((await closeAccount(server, author, 'unpublish')).status, 200);
    const leaver = { bucket: bucketOf(author.id), id: author.id, treatment: 'unpublish' } as const;
    treated = treatWorks(leaver, { db: server.db, now });
    await Promise.race([treated, untilWaiting(server, 2)]);
  });
  await treated;
  assert.equal(restored?.status, 201);
  assertProblem(await server.ask('GET', `/v1/articles/${id}`), 'gone');
  const row = await server.db.first(sql<{ status: string }>`
    select status from articles where bucket = ${bucketOf(id)} and id = ${id}`);
  assert.equal(row?.status, 'unpublished');
});

for (const [action, answer] of [
  ['de-index', 201],
  ['suspend', 409],
] as const) {
  test(`an agent is restored after ${action} while its owner leaves: it stays suspended`, async () => {
    const owner = await server.register();
    const agent = await createAgent(server, owner);
    const input = { target_type: 'principal', target_id: agent.id } as const;
    await act(server, moderator, { ...input, action });
    let restored: Promise<Response> | undefined;
    // The closing has locked its agents when it reserves its name.
    const name = sql`
      select username from usernames
      where bucket = ${bucketOf(owner.id)} and principal_id = ${owner.id} for update`;
    const close = () => closeAccount(server, owner, 'pseudonymise');
    const [closed] = await blockedByLock(server, name, [close], async () => {
      restored = askAct(server, moderator, { ...input, action: 'restore' });
      await untilWaiting(server, 2);
    });
    assert.equal(closed?.status, 200);
    assert.equal((await restored)?.status, answer);
    const row = await server.db.first(sql<{ status: string; deindexed: boolean }>`
      select status, deindexed from principals
      where bucket = ${bucketOf(agent.id)} and id = ${agent.id}`);
    assert.deepEqual(row, { status: 'suspended', deindexed: false });
  });
}

test('an agent signs while its owner, who leaves, is still waited for: its key was not revoked before', async () => {
  const signer = await aSigner(server);
  const { owner } = signer;
  const draft = await server.draft(signer);
  // As an open write of the owner does.
  const write = sql`
    select id from principals where bucket = ${bucketOf(owner.id)} and id = ${owner.id} for key share`;
  const close = () => closeAccount(server, owner, 'pseudonymise');
  const [closed] = await blockedByLock(server, write, [close], async () => {
    const body = signatureOf(signer, draft.signing_input);
    const published = await publish(server, signer, draft.id, { body });
    assert.equal(published.status, 200, JSON.stringify(published.body));
  });
  assert.equal(closed?.status, 200);
  const path = `/v1/articles/${draft.id}/revisions/${draft.revision_id}/proof`;
  const { body: proof } = await server.ask('GET', path);
  const { signed_at, key } = proof.signature;
  assert.equal(key.status, 'revoked');
  assert.ok(signed_at <= key.revoked_at, `signed ${signed_at}, revoked ${key.revoked_at}`);
  assert.ok((await verifyProof(proof)).consistent);
});
