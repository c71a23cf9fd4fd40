// The client of the log against files that are not those of the tree: each is found and named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCheckpointMemory, createLogClient, isLogFault } from '@colophon/sdk';
import type { LogClient, LogFault } from '@colophon/sdk';
import { makeNoteKey, openLogFolder, serveFolder } from '../../tlog/test/log-folder.ts';

const key = makeNoteKey('log.example/log', 1);
const trusted = { verifierKey: key.text };
const size = 600;
const entriesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => Buffer.from(`{"leaf":${from + index}}`));

async function faultOf(work: Promise<unknown>): Promise<LogFault> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isLogFault(error), String(error));
  return error;
}

async function allOf(source: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<string[]> {
  const entries: string[] = [];
  for await (const { bytes } of source) entries.push(Buffer.from(bytes).toString());
  return entries;
}

/** One file is not the one of the tree. */
const files: readonly (readonly [
  string,
  string,
  (bytes: Buffer) => Uint8Array,
  Partial<LogFault>,
])[] = [
  [
    'a changed entry',
    'tile/entries/001',
    (bytes) => Buffer.from(bytes.toString('latin1').replace('"leaf":300', '"leaf":301'), 'latin1'),
    { reason: 'entry', leaf: 300 },
  ],
  [
    'a bundle cut short',
    'tile/entries/000',
    (bytes) => bytes.subarray(0, -20),
    { reason: 'entry' },
  ],
  ['an empty bundle', 'tile/entries/000', () => Buffer.of(), { reason: 'entry', leaf: 0 }],
  [
    'a changed hash of a leaf',
    'tile/0/001',
    (bytes) => bytes.fill(1, 0, 32),
    { reason: 'tile', path: 'tile/0/001' },
  ],
  [
    'a tile cut short',
    'tile/0/000',
    (bytes) => bytes.subarray(0, -32),
    { reason: 'tile', path: 'tile/0/000' },
  ],
  [
    'a partial tile cut short',
    'tile/0/002.p/88',
    (bytes) => bytes.subarray(0, -1),
    { reason: 'tile', path: 'tile/0/002.p/88' },
  ],
  [
    'a tile that is too long',
    'tile/0/000',
    (bytes) => Buffer.concat([bytes, bytes]),
    { reason: 'tile', path: 'tile/0/000' },
  ],
  [
    'a changed tile above',
    'tile/1/000.p/2',
    (bytes) => bytes.fill(1, 0, 32),
    { reason: 'tile', path: 'tile/1/000.p/2' },
  ],
];

for (const [title, path, change, expected] of files)
  test(`${title} is found and named`, async () => {
    await using forger = await openLogFolder();
    await using mirror = await serveFolder(forger.folder);
    await forger.publish(entriesOf(size), [key]);
    await forger.change(path, change);
    const client = createLogClient({ ...trusted, url: mirror.url });
    const checkpoint = await client.readCheckpoint();
    const { reason, leaf, path: place } = await faultOf(allOf(client.entries(checkpoint)));
    const found = { reason, leaf, path: place };
    assert.deepEqual({ ...found, ...expected }, found);
  });

test('once a file has failed for good, the others that are needed with it are not asked for any more', async () => {
  await using forger = await openLogFolder();
  await using mirror = await serveFolder(forger.folder);
  const older = await forger.publish(entriesOf(300), [key]);
  await forger.publish(entriesOf(size - 300, 300), [key]);
  const memory = createCheckpointMemory();
  const checkpoint = await createLogClient({
    ...trusted,
    url: mirror.url,
    memory,
  }).readCheckpoint();
  const works: readonly (readonly [string, (client: LogClient) => Promise<unknown>])[] = [
    ['proveInclusion', (client) => client.proveInclusion(1, checkpoint)],
    ['entries', (client) => allOf(client.entries(checkpoint))],
    ['readCheckpoint', (client) => client.readCheckpoint()],
  ];
  for (const [name, work] of works) {
    // The first tile is refused, and the others are never answered.
    const unanswered = new Set<AbortSignal | null | undefined>();
    let refused = false;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const path = (input as string).slice(mirror.url.length + 1);
      if (path === 'checkpoint') return globalThis.fetch(input, init);
      if (!refused) {
        refused = true;
        return new Response(null, { status: 403 });
      }
      const { promise, reject } = Promise.withResolvers<Response>();
      unanswered.add(init?.signal);
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      return promise;
    };
    const memory = createCheckpointMemory();
    await memory.write('log.example/log', older);
    const client = createLogClient({ ...trusted, url: mirror.url, fetch, memory });
    assert.equal((await faultOf(work(client))).reason, 'unreachable', name);
    const states = [...unanswered].map((signal) => signal?.aborted);
    assert.ok(states.length > 0, name);
    assert.ok(
      states.every((isAborted) => isAborted === true),
      name,
    );
  }
});

test('a missing tile and a missing checkpoint are named; a full tile stands for a partial one', async () => {
  await using forger = await openLogFolder();
  await using mirror = await serveFolder(forger.folder);
  const client = createLogClient({ ...trusted, url: `${mirror.url}/` });
  assert.equal((await faultOf(client.readCheckpoint())).reason, 'missing');
  await forger.publish(entriesOf(200), [key]);
  const early = await client.readCheckpoint();
  await forger.publish(entriesOf(100, 200), [key]);
  await forger.remove('tile/0/000.p/200');
  await forger.remove('tile/entries/000.p/200');
  assert.equal((await allOf(client.entries(early))).length, 200);
  await forger.remove('tile/0/000');
  const { reason, path } = await faultOf(allOf(client.entries(early)));
  assert.deepEqual([reason, path], ['missing', 'tile/0/000.p/200']);
});
