// Checks at the start that an S3 store is writable, with a small file that is deleted again.
import { openS3Store } from './s3-store.ts';
import type { S3Location } from './s3-store.ts';

const usualLimitMs = 10_000;

async function* oneByte() {
  yield Buffer.from('x');
}

/** Rejects if `work` takes too long; its later result is ignored. */
async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const reason = new Error(`no answer within ${limitMs / 1000} seconds`);
  const timer = setTimeout(() => late.reject(reason), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the most informative part of the error: NoSuchBucket, SignatureDoesNotMatch, ECONNREFUSED. */
export function reasonOf(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return code;
  return name === 'Error' ? message : name;
}

/** Returns the bucket in words, with the address of its store. */
export function bucketOf({ bucket, endpoint }: S3Location): string {
  return `the bucket ${bucket}${endpoint === undefined ? '' : ` at ${new URL(endpoint).host}`}`;
}

/**
 * Checks that the bucket is writable.
 * @throws Error with a message for the operator, which repeats no key
 */
export async function requireS3(place: S3Location, limitMs = usualLimitMs): Promise<void> {
  const store = openS3Store(place);
  const probe = async () => {
    const { name } = await store.put({ bucket: 0, length: 1, chunks: oneByte() });
    await store.delete(name);
  };
  try {
    await inTime(probe(), limitMs);
  } catch (cause) {
    throw new Error(
      `MEDIA_STORE names ${bucketOf(place)}, which cannot be written (${reasonOf(cause)}): set it to a running store, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to keys that can write there.`,
      { cause },
    );
  } finally {
    await store[Symbol.asyncDispose]();
  }
}
