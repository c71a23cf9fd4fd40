// Statements on ceremonies: challenges that were sent to a browser, each for one use.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export type CeremonyKind = 'join' | 'sign-in' | 'check' | 'passkey';

export interface CeremonyRow {
  readonly challenge: string;
  /** null for signing in: the passkey says who it is. */
  readonly principal_id: string | null;
  /** Of an account to come. */
  readonly username: string | null;
  readonly display_name: string | null;
}

export interface NewCeremony extends RowKey, CeremonyRow {
  readonly kind: CeremonyKind;
}

export function insertCeremony(tx: Tx, ceremony: NewCeremony, expiresAt: Date): Promise<number> {
  return tx.run(sql`
    insert into ceremonies
      (bucket, id, kind, challenge, principal_id, username, display_name, expires_at)
    values (
      ${ceremony.bucket}, ${ceremony.id}, ${ceremony.kind}, ${ceremony.challenge},
      ${ceremony.principal_id}, ${ceremony.username}, ${ceremony.display_name},
      ${expiresAt.toISOString()}
    )`);
}

/** Returns a ceremony that was begun, has not ended and has not expired. */
export function findCeremony(
  db: Db,
  { bucket, id }: RowKey,
  kind: CeremonyKind,
  now: Date,
): Promise<CeremonyRow | undefined> {
  return db.first(sql<CeremonyRow>`
    select challenge, principal_id, username, display_name
    from ceremonies
    where bucket = ${bucket} and id = ${id} and kind = ${kind} and expires_at > ${now.toISOString()}`);
}

/** Ends a ceremony that was begun and has not expired, and returns it: to one request only. */
export function deleteBegunCeremony(
  tx: Tx,
  begun: RowKey & { readonly kind: CeremonyKind; readonly principalId: string | null },
  now: Date,
): Promise<CeremonyRow | undefined> {
  return tx.first(sql<CeremonyRow>`
    delete from ceremonies
    where bucket = ${begun.bucket}
      and id = ${begun.id}
      and kind = ${begun.kind}
      and principal_id is not distinct from ${begun.principalId}
      and expires_at > ${now.toISOString()}
    returning challenge, principal_id, username, display_name`);
}

/** Ends a ceremony: 1 row for the request that ends it, else 0. */
export function deleteCeremony(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  return tx.run(sql`
    delete from ceremonies
    where bucket = ${bucket} and id = ${id}`);
}

/** Deletes at most `limit` ceremonies that have expired. */
export function deleteExpiredCeremonies(tx: Tx, now: Date, limit: number): Promise<number> {
  return tx.run(sql`
    -- every bucket: swept by age
    with old as materialized (
      select bucket, id
      from ceremonies
      where expires_at <= ${now.toISOString()}
      ${justFirst(limit)}
    )
    delete from ceremonies
    using old
    where ceremonies.bucket = old.bucket and ceremonies.id = old.id`);
}
