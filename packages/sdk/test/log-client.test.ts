// The client of the log against a log in a folder: what it returns, and each way of tampering with it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createCheckpointMemory, createLogClient, isLogFault } from '@colophon/sdk';
import type { CheckpointMemory, LogFault, LogFaultReason } from '@colophon/sdk';
import { leafHash, verifyConsistency, verifyInclusion } from '@colophon/tlog';
import { makeNoteKey, noteOf, openLogFolder, serveFolder } from '../../tlog/test/log-folder.ts';
import type { NoteKey } from '../../tlog/test/log-folder.ts';
import { sha256 } from '../../tlog/test/sha256.ts';
import { serveScript } from './log-answers.ts';

const operator = await openLogFolder();
after(() => operator[Symbol.asyncDispose]());
const served = await serveFolder(operator.folder);
after(() => served[Symbol.asyncDispose]());

const key = makeNoteKey('log.example/log', 1);
const [first, second, third] = ['a', 'b', 'c'].map((name) => makeNoteKey(`${name}.example`, 4)) as [
  NoteKey,
  NoteKey,
  NoteKey,
];
const entriesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => Buffer.from(`{"leaf":${from + index}}`));

const trusted = { url: served.url, verifierKey: key.text };

/** A memory that contains a checkpoint. */
function memoryOf(note: string): CheckpointMemory {
  const memory = createCheckpointMemory();
  void memory.write(key.key.name, note);
  return memory;
}

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

const size = 600;
await operator.publish(entriesOf(256), [key]);
const older = await operator.publish(entriesOf(size - 256, 256), [key, first, second]);

test('a checkpoint, its entries, and proofs of each kind', async () => {
  const client = createLogClient(trusted);
  const checkpoint = await client.readCheckpoint();
  assert.deepEqual([checkpoint.origin, checkpoint.size], ['log.example/log', size]);
  const entries = await allOf(client.entries(checkpoint));
  assert.deepEqual(entries, entriesOf(size).map(String));
  assert.deepEqual(
    await allOf(client.entries(checkpoint, { from: 255, to: 258 })),
    entriesOf(3, 255).map(String),
  );
  const proof = await client.proveInclusion(300, checkpoint);
  const leaf = leafHash(sha256, Buffer.from('{"leaf":300}'));
  assert.ok(verifyInclusion(sha256, { ...checkpoint, index: 300, leaf, proof }));
  const { root } = checkpoint;
  const oldRoot = rootAt(256);
  const consistency = await client.proveConsistency({ size: 256, root: oldRoot }, checkpoint);
  const sizes = { oldSize: 256, oldRoot, newSize: size, newRoot: root };
  assert.ok(verifyConsistency(sha256, { ...sizes, proof: consistency }));
});

function rootAt(count: number): Uint8Array {
  const note = noteOf(operator.log, [key], { size: count });
  return new Uint8Array(Buffer.from(note.split('\n')[2] ?? '', 'base64'));
}

test('witnesses: those that signed are named, and a quorum must have signed', async () => {
  const keys = [first.text, second.text, third.text];
  const two = await createLogClient({ ...trusted, witnesses: keys, quorum: 2 }).readCheckpoint();
  const at = new Date(1_780_000_000_000).toISOString();
  assert.deepEqual(two.witnesses, [
    { name: 'a.example', at },
    { name: 'b.example', at },
  ]);
  for (const wanted of [{ witnesses: keys, quorum: 3 }, { witnesses: keys }]) {
    const fault = await faultOf(createLogClient({ ...trusted, ...wanted }).readCheckpoint());
    assert.equal(fault.reason, 'too-few-witnesses');
  }
});

for (const wrong of [
  { verifierKey: '' },
  { verifierKey: first.text },
  { verifierKey: `${key.text}A` },
  { verifierKey: key.text, witnesses: [key.text] },
  { verifierKey: key.text, witnesses: [first.text, first.text] },
  { verifierKey: key.text, witnesses: [first.text], quorum: 0 },
  { verifierKey: key.text, witnesses: [first.text], quorum: 2 },
  { verifierKey: key.text, quorum: 1 },
])
  test(`keys that cannot be trusted are refused at once: ${JSON.stringify(wrong).slice(0, 60)}`, () => {
    assert.throws(() => createLogClient({ url: served.url, ...wrong }), TypeError);
  });

test('a checkpoint by another key, of another log, or forged is refused', async () => {
  const other = makeNoteKey('log.example/log', 1);
  const swapped = await faultOf(
    createLogClient({ ...trusted, verifierKey: other.text }).readCheckpoint(),
  );
  assert.equal(swapped.reason, 'other-log');
  const elsewhere = makeNoteKey('elsewhere.example/log', 1);
  const named = await faultOf(
    createLogClient({ ...trusted, verifierKey: elsewhere.text }).readCheckpoint(),
  );
  assert.equal(named.reason, 'other-log');
  for (const [change, reason] of [
    [(note: string) => note.replace('\n600\n', '\n599\n'), 'signature'],
    [(note: string) => note.slice(0, -3), 'malformed'],
    [() => '', 'malformed'],
    [() => '\u{ff}', 'malformed'],
  ] as const) {
    await using answers = await serveScript({ checkpoint: change(older) });
    const fault = await faultOf(createLogClient({ ...trusted, url: answers.url }).readCheckpoint());
    assert.equal(fault.reason, reason);
  }
});

test('what it saw is remembered, and a tree that continues it takes its place', async () => {
  const memory = memoryOf(noteOf(operator.log, [key], { size: 257 }));
  await createLogClient({ ...trusted, memory }).readCheckpoint();
  assert.equal(await memory.read('log.example/log'), older);
  await createLogClient({ ...trusted, memory }).readCheckpoint();
});

test('an older checkpoint that is replayed is refused, with both as evidence', async () => {
  const replayed = noteOf(operator.log, [key], { size: 300 });
  const memory = memoryOf(older);
  // The operator still has all files.
  await operator.write('checkpoint', replayed);
  const fault = await faultOf(createLogClient({ ...trusted, memory }).readCheckpoint());
  await operator.write('checkpoint', older);
  assert.equal(fault.reason, 'older');
  assert.deepEqual(fault.evidence, { remembered: older, received: replayed });
  assert.equal(await memory.read('log.example/log'), older);
});

/** Every other history of the operator, signed by the right key, is a fork for a reader who saw the first. */
const histories: readonly (readonly [string, () => Buffer[]])[] = [
  ['a changed leaf', () => entriesOf(size).with(100, Buffer.from('{"leaf":"forged"}'))],
  ['a dropped leaf', () => entriesOf(size + 1).toSpliced(100, 1)],
  ['two leaves in another order', () => swappedAt(entriesOf(size), 100)],
  ['an inserted leaf', () => entriesOf(size).toSpliced(100, 0, Buffer.from('{"leaf":"late"}'))],
  ['a changed first leaf', () => entriesOf(size + 100).with(0, Buffer.from('{}'))],
  ['a changed last leaf', () => entriesOf(size).with(size - 1, Buffer.from('{}'))],
  ['a truncated tree that grew differently', () => [...entriesOf(500), ...entriesOf(300, 900)]],
  ['a shorter, different tree', () => entriesOf(200).with(5, Buffer.from('{}'))],
];

function swappedAt(entries: readonly Buffer[], index: number): Buffer[] {
  const [one, other] = [entries[index] ?? Buffer.of(), entries[index + 1] ?? Buffer.of()];
  return entries.with(index, other).with(index + 1, one);
}

for (const [title, history] of histories)
  test(`forked: ${title} is found by a reader who has an old checkpoint`, async () => {
    await using forger = await openLogFolder();
    await using fork = await serveFolder(forger.folder);
    const received = await forger.publish(history(), [key]);
    const memory = memoryOf(older);
    const client = createLogClient({ ...trusted, url: fork.url, memory });
    const fault = await faultOf(client.readCheckpoint());
    // Of a shorter tree, the tiles of the longer one are gone: it is refused all the same.
    const expected: LogFaultReason = history().length < size ? 'older' : 'forked';
    assert.equal(fault.reason, expected);
    assert.deepEqual(fault.evidence, { remembered: older, received });
    assert.equal(await memory.read('log.example/log'), older);
  });

test('two clients that exchange what they saw find a split view', async () => {
  await using forger = await openLogFolder();
  await using fork = await serveFolder(forger.folder);
  const other = entriesOf(size).with(7, Buffer.from('{"leaf":"for Ben only"}'));
  await forger.publish(other, [key]);
  const [ada, ben] = [createCheckpointMemory(), createCheckpointMemory()];
  const shownToAda = await createLogClient({ ...trusted, memory: ada }).readCheckpoint();
  await createLogClient({ ...trusted, url: fork.url, memory: ben }).readCheckpoint();
  await ada.write(shownToAda.origin, String(await ben.read(shownToAda.origin)));
  const fault = await faultOf(createLogClient({ ...trusted, memory: ada }).readCheckpoint());
  assert.equal(fault.reason, 'forked');
});

test('a memory that is damaged is not a reason to accept anything', async () => {
  for (const note of ['', 'x', older.replace('log.example/log\n', 'other.example\n')]) {
    const fault = await faultOf(
      createLogClient({ ...trusted, memory: memoryOf(note) }).readCheckpoint(),
    );
    assert.equal(fault.reason, 'memory');
  }
});

test('lost connections and full servers are tried again, and a limit on length holds', async () => {
  await using flaky = await serveScript({ checkpoint: older }, ['cut', 503, 429]);
  const client = createLogClient({ ...trusted, url: flaky.url });
  assert.equal((await client.readCheckpoint()).size, size);
  assert.equal(flaky.count(), 4);
  await using refusing = await serveScript({ checkpoint: older }, [403]);
  const refused = createLogClient({ ...trusted, url: refusing.url });
  assert.equal((await faultOf(refused.readCheckpoint())).reason, 'unreachable');
  assert.equal(refusing.count(), 1);
  await using endless = await serveScript({ checkpoint: 'x'.repeat(1_000_001) });
  const flooded = createLogClient({ ...trusted, url: endless.url });
  assert.equal((await faultOf(flooded.readCheckpoint())).reason, 'tile');
});

test('a caller ends it with a signal', async () => {
  const ended = new AbortController();
  ended.abort(new Error('enough'));
  const client = createLogClient({ ...trusted, signal: ended.signal });
  await assert.rejects(client.readCheckpoint(), /enough/);
});

test('when another program remembers a newer checkpoint meanwhile, that one stays', async () => {
  const newer = await operator.publish(entriesOf(50, size), [key]);
  await operator.write('checkpoint', older);
  const notes = [noteOf(operator.log, [key], { size: 300 }), newer, newer];
  let written: string | undefined;
  const memory: CheckpointMemory = {
    read: () => (notes.length > 1 ? notes.shift() : notes[0]),
    write: (_, note) => {
      written = note;
    },
  };
  const checkpoint = await createLogClient({ ...trusted, memory }).readCheckpoint();
  assert.deepEqual([checkpoint.size, written], [size, undefined]);
});
