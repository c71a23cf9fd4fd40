// uploadFile: what is sent, what it reports, and what happens when an answer is lost.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createClient, isProblem, uploadFile } from '@colophon/sdk';
import type { FileContent, UploadProgress } from '@colophon/sdk';
import { cut, json, refuse, startScript } from './scripted-server.ts';
import type { ScriptedServer } from './scripted-server.ts';

const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
const bytes = new Uint8Array(300_000).fill(65);
const checksum_sha256 = createHash('sha256').update(bytes).digest('hex');
const pending = json(201, { id, status: 'pending' });
const ready = json(200, { id, status: 'ready', checksum_sha256 });

const clientOf = (server: ScriptedServer) =>
  createClient({ baseUrl: server.baseUrl, retry: { baseMs: 1, capMs: 2 } });

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000);
}

const contents: Readonly<Record<string, () => FileContent>> = {
  bytes: () => bytes,
  'a Blob': () => new Blob([bytes]),
  'a stream': () => new Blob([bytes]).stream(),
  'an iterator': pieces,
};

for (const [name, content] of Object.entries(contents))
  test(`${name}: sent with its exact length, and progress to its end`, async () => {
    await using server = await startScript(pending, ready);
    const seen: UploadProgress[] = [];
    const file = { content: content(), kind: 'image', alt_text: 'A' } as const;
    const media = await uploadFile(clientOf(server), file, {
      onProgress: (progress) => seen.push(progress),
    });
    assert.equal(media.status, 'ready');
    const [reserved, sent] = server.seen;
    assert.deepEqual(JSON.parse(reserved?.body ?? ''), { kind: 'image', alt_text: 'A' });
    assert.equal(sent?.headers['content-length'], String(bytes.length));
    assert.equal(sent.headers['transfer-encoding'], undefined);
    assert.equal(sent.body.length, bytes.length);
    assert.deepEqual(seen[0], { sent: 0, total: bytes.length });
    assert.deepEqual(seen.at(-1), { sent: bytes.length, total: bytes.length });
    assert.ok(seen.length > 3);
    assert.ok(seen.every(({ sent: now }, at) => now >= (seen[at - 1]?.sent ?? 0)));
  });

test('the kind is that of the Blob; without one nothing is sent', async () => {
  await using server = await startScript(pending, ready);
  await uploadFile(clientOf(server), { content: new Blob([bytes], { type: 'application/pdf' }) });
  assert.deepEqual(JSON.parse(server.seen[0]?.body ?? ''), { kind: 'document' });
  await assert.rejects(uploadFile(clientOf(server), { content: bytes }), /requires kind/);
  assert.equal(server.seen.length, 2);
});

test('a file that is empty or too large is refused before anything is sent', async () => {
  await using server = await startScript(pending, ready);
  const client = clientOf(server);
  let read = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      read += 1;
      yield new Uint8Array(1 << 20);
    }
  }
  const kind = 'video';
  await assert.rejects(uploadFile(client, { content: new Uint8Array(), kind }), /is empty/);
  await assert.rejects(uploadFile(client, { content: endless(), kind }), /larger than 52428800/);
  assert.equal(read, 51);
  assert.equal(server.seen.length, 0);
});

const silent = (onCancel: () => void): Readonly<Record<string, () => FileContent>> => ({
  'a stream': () => new ReadableStream({ pull: () => new Promise(() => {}), cancel: onCancel }),
  'an iterator': () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<IteratorResult<Uint8Array>>(() => {}),
      return: async () => {
        onCancel();
        return { done: true, value: undefined } as const;
      },
    }),
  }),
});

for (const name of ['a stream', 'an iterator'])
  test(`an abort ends the wait for ${name} that gives nothing, and tells it to stop`, async () => {
    await using server = await startScript(pending, ready);
    let stopped = 0;
    const content = silent(() => (stopped += 1))[name]?.() as FileContent;
    const ending = new AbortController();
    const upload = uploadFile(
      clientOf(server),
      { content, kind: 'video' },
      { signal: ending.signal },
    );
    setImmediate(() => ending.abort(new Error('enough')));
    await assert.rejects(upload, /^Error: enough$/);
    assert.deepEqual([stopped, server.seen.length], [1, 0]);
  });

test('a source of texts is refused: its bytes would be other ones', async () => {
  await using server = await startScript(pending, ready);
  async function* texts(): AsyncGenerator<string> {
    yield 'text';
  }
  for (const content of [texts(), 'text'] as unknown as FileContent[])
    await assert.rejects(uploadFile(clientOf(server), { content, kind: 'image' }), TypeError);
  assert.equal(server.seen.length, 0);
});

test('after a lost answer the bytes are sent again only if they did not arrive', async () => {
  await using arrived = await startScript(pending, cut, ready);
  const kind = 'image';
  await uploadFile(clientOf(arrived), { content: bytes, kind });
  assert.deepEqual(
    arrived.seen.map(({ method }) => method),
    ['POST', 'PUT', 'GET'],
  );
  await using lost = await startScript(pending, cut, json(200, { id, status: 'pending' }), ready);
  assert.equal((await uploadFile(clientOf(lost), { content: bytes, kind })).status, 'ready');
  assert.deepEqual(
    lost.seen.map(({ method }) => method),
    ['POST', 'PUT', 'GET', 'PUT'],
  );
});

test('a record with other bytes is a conflict', async () => {
  const other = json(200, { id, status: 'ready', checksum_sha256: 'other' });
  await using server = await startScript(pending, refuse('conflict'), other);
  await assert.rejects(uploadFile(clientOf(server), { content: bytes, kind: 'image' }), (error) =>
    isProblem(error, 'conflict'),
  );
});
