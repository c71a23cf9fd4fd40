// Hostile files: what is served is served as what it is, everything else is not served, and nothing crashes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { follow } from '../../src/areas/media/rules/byte-scanner.ts';
import { lookAtType } from '../../src/areas/media/rules/media-type.ts';
import type { Recognised } from '../../src/areas/media/rules/media-type.ts';
import { mediaTypes } from '@colophon/contract';
import { effort } from '../effort.ts';
import { startServer } from '../harness.ts';
import { aRecord, fetchBytes, put } from '../media-files.ts';
import type { Kind } from '../media-files.ts';
import { inParallel } from '../bad-input/bystander.ts';
import { corpus, kindOf } from './corpus.ts';
import type { CorpusFile } from './corpus.ts';
import { seed } from '../seed.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const everyKind: readonly Kind[] = ['image', 'video', 'audio', 'document'];
const mutants = effort(60, 2_000);
const mutantsLookedAt = effort(5_000, 200_000);
const mutantBytesMax = 20_000;

/** What the bytes are, when they pass in pieces of this size. */
function recognise(bytes: Buffer, pieceBytes = bytes.length): Recognised | undefined {
  const look = follow(lookAtType(bytes.length));
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const known = look.pass(bytes.subarray(at, at + pieceBytes));
    if (known !== undefined) return known.found;
  }
  return look.end();
}

/** What any file ends as: ready and served as exactly one taken type, or rejected and not served. */
async function outcome(token: string, kind: Kind, bytes: Buffer): Promise<string | undefined> {
  const { id } = await aRecord(server, { token }, kind);
  const answer = await put(server, { token }, id, bytes);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { status, content_type: type } = answer.body;
  const served = await fetchBytes(server, `/media/${id}`);
  if (status === 'rejected') {
    assert.equal(served.status, 404);
    return undefined;
  }
  assert.equal(status, 'ready');
  assert.ok(mediaTypes.includes(type));
  assert.equal(kindOf(type), kind);
  assert.equal(served.status, 200);
  assert.equal(served.headers.get('content-type'), type);
  assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(served.headers.get('content-security-policy'), "sandbox; default-src 'none'");
  assert.ok(served.bytes.equals(bytes));
  return type as string;
}

test(`the corpus has ${corpus.length} files, no two alike, of every type`, () => {
  assert.ok(corpus.length >= 120);
  assert.equal(new Set(corpus.map(({ name }) => name)).size, corpus.length);
  assert.equal(new Set(corpus.map(({ bytes }) => bytes.toString('latin1'))).size, corpus.length);
  assert.deepEqual(new Set(corpus.flatMap(({ type }) => type ?? [])), new Set<string>(mediaTypes));
});

test('each file of the corpus is served as what it is, under its own kind, or not at all', async () => {
  const { token } = await server.register();
  const rows = corpus.flatMap((file) => {
    const kinds = file.type === undefined ? everyKind : [kindOf(file.type)];
    return kinds.map((kind) => ({ file, kind }));
  });
  const wrong: string[] = [];
  await inParallel(rows, 8, async ({ file, kind }) => {
    const found = await outcome(token, kind, file.bytes);
    if (found !== file.type) wrong.push(`${file.name} as ${kind}: ${found}`);
  });
  assert.deepEqual(wrong, []);
});

test('a file is the same in whatever pieces it comes', () => {
  for (const { name, bytes, type } of corpus) {
    const found = recognise(bytes);
    // What decides beside the type: how many pixels the header names.
    if (type !== undefined) assert.equal(found?.type, type, name);
    const sizes = bytes.length > 200_000 ? [999, 65_536] : [1, 7, 1_000];
    for (const size of sizes) assert.deepEqual(recognise(bytes, size), found, `${name} by ${size}`);
  }
});

test('no file is ready as another kind than its own', async () => {
  const { token } = await server.register();
  const some = Map.groupBy(corpus, ({ type }) => type);
  const firsts = [...some].flatMap(([type, [file]]) => (type && file ? [file] : []));
  await inParallel(firsts, 8, async ({ name, bytes, type = '' }) => {
    for (const kind of everyKind.filter((one) => one !== kindOf(type)))
      assert.equal(await outcome(token, kind, bytes), undefined, `${name} as ${kind}`);
  });
});

/** Numbers that come again with the seed. */
function seededDraw(from: number): (below: number) => number {
  let state = from >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

function mutate(file: CorpusFile, draw: (below: number) => number): Buffer {
  const bytes = Buffer.from(file.bytes);
  // Headers decide, so they are hit more often.
  const place = () => (draw(3) === 0 ? draw(bytes.length) : draw(Math.min(bytes.length, 64)));
  const way = draw(5);
  if (way === 0) return bytes.subarray(0, 1 + draw(bytes.length));
  if (way === 1) return Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]);
  if (way === 2)
    return Buffer.concat([
      bytes.subarray(0, place()),
      bytes.subarray(place()),
      bytes.subarray(0, 1),
    ]);
  for (let times = 1 + draw(4); times > 0; times -= 1) bytes[place()] = draw(256);
  return bytes;
}

test(`${mutants} mutants end as one of the taken types or rejected; seed ${seed}`, async (t) => {
  const { token } = await server.register();
  const draw = seededDraw(seed);
  const small = corpus.filter(({ bytes }) => bytes.length <= mutantBytesMax);
  const all = Array.from({ length: mutants }, () => {
    const file = small[draw(small.length)] as CorpusFile;
    return { file, bytes: mutate(file, draw) };
  });
  let served = 0;
  await inParallel(all, 8, async ({ file, bytes }) => {
    const kind = kindOf(file.type ?? recognise(bytes)?.type ?? '');
    const found = await outcome(token, kind, bytes);
    if (found !== undefined) served += 1;
  });
  t.diagnostic(`${served} of ${mutants} were still served`);
});

test(`${mutantsLookedAt} mutants are looked at without a fault, and quickly; seed ${seed + 1}`, () => {
  const draw = seededDraw(seed + 1);
  const small = corpus.filter(({ bytes }) => bytes.length <= mutantBytesMax);
  let slowest = 0;
  for (let count = 0; count < mutantsLookedAt; count += 1) {
    const bytes = mutate(small[draw(small.length)] as CorpusFile, draw);
    // Of this thread alone: what else runs on the machine has no part in it.
    const before = process.threadCpuUsage();
    recognise(bytes);
    slowest = Math.max(slowest, process.threadCpuUsage(before).user / 1000);
  }
  assert.ok(slowest < 100, `${slowest} ms of processor time`);
});
