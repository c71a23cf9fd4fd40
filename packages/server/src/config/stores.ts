// The settings of stores of bytes: participants' files and backups, in a folder or on S3.
import path from 'node:path';
import type { MediaLocation } from '#storage';
import { refuseUnseen } from './refusals.ts';
import type { Environment } from './refusals.ts';

const storeForm = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?(\?.*)?$/;

/** Parses `s3://bucket?endpoint=…&region=…`; the keys are in the usual AWS variables. */
function s3LocationOf(text: string, env: Environment): MediaLocation | undefined {
  const [, bucket, query] = storeForm.exec(text) ?? [];
  const { endpoint, region, ...unknown } = Object.fromEntries(new URLSearchParams(query));
  const reaches = endpoint === undefined || /^https?:\/\/[^/?#@]+\/?$/.test(endpoint);
  if (bucket === undefined || !reaches || Object.keys(unknown).length > 0) return undefined;
  return { bucket, endpoint, region: region ?? env['AWS_REGION'] ?? 'us-east-1' };
}

/**
 * Where participants' files are stored.
 * @throws Error with one sentence for a wrong MEDIA_STORE
 */
export function mediaStoreOf(env: Environment, dataDir: string): MediaLocation {
  const text = env['MEDIA_STORE'];
  if (text === undefined) return { folder: path.join(dataDir, 'media') };
  const place = s3LocationOf(text, env);
  if (place !== undefined) return place;
  throw refuseUnseen(
    'MEDIA_STORE',
    's3://bucket?endpoint=https://host&region=name, or leave it out for a folder in DATA_DIR',
  );
}

/** The service deletes files that it does not know from its own folders. */
function isServiceFolder(place: MediaLocation, dataDir: string): boolean {
  if (!('folder' in place)) return false;
  return ['media', 'postgres'].some((name) =>
    `${place.folder}${path.sep}`.startsWith(path.join(dataDir, name) + path.sep),
  );
}

/**
 * Where scheduled backups are stored.
 * @throws Error with one sentence for a wrong BACKUP_TO
 */
export function backupToOf(env: Environment, dataDir: string): MediaLocation | undefined {
  const text = env['BACKUP_TO'];
  if (text === undefined) return undefined;
  const place = text.includes('://') ? s3LocationOf(text, env) : { folder: path.resolve(text) };
  if (place !== undefined && !isServiceFolder(place, dataDir)) return place;
  throw refuseUnseen(
    'BACKUP_TO',
    'a folder outside of DATA_DIR/media and DATA_DIR/postgres, or s3://bucket?endpoint=https://host&region=name',
  );
}

/**
 * The public keys to which backups are encrypted.
 * @throws Error with one sentence for a wrong BACKUP_RECIPIENT
 */
export function backupRecipientsOf(env: Environment): readonly string[] {
  const text = env['BACKUP_RECIPIENT'];
  if (text === undefined) return [];
  const recipients = text.split(',').flatMap((one) => one.trim() || []);
  const odd = recipients.find((one) => !/^age1[0-9a-z]{20,4000}$/.test(one));
  // Somebody may have put the secret key there.
  if (odd !== undefined || recipients.length === 0)
    throw refuseUnseen('BACKUP_RECIPIENT', 'the public key (age1…) that age-keygen printed');
  return recipients;
}
