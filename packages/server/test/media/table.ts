// The life of a file over HTTP, from its reservation to its end, run against each store.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { newId } from '#lib/id';
import { reconcile } from '../../src/areas/media/service/reconcile-store.ts';
import { assertProblem, problemName } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import {
  aRecord,
  fetchBytes,
  pngOf,
  pngOfLength,
  setMedia,
  storedNames,
  upload,
  variantsMade,
} from '../media-files.ts';
import { sendUpload } from './sending.ts';
import { until } from '../throw-away-database.ts';

const sandbox = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'x-content-trust': 'untrusted',
  'cache-control': 'public, max-age=31536000, immutable',
  'accept-ranges': 'bytes',
};

/** An image that says where it was taken, and that it lies on its side. */
async function aPhoto(): Promise<Buffer> {
  const pixels = { width: 1500, height: 1000, channels: 3 as const, background: '#345' };
  const exif = { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } };
  return sharp({ create: pixels })
    .jpeg()
    .withExif(exif)
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** Registers the tests. `skip` says why they cannot run. */
export function testTable(
  what: string,
  serverOf: () => TestServer,
  skip: string | false = false,
): void {
  const it = (title: string, work: (server: TestServer) => Promise<void>): void => {
    test(`${what}: ${title}`, { skip }, () => work(serverOf()));
  };

  it('200 with the bytes, and headers that keep them harmless', async (server) => {
    const human = await server.register();
    const bytes = pngOfLength(3_000_000);
    const { id, checksum_sha256: checksum } = (await upload(server, human, 'image', bytes)).body;
    const path = `/media/${id}`;
    const { status, headers, bytes: served } = await fetchBytes(server, path);
    assert.equal(status, 200);
    assert.deepEqual(served, bytes);
    assert.equal(createHash('sha256').update(served).digest('hex'), checksum);
    for (const [name, value] of Object.entries(sandbox)) assert.equal(headers.get(name), value);
    assert.equal(headers.get('content-type'), 'image/png');
    assert.equal(headers.get('content-length'), '3000000');
    assert.equal(headers.get('etag'), `"${checksum}"`);
    assert.equal(headers.get('content-disposition'), null);
    // RFC 9110 section 14.2: Range means something with GET only.
    const head = await fetchBytes(server, path, { range: 'bytes=10-19' }, 'HEAD');
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    assert.equal(head.headers.get('content-range'), null);
    for (const name of ['content-length', 'etag', 'content-type', ...Object.keys(sandbox)])
      assert.equal(head.headers.get(name), headers.get(name), name);
  });

  it('503 unavailable for bytes that the store has lost, until the same come again', async (server) => {
    const human = await server.register();
    const photo = await aPhoto();
    const { id } = (await upload(server, human, 'image', photo)).body;
    await variantsMade(server, id);
    const lost = await storedNames(server, id);
    for (const name of lost) await server.services.store.delete(name);
    for (const [path, method] of [
      [`/media/${id}`, 'GET'],
      [`/media/${id}`, 'HEAD'],
      [`/media/${id}?w=640`, 'GET'],
    ] as const) {
      const { status, headers } = await fetchBytes(server, path, {}, method);
      assert.equal(status, 503, `${method} ${path}`);
      assert.equal(headers.get('cache-control'), 'no-store');
      for (const name of ['etag', 'content-disposition', 'accept-ranges'])
        assert.equal(headers.get(name), null, `${method} ${path}: ${name}`);
    }
    const again = (await upload(server, human, 'image', photo)).body;
    for (const one of [id, again.id]) {
      assert.deepEqual((await fetchBytes(server, `/media/${one}`)).bytes, photo);
      await variantsMade(server, one);
    }
    await until(
      'one of each is left',
      async () => (await storedNames(server, id)).length === lost.length,
    );
  });

  it('206 for a range: from both ends, of one byte, and longer than there is', async (server) => {
    const bytes = pngOfLength(1_000);
    const { body } = await upload(server, await server.register(), 'image', bytes);
    const path = `/media/${body.id}`;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=990-', 990, 999],
      ['bytes=990-5000', 990, 999],
      ['bytes=-1', 999, 999],
      ['bytes=-5000', 0, 999],
      ['bytes=0-99999999999999999999', 0, 999],
      ['bytes=-99999999999999999999', 0, 999],
      ['BYTES=0-0', 0, 0],
    ] as const) {
      const part = await fetchBytes(server, path, { range });
      assert.equal(part.status, 206, range);
      assert.equal(part.headers.get('content-range'), `bytes ${start}-${end}/1000`);
      assert.deepEqual(part.bytes, bytes.subarray(start, end + 1));
    }
  });

  it('200 for ranges that are to be ignored; 416 with Content-Range for what is not there', async (server) => {
    const { body } = await upload(server, await server.register(), 'image', pngOfLength(1_000));
    const path = `/media/${body.id}`;
    for (const range of ['bytes=0-1,5-6', 'bytes=9-5', 'lines=1-2', 'bytes=a-b', 'bytes=-'])
      assert.equal((await fetchBytes(server, path, { range })).status, 200, range);
    const beyond = '99999999999999999999';
    const absent = ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0', `bytes=${beyond}-`];
    for (const range of [...absent, `bytes=${beyond}-${beyond}`]) {
      const refused = await fetchBytes(server, path, { range });
      assert.equal(refused.status, 416, range);
      assert.equal(refused.headers.get('content-range'), 'bytes */1000');
      assert.match(refused.headers.get('x-request-id') ?? '', /^[\w.~-]{8,64}$/);
    }
    const etag = `"${body.checksum_sha256}"`;
    const range = 'bytes=0-0';
    assert.equal((await fetchBytes(server, path, { range, 'if-range': etag })).status, 206);
    for (const other of ['"x"', `W/${etag}`, new Date().toUTCString()])
      assert.equal((await fetchBytes(server, path, { range, 'if-range': other })).status, 200);
  });

  it('304 for the checksum, for a list with it and for *', async (server) => {
    const { body } = await upload(server, await server.register(), 'image', pngOf(2, 3));
    const etag = `"${body.checksum_sha256}"`;
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await fetchBytes(server, `/media/${body.id}`, { 'if-none-match': tag });
      assert.equal(answer.status, 304);
      assert.equal(answer.headers.get('etag'), etag);
      assert.equal(answer.bytes.length, 0);
    }
    const other = { 'if-none-match': '"x"' };
    assert.equal((await fetchBytes(server, `/media/${body.id}`, other)).status, 200);
  });

  it('404 not-found before it is ready, while it is hidden, and for no id at all', async (server) => {
    const human = await server.register();
    const ready = (await upload(server, human, 'image', pngOf(1, 2))).body;
    await setMedia(server, ready.id, { hidden: true });
    const pending = await aRecord(server, human, 'image');
    for (const id of [ready.id, pending.id, newId(5), 'x', '0'.repeat(26), '..%2f..'])
      assertProblem(await server.ask('GET', `/media/${id}`), 'not-found');
  });

  it('410 gone and 451 unavailable-for-legal-reasons after a removal, conditional or not', async (server) => {
    const human = await server.register();
    const bytes = pngOf(4, 5);
    const { id, checksum_sha256: tag } = (await upload(server, human, 'image', bytes)).body;
    const headers = { 'if-none-match': `"${tag}"`, range: 'bytes=0-0' };
    await server.ask('DELETE', `/v1/media/${id}`, { token: human.token });
    assertProblem(await server.ask('GET', `/media/${id}`, { headers }), 'gone');
    await setMedia(server, id, { legal: true });
    const refused = await server.ask('GET', `/media/${id}`, { headers });
    assertProblem(refused, 'unavailable-for-legal-reasons');
    assert.equal(refused.headers.get('cache-control'), 'no-store');
  });

  it('variants of an image: three widths, upright, and without the place where it was taken', async (server) => {
    const human = await server.register();
    const { body } = await upload(server, human, 'image', await aPhoto());
    const path = `/media/${body.id}`;
    const original = await sharp((await fetchBytes(server, path)).bytes).metadata();
    assert.ok(original.exif, 'the original is unchanged');
    await variantsMade(server, body.id);
    for (const [asked, width] of [
      [320, 320],
      [640, 640],
      [1280, 1000],
    ] as const) {
      const { headers, bytes } = await fetchBytes(server, `${path}?w=${asked}`);
      const found = await sharp(bytes).metadata();
      assert.equal(found.format, 'webp');
      assert.equal(found.width, width);
      assert.equal(found.height, width * 1.5);
      for (const name of ['exif', 'icc', 'iptc', 'xmp', 'orientation'] as const)
        assert.equal(found[name], undefined, name);
      assert.ok(!bytes.includes('somebody'));
      assert.equal(headers.get('content-type'), 'image/webp');
      assert.equal(headers.get('etag'), `"${body.checksum_sha256}.${asked}"`);
      for (const [name, value] of Object.entries(sandbox)) assert.equal(headers.get(name), value);
    }
    for (const w of ['0', '321', '-1', 'x', '1e3', ''])
      assertProblem(await server.ask('GET', `${path}?w=${w}`), 'invalid-request');
  });

  it('an image that does not decode has no variants and is a file to keep; so is every document', async (server) => {
    const human = await server.register();
    const whole = pngOf(50, 50, { rows: Buffer.alloc(2_600, 200) });
    const cut = whole.subarray(0, 45);
    const { id } = (await upload(server, human, 'image', cut)).body;
    await until('somebody has looked', async () => {
      const { headers } = await fetchBytes(server, `/media/${id}`);
      return headers.get('content-disposition') === `attachment; filename="${id}.png"`;
    });
    assertProblem(await server.ask('GET', `/media/${id}?w=320`), 'not-found');
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n');
    const document = (await upload(server, human, 'document', pdf)).body;
    const { headers } = await fetchBytes(server, `/media/${document.id}`);
    assert.equal(headers.get('content-type'), 'application/pdf');
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="\w+\.pdf"$/);
  });

  it('a sender that breaks off leaves the record pending and nothing in the store; the next try succeeds', async (server) => {
    const human = await server.register();
    const { id } = await aRecord(server, human, 'image');
    const bytes = pngOfLength(2_000_000);
    for (const sent of [0, 1, 100, 1_500_000, 1_999_999]) {
      const sending = await sendUpload(server, human, id, bytes.length);
      await sending.write(bytes.subarray(0, sent));
      sending.breakOff();
      const read = await server.ask('GET', `/v1/media/${id}`, { token: human.token });
      assert.equal(read.body.status, 'pending');
    }
    const sending = await sendUpload(server, human, id, bytes.length);
    await sending.write(bytes);
    const answer = await sending.answer();
    assert.equal(answer.status, 200);
    await variantsMade(server, id);
    assert.equal((await storedNames(server, id)).length, 4);
  });

  it('bytes without a record are found, and records without bytes are said', async (server) => {
    const human = await server.register();
    const { id } = (await upload(server, human, 'image', pngOf(7, 7))).body;
    await variantsMade(server, id);
    const { store } = server.services;
    const bucket = Number.parseInt((await storedNames(server, id))[0]?.slice(0, 3) ?? '', 16);
    const chunks = (async function* one() {
      yield Buffer.from('left behind');
    })();
    const left = await store.put({ bucket, length: 11, chunks });
    const early = await reconcile(bucket, store, { db: server.db, now: () => new Date() });
    assert.deepEqual(early, { removed: 0, lost: [] });
    const later = { db: server.db, now: () => new Date(Date.now() + 7_200_000) };
    assert.deepEqual(await reconcile(bucket, store, later), { removed: 1, lost: [] });
    assert.equal(await store.exists(left.name), false);
    const names = await storedNames(server, id);
    assert.equal(names.length, 4);
    for (const name of names) await store.delete(name);
    const { removed, lost } = await reconcile(bucket, store, later);
    assert.equal(removed, 0);
    assert.deepEqual(lost.toSorted(), [...names].toSorted());
    assert.equal(problemName(await server.ask('GET', `/media/${id}`)), 'unavailable');
  });
}
