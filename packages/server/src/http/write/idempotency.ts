// Idempotency keys: a key is stored in the transaction of its effect, so both exist or neither.
import { createHash } from 'node:crypto';
import { limits } from '@colophon/contract';
import { canonicalHash } from '#lib/canonical-json';
import { sql } from '#database';
import type { Db, Tx } from '#database';
import { BUCKETS } from '#lib/id';
import type { RowKey } from '#lib/id';
import { problem } from '../problem.ts';

export interface Key {
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** Whose key it is: the caller, or `anonymousHolder`. */
export type Holder = RowKey;

/**
 * Returns the holder of the key of a request without an account. It is derived from the request itself: only
 * the same request finds the stored answer, and strangers who chose the same key do not meet each other.
 */
export function anonymousHolder({ key, fingerprint }: Key): Holder {
  const hash = createHash('sha256').update(fingerprint).update(key).digest();
  return {
    bucket: hash.readUInt16BE(0) % BUCKETS,
    id: `anonymous ${fingerprint.toString('base64url')}`,
  };
}

export interface StoredAnswer {
  readonly status: number;
  readonly body: string | null;
  readonly location: string | null;
  readonly etag: string | null;
}

/**
 * Returns the SHA-256 of method, path and the body in RFC 8785 form: agents serialize the body again when
 * they retry.
 */
export async function fingerprintOf(method: string, path: string, body: unknown): Promise<Buffer> {
  const before = `${method} ${path}\n`;
  if (body === undefined) return createHash('sha256').update(before).digest();
  return canonicalHash(before, body);
}

function lockOf(holder: Holder, key: string): string {
  return createHash('sha256').update(`${holder.id} ${key}`).digest().readBigInt64BE(0).toString();
}

interface Row extends StoredAnswer {
  readonly locked: boolean;
  readonly fingerprint: Buffer | null;
  readonly expired: boolean | null;
}

/**
 * Claims the key for this transaction; returns the stored answer if the key was used before. The lock ends
 * with the transaction or its connection, so a crash frees the key, and no request waits for it. A request
 * that committed between this statement's snapshot and its lock is not visible here: the primary key refuses
 * a second effect at the end, and after a refusal `isAnswered` checks again.
 * @throws idempotency-in-progress, idempotency-key-reuse
 */
export async function claimKey(
  tx: Tx,
  holder: Holder,
  key: Key,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const cutoff = cutoffAt(now);
  const row = await tx.first(sql<Row>`
    -- never null: the principal and the key
    select
      pg_try_advisory_xact_lock(${lockOf(holder, key.key)}::bigint) as locked,
      k.fingerprint, k.status, k.body, k.location, k.etag, k.created_at < ${cutoff} as expired
    from (select 1) as one
    left join idempotency_keys k
      on k.bucket = ${holder.bucket} and k.principal_id = ${holder.id} and k.key = ${key.key}`);
  if (row === undefined || !row.locked) {
    throw problem(
      'idempotency-in-progress',
      'A request with this Idempotency-Key is still running. Wait a second and send it again with the same key.',
      { retry_after_seconds: 1 },
    );
  }
  if (row.fingerprint === null) return undefined;
  if (row.expired) {
    void tx.run(sql`
      delete from idempotency_keys
      where bucket = ${holder.bucket} and principal_id = ${holder.id} and key = ${key.key}`);
    return undefined;
  }
  if (!row.fingerprint.equals(key.fingerprint)) {
    throw problem(
      'idempotency-key-reuse',
      'This Idempotency-Key was used for another method, path or body. Use a new key for a new request.',
    );
  }
  return row;
}

/** Returns the time before which stored answers have expired. */
function cutoffAt(now: Date): string {
  return new Date(now.getTime() - limits.idempotency_hours * 3_600_000).toISOString();
}

/** Whether a request with this key has been answered and the stored answer has not expired. */
export async function isAnswered(
  db: Db,
  holder: Holder,
  { key }: Key,
  now: Date,
): Promise<boolean> {
  const row = await db.first(sql<{ one: number }>`
    select 1 as one
    from idempotency_keys
    where bucket = ${holder.bucket} and principal_id = ${holder.id} and key = ${key}
      and created_at >= ${cutoffAt(now)}`);
  return row !== undefined;
}

/** Stores the answer. The statement is not awaited: it is sent with the commit. */
export function storeAnswer(
  tx: Tx,
  holder: Holder,
  key: Key,
  answer: StoredAnswer & { readonly now: Date },
): void {
  void tx.run(sql`
    insert into idempotency_keys
      (bucket, principal_id, key, fingerprint, status, body, location, etag, created_at)
    values (
      ${holder.bucket}, ${holder.id}, ${key.key}, ${key.fingerprint}, ${answer.status},
      ${answer.body}, ${answer.location}, ${answer.etag}, ${answer.now.toISOString()}
    )`);
}

/** The constraint that refuses a second effect for one key. */
export const keyConstraint = 'idempotency_keys_key_pkey';
