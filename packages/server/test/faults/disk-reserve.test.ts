// A disk that runs low: uploads are refused before a byte is taken, everything else goes on, and operators see it.
import assert from 'node:assert/strict';
import { mkdir, readdir, statfs, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readConfig } from '#config';
import { makePlace, unkept } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

let place: Place;
let server: ServerProcess | undefined;

before(async () => {
  place = await makePlace();
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

// Members are looked at by name.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = Record<string, any>;

async function ask(method: string, path: string, token = '', body?: string | Uint8Array) {
  const response = await fetch(place.baseUrl + path, {
    method,
    headers: {
      ...unkept,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Json) : { text };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), json };
}

async function restart(reserve: string): Promise<void> {
  server?.kill('SIGTERM');
  await server?.ended;
  server = place.start({ DISK_RESERVE: reserve });
  await server.ready(place.baseUrl);
}

/** The transparency log may have written its first files beside them. */
async function keptMedia(): Promise<string[]> {
  const names = await readdir(join(place.dataDir, 'media')).catch(() => []);
  return names.filter((name) => name !== 'log');
}

const reserved = JSON.stringify({ kind: 'image' });
const person = JSON.stringify({ username: 'low-disk' });
let token: string;
/** Of a file that was reserved while there was room. */
let path: string;

test(
  '503 unavailable for a reservation and for bytes below the reserve',
  { timeout: 900_000 },
  async () => {
    await restart('0');
    token = String((await ask('POST', '/v1/humans', '', person)).json['token']);
    const record = await ask('POST', '/v1/media', token, reserved);
    assert.equal(record.status, 201, 'taken above it');
    path = `/v1/media/${record.json['id']}`;
    const { blocks, bsize } = await statfs(place.folder);
    // More than the disk has: as if all beyond it were used.
    await restart(String(blocks * bsize + 1));
    for (const refused of [
      await ask('POST', '/v1/media', token, reserved),
      await ask('PUT', `${path}/content`, token, Buffer.alloc(300_000, 7)),
    ]) {
      assert.equal(refused.status, 503);
      assert.match(String(refused.json['type']), /\/unavailable$/);
      assert.equal(refused.retryAfter, '300');
    }
    assert.equal((await ask('GET', path, token)).json['status'], 'pending');
    assert.deepEqual(await keptMedia(), []);
    const article = JSON.stringify({ title: 'A title', content: 'Some text.' });
    assert.equal(
      (await ask('POST', '/v1/articles', token, article)).status,
      201,
      'texts are taken',
    );
    assert.deepEqual((await ask('GET', '/readyz')).json['figures'].disk, { reserve: 'reached' });
    const { json: metrics } = await ask('GET', '/metrics');
    assert.match(String(metrics['text']), /^colophon_disk_free_bytes \d+$/m);
  },
);

test(
  'a start removes bytes that a killed process left on their way, and none that may still come',
  { timeout: 900_000 },
  async () => {
    const aside = join(place.dataDir, 'media/uploading');
    await mkdir(aside, { recursive: true });
    const old = new Date(Date.now() - 20 * 60_000);
    for (const name of ['000-old', '000-new']) await writeFile(join(aside, name), 'some bytes');
    await utimes(join(aside, '000-old'), old, old);
    await restart('0');
    assert.deepEqual(await readdir(aside), ['000-new']);
  },
);

test('above the reserve bytes are taken again', { timeout: 900_000 }, async () => {
  assert.deepEqual((await ask('GET', '/readyz')).json['figures'].disk, { reserve: 'free' });
  const put = await ask('PUT', `${path}/content`, token, Buffer.alloc(300_000, 7));
  assert.equal(put.json['status'], 'rejected', 'the bytes are looked at: they are not an image');
});

test('DISK_RESERVE takes a size with its unit, and nothing else', () => {
  const reserveOf = (text: string) => readConfig({ DISK_RESERVE: text }).diskReserve;
  assert.equal(readConfig({}).diskReserve, undefined);
  assert.deepEqual(['0', '512', '500MiB', '2GiB'].map(reserveOf), [0, 512, 524_288_000, 2 ** 31]);
  for (const wrong of ['-1', '2 GiB', '5%', 'much', '1.5GiB'])
    assert.throws(() => reserveOf(wrong), /^Error: DISK_RESERVE is /);
});
