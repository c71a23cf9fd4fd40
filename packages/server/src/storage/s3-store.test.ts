// Tests of the S3 store on a real S3 server: what every store does, wrong keys, and an outage.
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startFaultyGateway } from '#test/faulty-gateway';
import { keys, startS3, withoutS3 } from '#test/radosgw';
import type { TestS3 } from '#test/radosgw';
import { testStore } from '#test/media/store-suite';
import { openS3Store } from './s3-store.ts';
import type { MediaStore } from './store.ts';

const skip = withoutS3;
const s3 = skip === false ? await startS3() : undefined;
const store = s3 && openS3Store(s3.place);
after(async () => {
  await store?.[Symbol.asyncDispose]();
  await s3?.[Symbol.asyncDispose]();
});

testStore('S3', () => store as MediaStore, skip);

test('a wrong secret is refused', { skip }, async () => {
  process.env['AWS_SECRET_ACCESS_KEY'] = 'another';
  const stranger = openS3Store((s3 as TestS3).place);
  const refused = assert.rejects(stranger.open('000/x'), { name: 'SignatureDoesNotMatch' });
  await refused.finally(() => Object.assign(process.env, keys));
  await stranger[Symbol.asyncDispose]();
});

test('a bucket that is not there is a fault, not an absence', { skip }, async () => {
  const { place } = s3 as TestS3;
  const other = openS3Store({ ...place, bucket: 'no-such-bucket' });
  const chunks = (async function* one() {
    yield Buffer.from('x');
  })();
  await assert.rejects(other.open('000/x'), { name: 'NoSuchBucket' });
  await assert.rejects(other.put({ bucket: 1, length: 1, chunks }), { name: 'NoSuchBucket' });
  await other[Symbol.asyncDispose]();
});

for (const minutes of [20, -20])
  test(
    `a clock that is ${minutes} minutes off: the store refuses the first upload at most, then reads and writes work`,
    { skip },
    async (t) => {
      const now = Date.now;
      t.mock.method(Date, 'now', () => now() + minutes * 60_000);
      await using skewed = openS3Store((s3 as TestS3).place);
      const put = () => {
        const chunks = (async function* one() {
          yield Buffer.from('skewed');
        })();
        return skewed.put({ bucket: 1, length: 6, chunks });
      };
      const kept = await put().catch((error: Error) => {
        assert.equal(error.name, 'RequestTimeTooSkewed');
        return put();
      });
      assert.equal(await skewed.exists(kept.name), true);
      await skewed.delete(kept.name);
      assert.equal(await skewed.exists(kept.name), false);
    },
  );

async function putMegabytes(megabytes = 12): Promise<string> {
  const bytes = Buffer.alloc(megabytes * 1_000_000, 'x');
  const incoming = { bucket: 1, length: bytes.length, chunks: [bytes] };
  return (await (store as MediaStore).put(incoming)).name;
}

test('readers who take their time leave connections free for others', { skip }, async () => {
  await using own = openS3Store((s3 as TestS3).place);
  const name = await putMegabytes(1);
  // More than the connections for everything else.
  const slow: (Readable | undefined)[] = [];
  try {
    for (let n = 0; n < 140; n += 1) slow.push(await own.open(name));
    assert.equal(await own.exists(name), true);
    const quick = (await own.open(name)) as Readable;
    assert.equal((await buffer(quick)).length, 1_000_000);
  } finally {
    for (const one of slow) one?.destroy();
  }
});

test(
  'bytes that stop coming end with an error, and so does an answer that never begins',
  { skip },
  async () => {
    const { place, freeze, thaw } = s3 as TestS3;
    await using gateway = await startFaultyGateway(place.endpoint);
    await using hasty = openS3Store({ ...place, endpoint: gateway.endpoint, silenceMs: 2_000 });
    const name = await putMegabytes();
    gateway.fault = 'stall';
    const stalled = (await hasty.open(name)) ?? assert.fail('the object is missing');
    await assert.rejects(buffer(stalled), /The store sent nothing for 2000 ms/);
    gateway.fault = undefined;
    await freeze();
    await assert.rejects(hasty.open(name), { name: 'TimeoutError' }).finally(thaw);
  },
);

test('a reader who takes nothing for longer loses nothing', { skip }, async () => {
  await using hasty = openS3Store({ ...(s3 as TestS3).place, silenceMs: 2_000 });
  const bytes = (await hasty.open(await putMegabytes())) as Readable;
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    if (size === 0) await wait(3_000);
    size += chunk.length;
  }
  assert.equal(size, 12_000_000);
});
