// Statements on passkeys and recovery codes.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly backed_up: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface NewPasskey extends RowKey {
  readonly principalId: string;
  readonly credentialId: Buffer;
  /** As COSE (RFC 9053). */
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
  readonly name: string;
  readonly now: Date;
}

/** Fails with passkeys_principal_id_credential_id_key when the account has this passkey already. */
export function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<number> {
  return tx.run(sql`
    insert into passkeys (
      bucket, id, principal_id, credential_id, public_key, sign_count, transports, backed_up, name,
      created_at, last_used_at
    )
    values (
      ${passkey.bucket}, ${passkey.id}, ${passkey.principalId}, ${passkey.credentialId},
      ${passkey.publicKey}, ${passkey.signCount}, ${passkey.transports}, ${passkey.backedUp},
      ${passkey.name}, ${passkey.now.toISOString()}, ${passkey.now.toISOString()}
    )`);
}

/** What the verification of an assertion needs. */
export interface KnownPasskey {
  readonly id: string;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly username: string;
}

/**
 * Returns a passkey of an account that is not closed. Account and passkey are locked until the commit, in this
 * order: the account is not closed and the counter does not change in between.
 */
export function lockPasskey(
  tx: Tx,
  owner: RowKey,
  credentialId: Buffer,
): Promise<KnownPasskey | undefined> {
  return tx.first(sql<KnownPasskey>`
    with account as materialized (
      select id, username
      from principals
      where bucket = ${owner.bucket} and id = ${owner.id} and status <> 'closed'
      for no key update
    )
    select k.id, k.public_key, k.sign_count::float8 as sign_count, account.username
    from account
    join passkeys k on k.principal_id = account.id
    where k.bucket = ${owner.bucket} and k.credential_id = ${credentialId}
    for no key update of k`);
}

/** Stores the use of a passkey that is locked. */
export function setPasskeyUsed(
  tx: Tx,
  passkey: RowKey,
  use: { readonly signCount: number; readonly backedUp: boolean; readonly now: Date },
): Promise<number> {
  return tx.run(sql`
    update passkeys
    set sign_count = ${use.signCount}, backed_up = ${use.backedUp}, last_used_at = ${use.now.toISOString()}
    where bucket = ${passkey.bucket} and id = ${passkey.id}`);
}

/** Lists every passkey of an account: there are at most `passkeys_max`. */
export function listPasskeys(db: Db, { bucket, id }: RowKey): Promise<readonly PasskeyRow[]> {
  return db.rows(sql<PasskeyRow>`
    -- bounded: an account has at most passkeys_max
    select id, name, backed_up, created_at, last_used_at
    from passkeys
    where bucket = ${bucket} and principal_id = ${id}
    order by id`);
}

export interface OwnCredential {
  readonly credential_id: Buffer;
  readonly transports: readonly string[];
}

export function listCredentials(db: Db, { bucket, id }: RowKey): Promise<readonly OwnCredential[]> {
  return db.rows(sql<OwnCredential>`
    -- bounded: an account has at most passkeys_max
    select credential_id, transports
    from passkeys
    where bucket = ${bucket} and principal_id = ${id}
    order by id`);
}

export function setPasskeyName(
  tx: Tx,
  owner: RowKey,
  passkeyId: string,
  name: string,
): Promise<PasskeyRow | undefined> {
  return tx.first(sql<PasskeyRow>`
    update passkeys
    set name = ${name}
    where bucket = ${owner.bucket} and id = ${passkeyId} and principal_id = ${owner.id}
    returning id, name, backed_up, created_at, last_used_at`);
}

export function deletePasskey(tx: Tx, owner: RowKey, passkeyId: string): Promise<number> {
  return tx.run(sql`
    delete from passkeys
    where bucket = ${owner.bucket} and id = ${passkeyId} and principal_id = ${owner.id}`);
}

/** Replaces the recovery codes of an account, used and unused ones. */
export function setRecoveryCodes(
  tx: Tx,
  { bucket, id }: RowKey,
  hashes: readonly Buffer[],
): Promise<number> {
  void tx.run(sql`
    delete from recovery_codes
    where bucket = ${bucket} and principal_id = ${id}`);
  return tx.run(sql`
    insert into recovery_codes (bucket, principal_id, hash)
    select ${bucket}::smallint, ${id}, hash
    from unnest(${hashes}::bytea[]) as new (hash)`);
}

/** Uses up a recovery code: 1 row for its first use, else 0. */
export function setRecoveryCodeUsed(
  tx: Tx,
  { bucket, id }: RowKey,
  hash: Buffer,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update recovery_codes
    set used_at = ${now.toISOString()}
    where bucket = ${bucket} and principal_id = ${id} and hash = ${hash} and used_at is null`);
}

export async function countRecoveryCodes(db: Db, { bucket, id }: RowKey): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from recovery_codes
    where bucket = ${bucket} and principal_id = ${id} and used_at is null`);
  return row?.count ?? 0;
}
