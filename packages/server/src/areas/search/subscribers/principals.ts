// Keeps the search documents of principals up to date with their names and visibility.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { PrincipalChanged, Subscriber, SubscriberServices } from '#outbox';
import { countPrincipals, listPrincipalsAfter } from '#reindex';
import {
  deletePrincipalDocument,
  lockPrincipal,
  listStalePrincipals,
  setPrincipalDocument,
} from '../queries/principal-documents.ts';
import type { PrincipalKey } from '../queries/principal-documents.ts';
import { namesText, nearbyOfNames, wordsOfNames } from '../rules/names.ts';
import type { Rebuilding } from '#reindex';

/** Concurrent runs in any order agree: each locks the principal, and so writes its state at the commit. */
async function index(tx: Tx, key: PrincipalKey, now: Date): Promise<void> {
  const principal = await lockPrincipal(tx, key);
  if (principal?.found !== true) return deletePrincipalDocument(tx, key);
  return setPrincipalDocument(tx, key, {
    names: namesText(principal),
    words: wordsOfNames(principal),
    nearby: nearbyOfNames(principal),
    now: timestamp(now),
  });
}

/** Brings the search document of a principal up to date with its present state. */
export async function indexPrincipal(id: string, { db, now }: SubscriberServices): Promise<void> {
  await db.transaction((tx) => index(tx, keyOf(id), now()));
}

const onPrincipalChanged: Subscriber<PrincipalChanged> = {
  type: 'principal.changed',
  name: 'indexPrincipal',
  run: ({ payload }, services) => indexPrincipal(payload.principal_id, services),
};

export const principalSubscribers = [onPrincipalChanged] as readonly Subscriber[];

export const rebuildingPrincipals: Rebuilding = {
  name: 'principals',
  version: 2,
  count: countPrincipals,
  next: listPrincipalsAfter,
  stale: listStalePrincipals,
  rebuild: indexPrincipal,
};
