// Tests of the S3 store on a real S3 server: what every store does, wrong keys, and an outage.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
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
