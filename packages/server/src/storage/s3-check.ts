// Checks at the start that an S3 store is writable, with a small file that is deleted again.
import { bucketOf, answerInTime, reasonOf } from './refusals.ts';
import { openS3Store } from './s3-store.ts';
import type { S3Location } from './s3-store.ts';

const usualLimitMs = 10_000;

/**
 * Checks that the bucket is writable.
 * @throws Error with a message for the operator, which repeats no key
 */
export async function requireS3(place: S3Location, limitMs = usualLimitMs): Promise<void> {
  const store = openS3Store(place);
  const probe = async () => {
    const { name } = await store.put({ bucket: 0, length: 1, chunks: [Buffer.from('x')] });
    await store.delete(name);
  };
  try {
    await answerInTime(probe(), limitMs);
  } catch (cause) {
    throw new Error(
      `MEDIA_STORE names ${bucketOf(place)}, which cannot be written (${reasonOf(cause)}): set it to a running store, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to keys that can write there.`,
      { cause },
    );
  } finally {
    await store[Symbol.asyncDispose]();
  }
}
