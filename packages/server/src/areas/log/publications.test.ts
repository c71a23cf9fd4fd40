// What the log says of publications: once for each, in order, with a proof that verifies offline.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '#test/harness';
import { aSigner, publish, revise, signatureOf, signedArticle } from '#test/signed-articles';
import { describedLog, logUntil, provenLog, readLog } from '#test/transparency-log';

type Entries = readonly Awaited<ReturnType<typeof readLog>>['entries'][number][];

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('a publication is in the log, and its proof verifies offline', async () => {
  const signer = await aSigner(server);
  const made = await signedArticle(server, signer);
  const { said, proof, origin } = await provenLog(server, made.id, made.revision_id);
  assert.equal(origin, `${new URL(server.baseUrl).host}/log`);
  const { commitment, ...members } = said;
  assert.match(String(commitment), /^[0-9a-f]{64}$/);
  assert.deepEqual(members, {
    kind: 'publication',
    v: 1,
    at: proof.signature.signed_at,
    article: made.id,
    revision: made.revision_id,
    author: signer.id,
    owner: signer.owner.id,
    published_at: proof.published_at,
    signed: true,
    key: signer.keyId,
  });
});

test('keys are in the log: registered, revoked, compromised, and compromised earlier', async () => {
  const signer = await aSigner(server);
  const path = `/v1/agents/${signer.id}/keys/${signer.keyId}`;
  for (const at of [
    '',
    '?compromised_at=2026-02-01T00:00:00.000Z',
    '?compromised_at=2026-01-01T00:00:00.000Z',
  ])
    assert.equal((await server.ask('DELETE', path + at, { token: signer.token })).status, 204);
  const kinds = (entries: readonly { readonly kind: string }[]) =>
    entries.filter((entry) => (entry as { key?: string }).key === signer.keyId);
  const { entries } = await logUntil(server, 'the key', (all) => kinds(all).length >= 4);
  const found = kinds(entries).map(({ kind, ...entry }) => [
    kind,
    (entry as { compromised_at?: string }).compromised_at,
  ]);
  const byText = found.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
  assert.deepEqual(byText, [
    ['key.compromised', '2026-01-01T00:00:00.000Z'],
    ['key.compromised', '2026-02-01T00:00:00.000Z'],
    ['key.registered', undefined],
    ['key.revoked', undefined],
  ]);
});

test('a revision that is signed later has a second leaf, and its proof is for the signature', async () => {
  const signer = await aSigner(server);
  const draft = await server.draft(signer);
  await publish(server, signer, draft.id, { body: {} });
  const unsigned = await provenLog(server, draft.id, draft.revision_id);
  assert.equal(unsigned.said['signed'], false);
  await publish(server, signer, draft.id, { body: signatureOf(signer, draft.signing_input) });
  const signed = await provenLog(server, draft.id, draft.revision_id);
  assert.equal(signed.said['signed'], true);
  assert.notEqual(signed.index, unsigned.index);
});

test('each publication has one leaf, however often the same one is requested and its article is changed', async () => {
  const human = await server.register();
  const first = await server.published(human);
  const { token } = human;
  let newest = first;
  for (const content of ['second', 'third']) {
    newest = await revise(server, human, newest, content);
    await publish(server, human, first.id, { body: {} });
    await publish(server, human, first.id, { body: {} });
  }
  await publish(server, human, first.id, { body: { revision_id: first.revision_id } });
  await server.ask('PATCH', `/v1/articles/${first.id}`, { token, body: { language: 'de' } });
  const of = (all: Entries) => all.filter(({ article }) => article === first.id);
  await logUntil(server, 'all leaves', (all) => of(all).length >= 4);
  // Time for those that are too many: other messages of the same moment may be handled after these.
  for (let n = 0; n < 2; n += 1) {
    const last = await server.published(human);
    await provenLog(server, last.id, last.revision_id);
  }
  const { entries } = await readLog(server);
  // Several workers collect at once, so the order of the leaves is not always that of the times.
  const own = of(entries).toSorted((one, other) => (one.at < other.at ? -1 : 1));
  assert.deepEqual(
    own.map(({ kind }) => kind),
    ['publication', 'publication', 'publication', 'publication'],
  );
  const times = own.slice(0, 3).map((entry) => String(entry['published_at']));
  assert.deepEqual(times, times.toSorted());
  assert.equal(own[3]?.['revision'], first.revision_id, 'published again');
});

test('unlisted and private articles are not in the log; a public one that becomes so is withdrawn', async () => {
  const human = await server.register();
  const { token } = human;
  const set = (id: string, visibility: string) =>
    server.ask('PATCH', `/v1/articles/${id}`, { token, body: { visibility } });
  const [unlisted, secret, shown] = [
    await server.published(human, { visibility: 'unlisted' }),
    await server.published(human, { visibility: 'private' }),
    await server.published(human),
  ];
  await provenLog(server, shown.id, shown.revision_id);
  await set(shown.id, 'unlisted');
  const of = (all: readonly { readonly kind: string }[]) =>
    all.filter((entry) => (entry as { article?: string }).article === shown.id);
  await logUntil(server, 'the withdrawal', (all) => of(all).length === 2);
  await set(shown.id, 'public');
  const { entries } = await logUntil(server, 'the return', (all) => of(all).length === 3);
  assert.deepEqual(
    of(entries).map(({ kind }) => kind),
    ['publication', 'article.withdrawn', 'article.shown'],
  );
  const text = JSON.stringify(entries);
  for (const { id } of [unlisted, secret]) assert.ok(!text.includes(id));
  await set(unlisted.id, 'public');
  const { said } = await provenLog(server, unlisted.id, unlisted.revision_id);
  assert.equal(said.kind, 'publication');
});

test('200 meta names the log, its address and its key', async () => {
  const log = await describedLog(server);
  const { host } = new URL(server.baseUrl);
  assert.match(log.verifier_key, new RegExp(`^${host}/log\\+[0-9a-f]{8}\\+[A-Za-z0-9+/=]{44}$`));
  const { verifier_key: _, ...rest } = log;
  assert.deepEqual(rest, {
    origin: `${host}/log`,
    url: `${server.baseUrl}/log`,
    previous_verifier_key: null,
    witnesses: [],
    witness_key: null,
  });
});
