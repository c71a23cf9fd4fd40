// POST /v1/articles/{id}/publish over HTTP, signed: accepted forms, the response, and every refusal.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bucketOf, newId } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertFault } from '#test/problem-checks';
import {
  anotherKey,
  aSigner,
  publish,
  revise,
  revoke,
  signatureOf,
  signedArticle,
} from '#test/signed-articles';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = async (id: string): Promise<Response['body']> =>
  (await server.ask('GET', `/v1/articles/${id}`)).body;
const listIds = async (query: string): Promise<readonly string[]> => {
  const { body } = await server.ask('GET', `/v1/articles?${query}`);
  return (body.items as readonly { id: string }[]).map(({ id }) => id);
};

test('200 signed, and article, lists and revisions show the signature with its key', async () => {
  const signer = await aSigner(server);
  const made = await signedArticle(server, signer);
  assert.equal(made.signed, true);
  const signature = {
    key_id: signer.keyId,
    signature: made.signature,
    public_key: signer.pair.publicKey.toString('base64url'),
    key_status: 'active',
  };
  const revisions = `/v1/articles/${made.id}/revisions`;
  const shown = [
    await read(made.id),
    (await server.ask('GET', `/v1/articles?author=${signer.id}`)).body.items[0],
    (await server.ask('GET', revisions)).body.items[0],
    (await server.ask('GET', `${revisions}/${made.revision_id}`)).body,
  ];
  for (const one of shown) assert.deepEqual(one.signature, signature);
  assert.equal(shown[0].signing_input, made.signing_input);
});

test('200 for every spelling that an encoder writes; it is shown in one', async () => {
  const signer = await aSigner(server);
  for (const spell of [
    (bytes: Buffer) => bytes.toString('base64url'),
    (bytes: Buffer) => `${bytes.toString('base64url')}==`,
    (bytes: Buffer) => bytes.toString('base64'),
    (bytes: Buffer) => bytes.toString('base64').replaceAll('=', ''),
  ]) {
    const { id, signing_input } = await server.draft(signer);
    const bytes = signer.pair.sign(signing_input);
    const body = { signature: spell(bytes), signature_key_id: signer.keyId };
    assert.equal((await publish(server, signer, id, { body })).body.signed, true);
    assert.equal((await read(id)).signature.signature, bytes.toString('base64url'));
  }
});

test('200 unsigned once more: the revision keeps its signature; a newer one has its own or none', async () => {
  const signer = await aSigner(server);
  const first = await signedArticle(server, signer);
  const again = await publish(server, signer, first.id, { body: {} });
  assert.equal(again.body.signed, true);
  assert.equal((await read(first.id)).signature.signature, first.signature);

  const second = await revise(server, signer, first, 'newer');
  assert.equal((await publish(server, signer, first.id, { body: {} })).body.signed, false);
  assert.equal((await read(first.id)).signature, null);
  assert.deepEqual(await listIds(`author=${signer.id}&signed=true`), []);

  const third = { ...second, ...signatureOf(signer, second.signing_input) };
  const body = { signature: third.signature, signature_key_id: third.signature_key_id };
  assert.equal((await publish(server, signer, first.id, { body })).body.signed, true);
  assert.equal((await read(first.id)).signature.signature, third.signature);

  const back = { revision_id: first.revision_id };
  assert.equal((await publish(server, signer, first.id, { body: back })).body.signed, true);
  assert.equal((await read(first.id)).signature.signature, first.signature);
});

test('200 with another key: the revision is signed by that one from now on', async () => {
  const signer = await aSigner(server);
  const made = await signedArticle(server, signer);
  await revoke(server, signer, signer.keyId);
  assert.equal((await read(made.id)).signature.key_status, 'revoked');
  const other = await anotherKey(server, signer);
  const body = signatureOf(other, made.signing_input);
  assert.equal((await publish(server, signer, made.id, { body })).status, 200);
  const { signature } = await read(made.id);
  assert.equal(signature.key_id, other.keyId);
  assert.equal(signature.key_status, 'active');
});

test('200 with lists filtered by signed', async () => {
  const signer = await aSigner(server);
  const signed = await signedArticle(server, signer);
  const plain = await server.published(signer);
  assert.deepEqual(await listIds(`author=${signer.id}&signed=true`), [signed.id]);
  assert.deepEqual(await listIds(`author=${signer.id}&signed=false`), [plain.id]);
  assert.ok((await listIds('signed=true')).includes(signed.id));
});

test('200 with dry_run: the signature is checked and not kept', async () => {
  const signer = await aSigner(server);
  const draft = await server.draft(signer);
  const path = `/v1/articles/${draft.id}/publish?dry_run=true`;
  const asked = { token: signer.token, key: true as const };
  const good = signatureOf(signer, draft.signing_input);
  const tried = await server.ask('POST', path, { ...asked, body: good });
  assert.equal(tried.body.signed, true);
  const bad = signatureOf(signer, `${draft.signing_input}\n`);
  assertFault(await server.ask('POST', path, { ...asked, body: bad }), '/signature', 'signature');
  assert.equal((await publish(server, signer, draft.id, { body: {} })).body.signed, false);
});

test('200 replayed: the same bytes, though the key was revoked meanwhile', async () => {
  const signer = await aSigner(server);
  const { id, signing_input } = await server.draft(signer);
  const asked = { key: 'the-same-key', body: signatureOf(signer, signing_input) };
  const first = await publish(server, signer, id, asked);
  await revoke(server, signer, signer.keyId);
  const again = await publish(server, signer, id, asked);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, first.body);
});

test('200 and a tag that changes when the key is revoked', async () => {
  const signer = await aSigner(server);
  const { id, revision_id } = await signedArticle(server, signer);
  for (const path of [`/v1/articles/${id}`, `/v1/articles/${id}/revisions/${revision_id}`]) {
    const fresh = await aSigner(server);
    const made = await signedArticle(server, fresh);
    const own = path.replace(id, made.id).replace(revision_id, made.revision_id);
    const before = (await server.ask('GET', own)).headers.get('etag') ?? '';
    const asked = { headers: { 'if-none-match': before } };
    assert.equal((await server.ask('GET', own, asked)).status, 304);
    await revoke(server, fresh, fresh.keyId);
    const after304 = await server.ask('GET', own, asked);
    assert.equal(after304.status, 200);
    assert.equal(after304.body.signature.key_status, 'revoked');
  }
});

interface Case {
  readonly name: string;
  readonly pointer: string;
  readonly code: string;
  readonly body: (scenario: Scenario) => Promise<Readonly<Record<string, unknown>>>;
}

interface Scenario {
  readonly signer: Awaited<ReturnType<typeof aSigner>>;
  readonly draft: Response['body'];
}

const faultAt = (pointer: string, code: string) => ({ pointer, code });
const cases: readonly Case[] = [
  {
    name: 'a key that is not there',
    ...faultAt('/signature_key_id', 'unknown'),
    body: async ({ signer, draft }) => ({
      ...signatureOf(signer, draft.signing_input),
      signature_key_id: newId(bucketOf(signer.id)),
    }),
  },
  {
    name: 'a key of another agent, of the same owner too',
    ...faultAt('/signature_key_id', 'not-yours'),
    body: async ({ signer, draft }) =>
      signatureOf(await aSigner(server, signer.owner), draft.signing_input),
  },
  {
    name: 'a revoked key',
    ...faultAt('/signature_key_id', 'revoked'),
    body: async ({ signer, draft }) => {
      const other = await anotherKey(server, signer);
      await revoke(server, signer, other.keyId);
      return signatureOf(other, draft.signing_input);
    },
  },
  {
    name: 'a signature by another key of the agent',
    ...faultAt('/signature', 'signature'),
    body: async ({ signer, draft }) => {
      const { pair } = await anotherKey(server, signer);
      return signatureOf({ pair, keyId: signer.keyId }, draft.signing_input);
    },
  },
  {
    name: 'a signature over another revision',
    ...faultAt('/signature', 'signature'),
    body: async ({ signer }) =>
      signatureOf(signer, (await server.draft(signer)).signing_input as string),
  },
  {
    name: 'a signature over the input with a line feed at its end',
    ...faultAt('/signature', 'signature'),
    body: async ({ signer, draft }) => signatureOf(signer, `${draft.signing_input}\n`),
  },
  {
    name: 'the twin of a signature, with S above the group order',
    ...faultAt('/signature', 'signature'),
    body: async ({ signer, draft }) => {
      const bytes = signer.pair.sign(draft.signing_input);
      const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
      const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
      const twin = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
      const signature = Buffer.concat([bytes.subarray(0, 32), twin]).toString('base64url');
      return { signature, signature_key_id: signer.keyId };
    },
  },
  ...(
    [
      ['63 bytes', (bytes: Buffer) => `${bytes.subarray(1).toString('base64url')}`],
      ['65 bytes', (bytes: Buffer) => Buffer.concat([bytes, bytes]).toString('base64url', 0, 65)],
      ['both alphabets', (bytes: Buffer) => `-+${bytes.toString('base64url').slice(2)}`],
      ['half the padding', (bytes: Buffer) => `${bytes.toString('base64')}`.slice(0, -1)],
      ['a blank', (bytes: Buffer) => ` ${bytes.toString('base64url')}`],
      ['bits at the end', (bytes: Buffer) => `${bytes.toString('base64url').slice(0, -1)}B`],
      ['hexadecimal', (bytes: Buffer) => bytes.toString('hex').slice(0, 100)],
    ] as const
  ).map(([name, spell]) => ({
    name: `a signature spelled with ${name}`,
    ...faultAt('/signature', 'format'),
    body: async ({ signer, draft }: Scenario) => ({
      signature: spell(signer.pair.sign(draft.signing_input)),
      signature_key_id: signer.keyId,
    }),
  })),
];

for (const { name, pointer, code, body } of cases) {
  test(`422 validation-failed, ${code}: ${name}`, async () => {
    const signer = await aSigner(server);
    const draft = await server.draft(signer);
    const refused = await publish(server, signer, draft.id, {
      body: await body({ signer, draft }),
    });
    assertFault(refused, pointer, code);
    assert.equal(
      refused.body.signing_input,
      code === 'signature' ? draft.signing_input : undefined,
    );
    assertProblem(await server.ask('GET', `/v1/articles/${draft.id}`), 'not-found');
  });
}

test('422 validation-failed: the newest revision is another one than was signed', async () => {
  const signer = await aSigner(server);
  const draft = await server.draft(signer);
  const newer = await revise(server, signer, draft, 'newer');
  const body = signatureOf(signer, draft.signing_input);
  const refused = await publish(server, signer, draft.id, { body });
  assertFault(refused, '/signature', 'signature');
  assert.equal(refused.body.signing_input, newer.signing_input);
  const named = { ...body, revision_id: draft.revision_id };
  assert.equal((await publish(server, signer, draft.id, { body: named })).status, 200);
});

test('422 validation-failed: an unknown revision and an unknown key, both at once', async () => {
  const signer = await aSigner(server);
  const { id, signing_input } = await server.draft(signer);
  const unknown = { revision_id: newId(1), signature_key_id: newId(1) };
  const body = { ...signatureOf(signer, signing_input), ...unknown };
  const refused = await publish(server, signer, id, { body });
  assertFault(refused, '/revision_id', 'unknown');
  assertFault(refused, '/signature_key_id', 'unknown');
});

test('422 validation-failed: a person has no keys', async () => {
  const signer = await aSigner(server);
  const draft = await server.draft(signer.owner);
  const body = signatureOf(signer, draft.signing_input);
  const refused = await publish(server, signer.owner, draft.id, { body });
  assertFault(refused, '/signature_key_id', 'not-yours');
});

test('403 and 404 before anything is said of a signature', async () => {
  const signer = await aSigner(server);
  const strangers: readonly Human[] = [signer.owner, await storeAgent(server, signer.owner)];
  const made = await signedArticle(server, signer);
  const draft = await server.draft(signer);
  const body = signatureOf(signer, draft.signing_input);
  for (const stranger of strangers)
    assertProblem(await publish(server, stranger, made.id, { body }), 'forbidden');
  for (const id of [draft.id, newId(2), 'nonsense']) {
    assertProblem(await publish(server, await server.register(), id, { body }), 'not-found');
  }
});
