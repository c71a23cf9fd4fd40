// The life of a file and of an export on a real S3 server, and what is answered while that is away.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openS3Store } from '../../src/storage/s3-store.ts';
import { download, extractFiles, jsonOf, readyExport } from '../exports.ts';
import { assertProblem, startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { startFaultyGateway } from '../faulty-gateway.ts';
import { aRecord, pngOf, pngOfLength, put, upload, variantsMade } from '../media-files.ts';
import { startS3, withoutS3 } from '../radosgw.ts';
import type { TestS3 } from '../radosgw.ts';
import { hits, idsOf } from '../search.ts';
import { until } from '../throw-away-database.ts';
import { provenLog } from '../transparency-log.ts';
import { openHome } from '../../../cli/test/run-cli.ts';
import { testOgImages } from './og-images.ts';
import { testTable } from './table.ts';
import { testWithheld } from './withheld.ts';

const skip = withoutS3;
const s3 = skip === false ? await startS3() : undefined;
const server = s3 && (await startServer({ MEDIA_STORE: s3.store }, {}, { drawsAhead: true }));
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await s3?.[Symbol.asyncDispose]();
});
testTable('S3', () => server as TestServer, skip);
testWithheld('S3', () => server as TestServer, skip, 7);
testOgImages('S3', () => server as TestServer, skip);

test(
  'S3: the transparency log is in the bucket, and an audit finds it whole',
  { skip },
  async () => {
    const own = server as TestServer;
    const human = await own.register();
    for (let one = 0; one < 3; one += 1) await own.published(human);
    const { id, revision_id } = await own.published(human);
    await provenLog(own, id, revision_id);
    await using reader = await openHome({ COLOPHON_URL: own.baseUrl });
    const report = await reader.json('log audit --folder mirror --settle 30');
    assert.deepEqual(report.findings, []);
    assert.ok(report.publications >= 4);
  },
);

test('S3: 200 for 52,428,800 bytes, in one request that streams', { skip }, async () => {
  const human = await (server as TestServer).register();
  const bytes = pngOfLength(52_428_800);
  const { body } = await upload(server as TestServer, human, 'image', bytes);
  assert.equal(body.byte_size, 52_428_800);
});

test('S3: an export is built, read from any byte on, and whole', { skip }, async () => {
  const own = server as TestServer;
  const human = await own.register();
  const image = pngOfLength(3_000_000);
  const { body } = await upload(own, human, 'image', image);
  const { id } = await own.published(human, { content: `![](${body.url})` });
  const record = await readyExport(own, human);
  const whole = await download(own, human, record.id);
  assert.equal(whole.length, record.byte_size);
  const files = await extractFiles(whole);
  assert.deepEqual(files.get(`media/${body.id}.png`), image);
  const [revision] = jsonOf(files, `data/articles/${id}.json`).revisions;
  assert.equal(revision.content, `![](${body.url})`);

  const address = `${own.baseUrl}/v1/exports/${record.id}/content`;
  for (const [first, last] of [
    [0, 0],
    [1_000_000, 2_500_000],
    [whole.length - 100, whole.length - 1],
  ] as const) {
    const headers = { authorization: `Bearer ${human.token}`, range: `bytes=${first}-${last}` };
    const part = await fetch(address, { headers });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${whole.length}`);
    const bytes = Buffer.from(await part.arrayBuffer());
    assert.ok(bytes.equals(whole.subarray(first, last + 1)));
  }
});

test(
  'S3: 503 unavailable while the store says nothing; the record stays pending',
  { skip },
  async () => {
    const own = server as TestServer;
    const human = await own.register();
    const { id } = await aRecord(own, human, 'image');
    // The same store, which gives up earlier than after 15 s.
    const patient = { ...own.services.store };
    const place = (s3 as TestS3).place;
    await using hasty = openS3Store({ ...place, silenceMs: 500 });
    Object.assign(own.services.store, hasty);
    await s3?.freeze();
    try {
      assertProblem(await put(own, human, id, pngOf(3, 3)), 'unavailable');
    } finally {
      s3?.thaw();
      Object.assign(own.services.store, patient);
    }
    assert.equal((await put(own, human, id, pngOf(3, 3))).status, 200);
  },
);

test(
  'S3: an image whose bytes stall is decoded later, and another one gets its variants meanwhile',
  { skip },
  async () => {
    const own = server as TestServer;
    const { place } = s3 as TestS3;
    const human = await own.register();
    const usual = { ...own.services.store };
    await using gateway = await startFaultyGateway(place.endpoint);
    const hasty = { ...place, endpoint: gateway.endpoint, silenceMs: 2_000 };
    await using stalling = openS3Store(hasty);
    Object.assign(own.services.store, stalling);
    try {
      gateway.fault = 'stall';
      const stalled = await upload(own, human, 'image', pngOf(40, 41));
      await until('its bytes stall', () => gateway.met > 0);
      gateway.fault = undefined;
      const other = await upload(own, human, 'image', pngOf(42, 43));
      for (const { body } of [other, stalled]) await variantsMade(own, body.id);
    } finally {
      Object.assign(own.services.store, usual);
    }
  },
);

test(
  'S3: files that a silent store does not delete take one place of the pipeline, and an article is found',
  { skip },
  async () => {
    const own = server as TestServer;
    const { place } = s3 as TestS3;
    const human = await own.register();
    const usual = { ...own.services.store };
    await using gateway = await startFaultyGateway(place.endpoint);
    await using silent = openS3Store({ ...place, endpoint: gateway.endpoint });
    const images: string[] = [];
    for (let n = 0; n < 6; n += 1)
      images.push((await upload(own, human, 'image', pngOf(50 + n, 60))).body.id);
    for (const id of images) await variantsMade(own, id);
    Object.assign(own.services.store, silent);
    gateway.fault = 'keep';
    try {
      for (const id of images) {
        const deleted = await own.ask('DELETE', `/v1/media/${id}`, { token: human.token });
        assert.equal(deleted.status, 204);
      }
      await until('the store is asked to delete', () => gateway.kept > 0);
      const { id } = await own.published(human, { title: 'Kvetching quokkas' });
      await until('the article is found', async () => {
        assert.ok(gateway.kept <= 1, `${gateway.kept} places of the pipeline wait for the store`);
        return idsOf(await hits(own, { q: 'kvetching' })).includes(id);
      });
    } finally {
      Object.assign(own.services.store, usual);
    }
  },
);

for (const fault of ['SlowDown', 'InternalError', 'reset', 'slow'] as const)
  test(
    `S3: a store with the fault ${fault}: 503 or an answer, and everything works after it`,
    { skip },
    async () => {
      const own = server as TestServer;
      const { place } = s3 as TestS3;
      const human = await own.register();
      const stored = await upload(own, human, 'image', pngOf(4, 4));
      const path = `/v1/media/${stored.body.id}/content`;
      const read = () => own.ask('GET', path, { token: human.token });
      const { id } = await aRecord(own, human, 'image');
      const usual = { ...own.services.store };
      await using gateway = await startFaultyGateway(place.endpoint);
      await using faulty = openS3Store({ ...place, endpoint: gateway.endpoint });
      Object.assign(own.services.store, faulty);
      try {
        assert.equal((await read()).status, 200, 'the way through the proxy works');
        gateway.fault = fault;
        if (fault === 'slow') {
          assert.equal((await put(own, human, id, pngOf(5, 5))).status, 200);
          assert.equal((await read()).status, 200);
        } else {
          assertProblem(await put(own, human, id, pngOf(5, 5)), 'unavailable');
          assertProblem(await read(), 'unavailable');
        }
        assert.ok(gateway.met >= 2);
        gateway.fault = undefined;
        assert.equal((await read()).status, 200);
        if (fault !== 'slow')
          assert.equal((await put(own, human, id, pngOf(5, 5))).status, 200, 'the same upload');
      } finally {
        Object.assign(own.services.store, usual);
      }
    },
  );
