// Collects leaves of keys, moderation actions and closings: reads what changed, and stores what the log says of it.
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { publicStatement } from '#moderation';
import type { SubscriberServices } from '#outbox';
import { findClosing, listKeyCauses, listKeysOfOwner } from '../queries/index.ts';
import type { KeyCause } from '../queries/index.ts';
import { actionLeaf, closingLeaf, keyLeaves } from '../rules/leaves.ts';
import { insertInOrder } from './insert-in-order.ts';

const keysAtOnce = 200;

/** A key, and since when it was compromised as a message said it: the date may have moved back since. */
export interface ChangedKey extends RowKey {
  readonly compromisedAt?: string | null;
}

function causesOf(key: KeyCause, changes: readonly ChangedKey[]): readonly KeyCause[] {
  const said = changes.flatMap(({ id, compromisedAt }) =>
    id === key.id ? (compromisedAt ?? []) : [],
  );
  const earlier = said
    .filter((at) => at !== key.compromised_at)
    .toSorted()
    .toReversed();
  return [...earlier.map((compromised_at) => ({ ...key, compromised_at })), key];
}

/** Stores what the log has to say about signing keys. */
export async function collectKeys(
  changes: readonly ChangedKey[],
  { db, now }: SubscriberServices,
): Promise<void> {
  await db.transaction(async (tx) => {
    const keys = await listKeyCauses(tx, changes);
    const leaves = keys
      .flatMap((key) => causesOf(key, changes))
      .flatMap((key) => keyLeaves(key, now()));
    const byCause = new Map(leaves.map((leaf) => [leaf.cause, leaf]));
    insertInOrder(tx, [...byCause.values()], now());
  });
}

/** Stores what the log has to say about a moderation action. */
export async function collectAction(id: string, { db, now }: SubscriberServices): Promise<void> {
  const key = keyOf(id);
  const statement = await publicStatement(db, key);
  if (statement === undefined) return;
  await db.transaction(async (tx) =>
    insertInOrder(tx, [actionLeaf({ key, statement }, now())], now()),
  );
}

/** Stores what the log has to say about a closed account: its closing, and the end of its agents' keys. */
export async function collectClosing(owner: RowKey, services: SubscriberServices): Promise<void> {
  const { db, now } = services;
  const closing = await findClosing(db, owner);
  if (closing !== undefined)
    await db.transaction(async (tx) => insertInOrder(tx, [closingLeaf(closing, now())], now()));
  for (let after = ''; ;) {
    const keys = await listKeysOfOwner(db, owner, after, keysAtOnce);
    if (keys.length > 0) await collectKeys(keys, services);
    if (keys.length < keysAtOnce) return;
    after = keys.at(-1)?.id ?? after;
  }
}
