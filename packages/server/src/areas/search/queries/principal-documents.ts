// Statements on principal_search: the search documents of principals.
import { sql } from '#database';
import type { Tx } from '#database';
import { documentOf, textForIndex } from './document-text.ts';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';

/** The row key of a principal. */
export interface PrincipalKey extends RowKey {}

export interface LockedPrincipal {
  readonly username: string;
  readonly display_name: string | null;
  /** Whether the principal may appear in search results. */
  readonly found: boolean;
}

/**
 * Locks a principal until the transaction ends, so that the rows derived here are correct at the commit.
 * The lock does not wait for transactions that write in the principal's name; transactions that change the
 * principal wait for this one. Agents of closed accounts are suspended, and closed by their date.
 */
export function lockPrincipal(
  tx: Tx,
  { bucket, id }: PrincipalKey,
): Promise<LockedPrincipal | undefined> {
  return tx.first(sql<LockedPrincipal>`
    select username, display_name,
      status <> 'closed' and closed_at is null and not deindexed as found
    from principals
    where bucket = ${bucket}
      and id = ${id}
    for share`);
}

export interface NameDocument {
  /** As text, in all spellings. */
  readonly names: string;
  readonly words: readonly string[];
  readonly nearby: readonly number[];
  readonly now: string;
}

/** Indexes the names and the bio of a locked principal, word by word, because a bio has no language. */
export async function setPrincipalDocument(
  tx: Tx,
  { bucket, id }: PrincipalKey,
  { names, words, nearby, now }: NameDocument,
): Promise<void> {
  await tx.run(sql`
    with configuration as materialized (
      select 'pg_catalog.simple'::regconfig as id
    ), given as materialized (
      select p.bucket, p.id, p.kind, p.username, ${textForIndex(sql`${names}::text`)} as names,
        ${textForIndex(sql`coalesce(p.bio, '')`)} as bio
      from principals p
      where p.bucket = ${bucket}
        and p.id = ${id}
    )
    insert into principal_search (
      bucket, principal_id, kind, username, names, document, nearby, indexed_at
    )
    select given.bucket, given.id, given.kind, given.username, array_to_tsvector(${words}::text[]),
      setweight(${documentOf(sql`given.names`)}, 'A') || setweight(${documentOf(sql`given.bio`)}, 'B'),
      ${nearby}::integer[], ${now}::timestamptz
    from given
    cross join configuration
    on conflict on constraint principal_search_principal_id_pkey
    do update set username = excluded.username, names = excluded.names,
      document = excluded.document, nearby = excluded.nearby, indexed_at = excluded.indexed_at`);
}

export async function deletePrincipalDocument(tx: Tx, { bucket, id }: PrincipalKey): Promise<void> {
  await tx.run(sql`
    delete from principal_search
    where bucket = ${bucket}
      and principal_id = ${id}`);
}

/** The indexed principals that may no longer appear in search results. */
export const listStalePrincipals = walkOf({
  from: sql`principal_search s left join principals p on p.bucket = s.bucket and p.id = s.principal_id`,
  id: sql`s.principal_id`,
  only: sql`(p.id is null or p.status = 'closed' or p.closed_at is not null or p.deindexed)`,
});
