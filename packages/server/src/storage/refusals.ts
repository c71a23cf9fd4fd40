// Why a store cannot be used, in words for the operator; they never contain a key.
import { inTime } from '#lib/in-time';
import type { S3Location } from './s3-store.ts';

/** Returns the result of `work`, or rejects when a store does not answer within the limit. */
export function answerInTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return inTime(work, limitMs, new Error(`no answer within ${limitMs / 1000} seconds`));
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

/** Returns the sentence for a bucket of backups that gave this error. */
export function unusableBucket(place: S3Location, error: unknown): string {
  return `BACKUP_TO names ${bucketOf(place)}, which cannot be used (${reasonOf(error)}): set it to a bucket of a running store, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to keys that can list, write and delete there.`;
}
