// The rules for every media store, run against each of them.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { MediaStore } from '#storage';

async function* pieces(bytes: Buffer, size = 60_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function namesOf(store: MediaStore, bucket: number): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list(bucket)) names.push(name);
  return names.toSorted();
}

const keep = (store: MediaStore, bucket: number, bytes: Buffer) =>
  store.put({ bucket, length: bytes.length, chunks: pieces(bytes) });

async function bytesOf(store: MediaStore, name: string, span?: { start: number; end: number }) {
  const stream = await store.open(name, span);
  return stream && buffer(stream);
}

/** Registers the tests. `skip` says why they cannot run. */
export function testStore(
  what: string,
  storeOf: () => MediaStore,
  skip: string | false = false,
): void {
  for (const size of [1, 60_000, 1_048_577, 12_000_000]) {
    test(`${what}: ${size} bytes come back as they were, whole and in part`, { skip }, async () => {
      const store = storeOf();
      const bytes = randomBytes(size);
      const kept = await keep(store, 7, bytes);
      assert.equal(kept.size, size);
      assert.equal(kept.checksum, createHash('sha256').update(bytes).digest('hex'));
      assert.equal(await store.exists(kept.name), true);
      assert.deepEqual(await bytesOf(store, kept.name), bytes);
      for (const span of [
        { start: 0, end: 0 },
        { start: size - 1, end: size - 1 },
        { start: Math.floor(size / 3), end: Math.floor(size / 2) },
      ]) {
        const part = await bytesOf(store, kept.name, span);
        assert.deepEqual(part, bytes.subarray(span.start, span.end + 1));
      }
    });
  }

  test(
    `${what}: the same bytes twice have two names, and one goes without the other`,
    { skip },
    async () => {
      const store = storeOf();
      const bytes = randomBytes(1_000);
      const [one, two] = await Promise.all([keep(store, 8, bytes), keep(store, 8, bytes)]);
      assert.notEqual(one.name, two.name);
      assert.equal(one.checksum, two.checksum);
      await store.delete(one.name);
      assert.equal(await store.exists(one.name), false);
      assert.equal(await store.open(one.name), undefined);
      assert.deepEqual(await bytesOf(store, two.name), bytes);
      await store.delete(one.name);
    },
  );

  test(`${what}: files of exports have names and lists of their own`, { skip }, async () => {
    const store = storeOf();
    const bytes = randomBytes(1_000);
    const media = await keep(store, 21, bytes);
    const chunks = pieces(bytes);
    const piece = await store.put({ bucket: 21, use: 'export', length: bytes.length, chunks });
    const exported: string[] = [];
    for await (const { name } of store.list(21, 'export')) exported.push(name);
    assert.deepEqual([await namesOf(store, 21), exported], [[media.name], [piece.name]]);
    assert.ok(piece.name.startsWith('exports/'));
    assert.deepEqual(await bytesOf(store, piece.name, { start: 1, end: 9 }), bytes.subarray(1, 10));
    await store.delete(piece.name);
    assert.equal(await store.exists(piece.name), false);
  });

  test(`${what}: what breaks off leaves nothing, and says what broke`, { skip }, async () => {
    const store = storeOf();
    const bytes = randomBytes(300_000);
    async function* breaking() {
      yield* pieces(bytes.subarray(0, 200_000));
      throw new Error('the sender is gone');
    }
    const incoming = { bucket: 9, length: bytes.length, chunks: breaking() };
    await assert.rejects(store.put(incoming), /the sender is gone/);
    for (const chunks of [pieces(bytes.subarray(1)), pieces(Buffer.concat([bytes, bytes]))])
      await assert.rejects(store.put({ bucket: 9, length: bytes.length, chunks }));
    assert.deepEqual(await namesOf(store, 9), []);
  });

  test(`${what}: lists the names of a bucket, more than a page of them`, { skip }, async () => {
    const store = storeOf();
    const made: string[] = [];
    for (let batch = 0; batch < 21; batch += 1) {
      const all = Array.from({ length: 50 }, () => keep(store, 10, randomBytes(10)));
      made.push(...(await Promise.all(all)).map(({ name }) => name));
    }
    await keep(store, 11, randomBytes(10));
    assert.deepEqual(await namesOf(store, 10), made.toSorted());
    for await (const { storedAt } of store.list(10))
      assert.ok(Math.abs(storedAt.getTime() - Date.now()) < 60_000);
    assert.deepEqual(await namesOf(store, 4095), []);
  });

  test(`${what}: many at once`, { skip }, async () => {
    const store = storeOf();
    const all = Array.from({ length: 20 }, (_, index) => randomBytes(100_000 + index));
    const kept = await Promise.all(all.map((bytes) => keep(store, 12, bytes)));
    for (const [index, { name }] of kept.entries())
      assert.deepEqual(await bytesOf(store, name), all[index]);
  });
}
