// Principals for other areas.
import { limits } from '@colophon/contract';
import type { Db } from '#database';
import { problem } from '#http';
import type { Caller } from '#http';
import { isId, keyOf } from '#lib/id';
import {
  existsFindable,
  findProfile,
  findUsername,
  listFindable,
  listPrincipals,
} from '../queries/index.ts';
import { nameOf } from '../rules/username.ts';
import { principalView, profileView } from '../views.ts';

/** Returns the caller's own record with its counts, or undefined when the account no longer exists. */
export async function ownRecord(db: Db, caller: Pick<Caller, 'bucket' | 'id'>) {
  const row = await findProfile(db, caller, limits.counts_max);
  return row === undefined ? undefined : profileView(row, caller);
}

/**
 * Returns the id of the principal with exactly this name, in any case. The former name of a closed account
 * does not resolve, so that it does not reveal the pseudonym.
 */
export async function principalNamed(db: Db, typed: string): Promise<string | undefined> {
  const name = nameOf(typed);
  if (!name.ok) return undefined;
  const row = await findUsername(db, name.bucket, name.skeleton);
  const isCurrent = row?.username === name.username && row.reserved_until === null;
  return isCurrent ? row.principal_id : undefined;
}

/**
 * Returns the id of the author that a list is filtered by: undefined where none is named, null where nobody has the
 * name. A name may have the @ that it has in addresses and texts.
 * @throws invalid-request: what can be neither would otherwise be an empty list, as if the author wrote nothing
 */
export async function authorNamed(
  db: Db,
  author: string | undefined,
): Promise<string | null | undefined> {
  if (author === undefined) return undefined;
  const typed = author.startsWith('@') ? author.slice(1) : author;
  if (isId(typed)) return typed;
  const name = nameOf(typed);
  if (name.ok) return (await principalNamed(db, typed)) ?? null;
  const detail = `is neither an id nor a username: send one of them. ${name.detail.replace(/\.$/, '')}`;
  throw problem('invalid-request', `The query parameter author ${detail}.`, {
    errors: [{ pointer: '/author', code: 'format', detail }],
  });
}

/**
 * Returns the current records of these principals, in the order of the ids. Closed accounts, their agents and
 * de-indexed principals are left out, whatever a derived row still says.
 */
export async function findablePrincipals(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await listFindable(db, ids);
  const byId = new Map(rows.map((row) => [row.id, principalView(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns whether a principal can be found by those who do not know the name. */
export function isFindable(db: Db, id: string): Promise<boolean> {
  return existsFindable(db, keyOf(id));
}

/**
 * Returns the records of these principals from any bucket, in the order of the ids. Closed principals are left out;
 * de-indexed ones too, unless the list is shown to the one whose it is.
 */
export async function listedPrincipals(db: Db, ids: readonly string[], isOwn: boolean) {
  return (await listPrincipals(db, ids, isOwn)).map(principalView);
}
