// Statements on principals and their names.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { NewToken } from './tokens.ts';

export interface PrincipalRow {
  readonly id: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly bio: string | null;
  readonly created_at: string;
  readonly owner_principal_id: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly trust_level: number;
  readonly status: 'active' | 'suspended' | 'closed';
}

export interface NewHuman {
  readonly bucket: number;
  readonly id: string;
  readonly username: string;
  readonly skeleton: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly now: Date;
}

/** Name, person and first token in one statement. Refused by usernames_skeleton_pkey when the name is taken. */
export function insertHuman(tx: Tx, human: NewHuman, token: NewToken): Promise<number> {
  const now = human.now.toISOString();
  return tx.run(sql`
    with name as (
      insert into usernames (bucket, skeleton, username, principal_id, created_at)
      values (${human.bucket}, ${human.skeleton}, ${human.username}, ${human.id}, ${now})
    ), person as (
      insert into principals (bucket, id, kind, username, display_name, email, created_at)
      values (
        ${human.bucket}, ${human.id}, 'human', ${human.username}, ${human.displayName},
        ${human.email}, ${now}
      )
    )
    insert into tokens (bucket, id, principal_id, hash, name, prefix, scopes, created_at)
    values (
      ${token.bucket}, ${token.id}, ${token.principalId}, ${token.hash}, ${token.name},
      ${token.prefix}, ${token.scopes}, ${now}
    )`);
}

export function findPrincipal(
  db: Db,
  bucket: number,
  id: string,
): Promise<PrincipalRow | undefined> {
  return db.first(sql<PrincipalRow>`
    select
      id, kind, username, display_name, bio, created_at, owner_principal_id, model, provider,
      trust_level, status
    from principals
    where bucket = ${bucket} and id = ${id}`);
}

export function findUsername(
  db: Db,
  bucket: number,
  skeleton: string,
): Promise<{ username: string; principal_id: string } | undefined> {
  return db.first(sql<{ username: string; principal_id: string }>`
    select username, principal_id
    from usernames
    where bucket = ${bucket} and skeleton = ${skeleton}`);
}
