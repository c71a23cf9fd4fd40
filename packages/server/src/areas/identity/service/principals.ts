// Principals as other areas ask for them.
import { limits } from '@colophon/contract';
import type { Db } from '#database';
import type { Caller } from '#http';
import { bucketOf } from '#lib/id';
import {
  existsFindable,
  findProfile,
  findUsername,
  listFindable,
  listPrincipals,
} from '../queries/index.ts';
import { nameOf } from '../rules/identity.ts';
import { principalView, profileView } from '../views.ts';

/** The caller's own record with its counts; undefined when the account is not there any more. */
export async function ownRecord(db: Db, caller: Pick<Caller, 'bucket' | 'id'>) {
  const row = await findProfile(db, caller, limits.counts_max);
  return row === undefined ? undefined : profileView(row);
}

/**
 * Id of the principal with exactly this name, in any spelling of its case. The former name of a closed
 * account leads nowhere, least of all to the pseudonym of its works.
 */
export async function principalNamed(db: Db, typed: string): Promise<string | undefined> {
  const name = nameOf(typed);
  if (!name.ok) return undefined;
  const row = await findUsername(db, name.bucket, name.skeleton);
  const isCurrent = row?.username === name.username && row.reserved_until === null;
  return isCurrent ? row.principal_id : undefined;
}

/**
 * The records of these principals as they are now, in the order of the ids. Left out are closed accounts and
 * their agents, and who is listed nowhere: whatever a derived table still says, nobody finds them.
 */
export async function findablePrincipals(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await listFindable(db, ids);
  const byId = new Map(rows.map((row) => [row.id, principalView(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Whether somebody who is read by name is also found by those who do not know the name. */
export function isFindable(db: Db, id: string): Promise<boolean> {
  return existsFindable(db, { bucket: bucketOf(id), id });
}

/**
 * The records of these principals, wherever they live, in the order of the ids. The closed and the de-indexed are
 * left out.
 */
export async function listedPrincipals(db: Db, ids: readonly string[]) {
  return (await listPrincipals(db, ids)).map(principalView);
}
