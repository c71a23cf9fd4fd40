// Programs without types: every failure says what to pass instead, in a sentence of the client and before a request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as sdk from '@colophon/sdk';
import { json, startScript } from './scripted-server.ts';

const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
const wrong: readonly unknown[] = [undefined, null, '', 5, {}, []];

// Whatever a program without types passes.
type Loose = (...args: readonly unknown[]) => unknown;
const loose = sdk as unknown as Readonly<Record<string, Loose>>;

/** A sentence of the platform says which line of the client failed, and nothing about what to pass. */
const ofPlatform = /Cannot |undefined|is not a function|iterable|destructure|circular|BigInt/;

async function failureOf(call: () => unknown): Promise<Error & { readonly code?: unknown }> {
  try {
    await call();
  } catch (error) {
    return error as Error;
  }
  return new Error('There was no failure.');
}

async function checkFailure(name: string, call: () => unknown): Promise<string> {
  const error = await failureOf(call);
  assert.ok(error instanceof TypeError, `${name}: ${error}`);
  assert.doesNotMatch(error.message, ofPlatform, name);
  assert.equal(
    (error as { readonly code?: unknown }).code,
    'ERR_INVALID_INPUT',
    `${name}: ${error}`,
  );
  return error.message;
}

/** They take anything, or nothing. An error is made by the client alone. */
const takesAll = new Set([
  'createCheckpointMemory',
  'createSecretKey',
  'isLogFault',
  'isProblem',
  'ProblemError',
]);

test('each exported function says what to pass, whatever it was called with', async () => {
  for (const [name, call] of Object.entries(loose)) {
    if (takesAll.has(name)) continue;
    for (const value of wrong) {
      const said = `${name}(${JSON.stringify(value)})`;
      // What is not a proof is refused, which is an answer.
      if (name === 'verifyProof')
        assert.equal((await sdk.verifyProof(value)).result, 'refused', said);
      else
        assert.match(await checkFailure(said, () => call(value)), /require|must be|32 bytes/, said);
    }
  }
});

test('createClient names the option that is wrong, and what it must be', async () => {
  const baseUrl = 'https://colophon.example';
  for (const [options, said] of [
    [undefined, /^createClient requires one object with baseUrl/],
    [baseUrl, /^createClient requires one object with baseUrl/],
    [{ token: 'x' }, /^createClient requires baseUrl, the address of the service/],
    [{ baseUrl: 'colophon' }, /^baseUrl must be an address such as/],
    [{ baseUrl: 'https://ada@colophon.example' }, /without a user name and a password\.$/],
    [{ baseUrl: 'https://:secret@colophon.example' }, /without a user name and a password\.$/],
    [{ baseUrl, token: null }, /^token must be a string; leave it out/],
    [{ baseUrl, token: 'Bearer abc' }, /^token must be the token alone/],
    [{ baseUrl, fetch: 'x' }, /^fetch must be a function/],
    [{ baseUrl, retry: 3 }, /^retry must be an object/],
    [{ baseUrl, retry: { attempts: '3' } }, /^retry\.attempts must be a number/],
    [{ baseUrl, retry: { timeoutMs: Number.NaN } }, /^retry\.timeoutMs must be a number/],
    [{ baseUrl, signal: {} }, /^signal must be an AbortSignal/],
  ] as const)
    assert.match(await checkFailure(String(said), () => loose['createClient']?.(options)), said);
});

test('a call with wrong arguments sends nothing and says what it takes', async () => {
  await using server = await startScript(json(200, {}));
  const client = sdk.createClient({ baseUrl: server.baseUrl });
  const methods = client as unknown as Readonly<Record<string, Loose>>;
  const call =
    (name: string, ...args: readonly unknown[]) =>
    () =>
      methods[name]?.(...args);
  const self: Record<string, unknown> = {};
  self['self'] = self;
  const text = { title: 'T', content: 'C' };
  for (const [tried, said] of [
    [call('readArticle'), /^readArticle requires id/],
    [call('readArticle', null), /^readArticle takes one object/],
    [call('readArticle', [id]), /^readArticle takes one object/],
    [call('readArticle', { id, colour: 1 }), /has no member colour\. It takes id, view\.$/],
    [call('readArticle', { id }, null), /^readArticle takes its options as one object/],
    [call('readArticle', { id }, 'x'), /^readArticle takes its options as one object/],
    [call('readArticle', { id }, { signal: 'x' }), /^signal must be an AbortSignal/],
    [call('createArticle', { ...text, metadata: self }), /cannot be written as JSON/],
    [call('createArticle', { ...text, metadata: { a: 1n } }), /cannot be written as JSON/],
    // Left out, the change would be made whatever the newest revision is.
    [call('updateArticle', { id, if_match: 5 }), /^if_match must be a string/],
    [call('updateArticle', { id, if_match: null }), /^if_match must be a string/],
    [() => (client.each.listArticles as Loose)('ada'), /^listArticles takes one object/],
    [() => (client.each.listArticles as Loose)(null), /^listArticles takes one object/],
    [call('events', 'x'), /^events takes its options as one object/],
    [call('events', { types: 'comment.created' }), /^types must be an array/],
    [call('events', { wait: 'long' }), /^wait must be a number of seconds/],
  ] as const) {
    const first = async () => {
      const made = (await tried()) as Partial<AsyncIterator<unknown>> | undefined;
      await made?.next?.();
    };
    assert.match(await checkFailure(String(said), first), said);
  }
  assert.equal(server.seen.length, 0);
});

test('functions that take a client say which of their arguments is wrong', async () => {
  await using server = await startScript(json(200, {}));
  const client = sdk.createClient({ baseUrl: server.baseUrl });
  const signer = await sdk.signerOf(sdk.createSecretKey());
  const draft = { id, revision_id: id, signing_input: 'x' };
  const call =
    (name: string, ...args: readonly unknown[]) =>
    () =>
      loose[name]?.(...args);
  for (const [tried, said] of [
    [call('uploadFile', client), /^uploadFile requires one object with content/],
    [call('uploadFile', client, { content: new Uint8Array(1) }), /^uploadFile requires kind/],
    [call('uploadFile', client, { kind: 'image' }), /^content must be a Blob/],
    [call('uploadFile', client, { kind: 'image', content: 'x' }), /^content must be a Blob/],
    [call('registerSigningKey', client), /^registerSigningKey requires one object/],
    [call('registerSigningKey', client, { id }), /^registerSigningKey requires a signer/],
    [call('registerSigningKey', client, { signer }), /^registerSigningKey requires id/],
    [call('signRevision', signer), /^signRevision requires the answer of createArticle/],
    [call('signRevision', signer, {}), /^This is not the signing_input of a revision/],
    [call('signRevision', 'secret', draft), /^signRevision requires a signer/],
    [call('publishSigned', client, { signer, draft }), /requires signature_key_id/],
    [call('publishSigned', client, { signer, signature_key_id: id }), /requires one object/],
    [call('readKeyHistory', client), /^readKeyHistory requires one object/],
    [call('createLogClient', { url: server.baseUrl }), /^createLogClient requires verifierKey/],
    [call('verifyCheckpoint', 'note'), /^verifyCheckpoint requires a note and the log/],
  ] as const)
    assert.match(await checkFailure(String(said), tried), said);
  assert.equal(server.seen.length, 0);
});
